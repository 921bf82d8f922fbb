"""The list as one immutable value in its order, cheap to change one todo at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field

from agent.todos.rules import OPEN, Key, order
from store.frozen import frozen
from store.records import Progress, Todo

# From here on sorting everything once is cheaper than placing one by one.
_MANY = 200
_NOTHING = Progress(0, 0)


@frozen
class Snapshot:
    """`revision` is -1 before the list was read for the first time; `keys` say why each todo stands where."""

    todos: tuple[Todo, ...] = ()
    by_id: Mapping[int, Todo] = field(default_factory=dict[int, Todo])
    revision: int = -1
    progress: Progress = _NOTHING
    last_position: int = 0
    latest: int = 0
    keys: tuple[Key, ...] = ()

    @property
    def open(self) -> tuple[Todo, ...]:
        return tuple(todo for todo in self.todos if todo.status in OPEN)

    def changed(self, saved: Collection[Todo], removed: Iterable[int], revision: int) -> Snapshot:
        by_id = dict(self.by_id)
        gone = [by_id.pop(each) for each in dict.fromkeys(removed) if each in by_id]
        gone += [by_id[todo.id] for todo in saved if todo.id in by_id]
        by_id |= {todo.id: todo for todo in saved}
        todos, keys = list(self.todos), list(self.keys)
        if len(gone) + len(saved) > _MANY:
            todos = sorted(by_id.values(), key=order)
            keys = [order(todo) for todo in todos]
        else:
            for todo in gone:
                at = bisect_left(keys, order(todo))
                del todos[at], keys[at]
            for todo in saved:
                at = bisect_left(keys, key := order(todo))
                todos.insert(at, todo)
                keys.insert(at, key)
        return Snapshot(
            todos=tuple(todos),
            by_id=by_id,
            revision=revision,
            progress=_moved(self.progress, gone, saved),
            last_position=max([self.last_position, *(todo.position for todo in saved)]),
            latest=max([self.latest, *(todo.updated_at for todo in saved)]),
            keys=tuple(keys),
        )


def _moved(progress: Progress, gone: Iterable[Todo], saved: Iterable[Todo]) -> Progress:
    completed, total = progress.completed, progress.total
    for sign, todos in ((-1, gone), (1, saved)):
        for todo in todos:
            completed += sign * (todo.status == "completed")
            total += sign * (todo.status != "cancelled")
    return Progress(completed, total)
