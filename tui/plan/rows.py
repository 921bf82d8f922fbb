"""Which rows the plan has: todos below their parents, what is finished in a group of its own at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import NamedTuple

from agent.todos.rules import OPEN, nested
from store.records import Todo

# Todos have their id for a key; these two are no todos.
FINISHED, NEW = 0, -1


class Item(NamedTuple):
    """`waits` are the dependencies that are still open, `hidden` how many subtasks are folded away."""

    todo: Todo
    level: int = 0
    waits: tuple[int, ...] = ()
    hidden: int = 0
    parent: bool = False

    @property
    def key(self) -> int:
        return self.todo.id


class Group(NamedTuple):
    """The line above what is finished; with a `gap` an empty one before it."""

    completed: int
    cancelled: int
    folded: bool
    gap: bool = True

    @property
    def key(self) -> int:
        return FINISHED


class Blank(NamedTuple):
    """Where a todo will be that is being typed."""

    @property
    def key(self) -> int:
        return NEW


Row = Item | Group | Blank


@dataclass(frozen=True, slots=True)
class Names:
    """What linked things are called, for the filter and for the marks."""

    artifacts: Mapping[int, str] = field(default_factory=dict[int, str])
    sprints: Mapping[int, str] = field(default_factory=dict[int, str])


@dataclass(frozen=True, slots=True)
class Folds:
    finished: bool = False
    parents: frozenset[int] = frozenset()

    def toggled(self, key: int) -> Folds:
        if key == FINISHED:
            return replace(self, finished=not self.finished)
        return replace(self, parents=self.parents ^ {key})


_OPEN = Folds()
_AHEAD = ("in_progress", "pending")


def arrange(todos: Sequence[Todo], folds: Folds = _OPEN, shown: Sequence[Todo] | None = None) -> list[Row]:
    """Both come in the order of the list; `shown` are those of the `todos` that a filter lets through.

    A finished one stays above while something below it is open.
    """
    unfinished = {todo.id for todo in todos if todo.status in OPEN}
    working: list[Item] = []
    finished: list[Item] = []
    tree: list[Item] = []
    alive = False
    for level, todo in nested(todos if shown is None else shown):
        if level == 0 and tree:
            (working if alive else finished).extend(tree)
            tree, alive = [], False
        waits = tuple(each for each in todo.depends_on if each in unfinished) if todo.depends_on else ()
        tree.append(Item(todo, level, waits))
        alive = alive or todo.id in unfinished
    (working if alive else finished).extend(tree)
    rows: list[Row] = [*_folded(working, folds)]
    if finished:
        completed = sum(item.todo.status == "completed" for item in finished)
        rows.append(Group(completed, len(finished) - completed, folds.finished, bool(rows)))
        if not folds.finished:
            rows.extend(_folded(finished, folds))
    return rows


def index_of(rows: Sequence[Row], key: int | None) -> int | None:
    return next((index for index, row in enumerate(rows) if row.key == key), None)


def with_blank(rows: Sequence[Row]) -> list[Row]:
    """A new todo comes behind all that is pending."""
    for index, row in enumerate(rows):
        if isinstance(row, Group) or (
            isinstance(row, Item) and row.level == 0 and row.todo.status not in _AHEAD
        ):
            return [*rows[:index], Blank(), *rows[index:]]
    return [*rows, Blank()]


def beside(rows: Sequence[Row], item: Item, step: int) -> Todo | None:
    """The neighbour it can change places with: the same parent and the same standing."""
    todo = item.todo
    like = [
        row.todo
        for row in rows
        if isinstance(row, Item)
        and row.level == item.level
        and row.todo.status == todo.status
        and (row.todo.parent_id == todo.parent_id or item.level == 0)
    ]
    place = like.index(todo) + step
    return like[place] if 0 <= place < len(like) else None


def _folded(items: Sequence[Item], folds: Folds) -> list[Item]:
    """Marks those with subtasks, and takes away the subtasks of those that are folded."""
    found: list[Item] = []
    closed: int | None = None
    for item, after in zip_longest(items, items[1:]):
        assert item is not None
        if closed is not None and item.level > closed:
            found[-1] = found[-1]._replace(hidden=found[-1].hidden + 1)
            continue
        closed = None
        if after is not None and after.level > item.level:
            closed = item.level if item.todo.id in folds.parents else None
            found.append(item._replace(parent=True))
        else:
            found.append(item)
    return found
