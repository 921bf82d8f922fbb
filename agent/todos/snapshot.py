"""The list as one immutable value in its order, cheap to change one todo at a time."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from operator import itemgetter

from agent.todos.rules import OPEN, Key, order
from store.frozen import frozen
from store.records import Progress, Todo

# From here on sorting everything once is cheaper than placing one by one.
_MANY = 200
_NOTHING = Progress(0, 0)

Placed = tuple[Key, Todo]
_key = itemgetter(0)


@frozen
class Snapshot:
    """`revision` is -1 before the list was read for the first time."""

    todos: tuple[Todo, ...] = ()
    by_id: Mapping[int, Todo] = field(default_factory=dict[int, Todo])
    revision: int = -1
    progress: Progress = _NOTHING
    last_position: int = 0
    latest: int = 0
    placed: tuple[Placed, ...] = ()

    @property
    def open(self) -> tuple[Todo, ...]:
        return tuple(todo for todo in self.todos if todo.status in OPEN)

    def changed(self, saved: Collection[Todo], removed: Iterable[int], revision: int) -> Snapshot:
        by_id = dict(self.by_id)
        gone = [by_id.pop(each) for each in dict.fromkeys(removed) if each in by_id]
        gone += [by_id[todo.id] for todo in saved if todo.id in by_id]
        by_id |= {todo.id: todo for todo in saved}
        placed = list(self.placed)
        if len(gone) + len(saved) > _MANY:
            placed = sorted(((order(todo), todo) for todo in by_id.values()), key=_key)
        else:
            for todo in gone:
                del placed[bisect_left(placed, order(todo), key=_key)]
            for todo in saved:
                insort(placed, (order(todo), todo), key=_key)
        return Snapshot(
            todos=tuple(todo for _, todo in placed),
            by_id=by_id,
            revision=revision,
            progress=_moved(self.progress, gone, saved),
            last_position=max([self.last_position, *(todo.position for todo in saved)]),
            latest=max([self.latest, *(todo.updated_at for todo in saved)]),
            placed=tuple(placed),
        )


def _moved(progress: Progress, gone: Iterable[Todo], saved: Iterable[Todo]) -> Progress:
    completed, total = progress.completed, progress.total
    for sign, todos in ((-1, gone), (1, saved)):
        for todo in todos:
            completed += sign * (todo.status == "completed")
            total += sign * (todo.status != "cancelled")
    return Progress(completed, total)
