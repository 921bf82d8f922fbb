"""Which rows the plan has: todos below their parents, what is finished in a group of its own at the end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import NamedTuple

from agent.todos.rules import TERMINAL
from store.frozen import frozen
from store.records import Todo

# Rows have the id of their todo; these two are no todos.
FINISHED, NEW = 0, -1


class Item(NamedTuple):
    """`waits` are the dependencies that are still open, `hidden` how many subtasks are folded away."""

    todo: Todo
    level: int = 0
    waits: tuple[int, ...] = ()
    hidden: int = 0
    parent: bool = False

    @property
    def id(self) -> int:
        return self.todo.id


class Group(NamedTuple):
    """The line above what is finished; with a `gap` an empty one before it.

    It counts all that is finished, also what stands above it because its parent is open.
    """

    completed: int
    cancelled: int
    folded: bool
    gap: bool = True

    @property
    def id(self) -> int:
        return FINISHED


class Blank(NamedTuple):
    """Where a todo will be that is being typed."""

    @property
    def id(self) -> int:
        return NEW


Row = Todo | Group | Blank
"""Of 10,000 todos few are looked at: an `Item` is made of one when it is."""


@frozen
class Names:
    """What linked things are called, for the filter and for the marks."""

    artifacts: Mapping[int, str] = field(default_factory=dict[int, str])
    sprints: Mapping[int, str] = field(default_factory=dict[int, str])


@frozen
class Folds:
    finished: bool = False
    parents: frozenset[int] = frozenset()

    def toggled(self, row_id: int) -> Folds:
        if row_id == FINISHED:
            return replace(self, finished=not self.finished)
        return replace(self, parents=self.parents ^ {row_id})


_OPEN = Folds()
_AHEAD = ("in_progress", "pending")


class Plan:
    """The rows, and what is known about the todos among them."""

    def __init__(
        self,
        todos: Sequence[Todo] = (),
        folds: Folds = _OPEN,
        shown: Sequence[Todo] | None = None,
        *,
        blank: bool = False,
        kept: int = 0,
    ) -> None:
        """Both come in the order of the list; `shown` are those of the `todos` that a filter lets through.

        With a `blank` there is a row for one that is being typed. One that is `kept` has a row in any case.
        """
        self.rows: list[Row] = []
        self._todos = todos
        self._folds = folds
        self._children: dict[int, list[Todo]] = {}
        self._levels: dict[int, int] = {}
        seen = todos if shown is None else shown
        self._arrange(self._roots(seen), seen)
        if blank:
            self._open_blank()
        if kept and kept not in self._places:
            self._keep(kept)
            del self._places

    def place(self, row_id: int | None) -> int | None:
        """Which row that is, if it is there."""
        return None if row_id is None else self._places.get(row_id)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {row.id: index for index, row in enumerate(self.rows)}

    @cached_property
    def _open(self) -> set[int]:
        # What is open comes first in the list.
        return {todo.id for todo in self._todos[: bisect_left(self._todos, True, key=_closed)]}

    def item(self, row: Row | None) -> Item | None:
        if not isinstance(row, Todo):
            return None
        waits = tuple(each for each in row.depends_on if each in self._open)
        hidden: list[Todo] = []
        if row.id in self._folds.parents:
            self._walk(row, 0, [], hidden)
        return Item(row, self._levels.get(row.id, 0), waits, len(hidden), row.id in self._children)

    def beside(self, todo: Todo, step: int) -> Todo | None:
        """The neighbour it can change places with: the same parent and the same standing."""
        level = self._levels.get(todo.id, 0)
        like = [
            row
            for row in self.rows
            if isinstance(row, Todo)
            and row.status == todo.status
            and self._levels.get(row.id, 0) == level
            and (row.parent_id == todo.parent_id or level == 0)
        ]
        place = like.index(todo) + step
        return like[place] if 0 <= place < len(like) else None

    def _roots(self, shown: Sequence[Todo]) -> list[Todo]:
        """One whose parent is not there stands alone."""
        below = [todo for todo in shown if todo.parent_id is not None]
        if not below:
            return list(shown)
        present = {todo.id for todo in shown}
        for todo in below:
            if todo.parent_id in present:
                self._children.setdefault(todo.parent_id or 0, []).append(todo)
        return [todo for todo in shown if todo.parent_id not in present]

    def _arrange(self, roots: list[Todo], seen: Sequence[Todo]) -> None:
        """A finished one stays above while something below it is open."""
        rows, finished = self.rows, list[Todo]()
        closed = bisect_left(roots, True, key=_closed)
        rows += self._unrolled(roots[:closed])
        for todo in roots[closed:]:
            if todo.id not in self._children:
                finished.append(todo)
                continue
            tree, folded = [todo], list[Todo]()
            self._walk(todo, 1, tree, folded)
            if all(map(_closed, tree)) and all(map(_closed, folded)):
                finished += tree
            else:
                rows += tree
        if finished:
            ended = seen[bisect_left(seen, True, key=_closed) :]
            completed = sum(todo.status == "completed" for todo in ended)
            cancelled = len(ended) - completed
            rows.append(Group(completed, cancelled, self._folds.finished, bool(rows)))
            rows += [] if self._folds.finished else finished

    def _open_blank(self) -> None:
        """A new todo comes behind all that is pending."""
        behind = (
            index
            for index, row in enumerate(self.rows)
            if not isinstance(row, Todo) or (row.status not in _AHEAD and row.id not in self._levels)
        )
        self.rows.insert(next(behind, len(self.rows)), Blank())

    def _keep(self, todo_id: int) -> None:
        """What a fold or a filter hides stands at the end of what is open, or first of what is finished."""
        group = next((at for at, row in enumerate(self.rows) if isinstance(row, Group)), len(self.rows))
        for todo in self._todos:
            if todo.id == todo_id:
                self.rows.insert(group + _closed(todo), todo)

    def _unrolled(self, roots: list[Todo]) -> list[Todo]:
        """Each with what is below it."""
        if not self._children:
            return roots
        found: list[Todo] = []
        for todo in roots:
            found.append(todo)
            if todo.id in self._children:
                self._walk(todo, 1, found, [])
        return found

    def _walk(self, todo: Todo, level: int, found: list[Todo], hidden: list[Todo]) -> None:
        """All below it, into the one list or, as far as it is folded away, into the other."""
        into = hidden if todo.id in self._folds.parents else found
        for child in self._children.get(todo.id, ()):
            self._levels.setdefault(child.id, level)
            into.append(child)
            if child.id in self._children:
                self._walk(child, level + 1, into, hidden)


def _closed(todo: Todo) -> bool:
    return todo.status in TERMINAL
