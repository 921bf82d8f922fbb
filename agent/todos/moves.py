"""Where a todo goes when it is moved, as the edits that put it there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent.todos.drafts import GAP, Edit
from agent.todos.errors import TodoError
from agent.todos.rules import OPEN
from store.records import Todo

Place = Literal["up", "down", "top", "bottom", "before", "after", "under"]


def moved(todos: Sequence[Todo], todo: Todo, place: Place, other: int = 0) -> tuple[Edit, ...]:
    """`other` is the neighbour for `before` and `after`, the parent for `under` (0: none)."""
    if place == "under":
        return (Edit(todo.id, parent_id=other),)
    if todo.status not in OPEN:
        raise TodoError(
            f"#{todo.id} is {todo.status}; what is finished stands in the order it was finished in"
        )
    # Blocked ones stand below pending ones whatever their position, so each moves among its like.
    others = sorted((t for t in todos if t.status == todo.status and t.id != todo.id), key=_place)
    index = _index(others, todo, place, other)
    before = others[index - 1].position if index > 0 else None
    behind = others[index].position if index < len(others) else None
    if before is None and behind is None:
        return ()
    if before is None:
        return (Edit(todo.id, position=(behind or 0) - GAP),)
    if behind is None:
        return (Edit(todo.id, position=before + GAP),)
    if behind - before > 1:
        return (Edit(todo.id, position=(before + behind) // 2),)
    line = [*others[:index], todo, *others[index:]]
    return tuple(Edit(each.id, position=GAP * number) for number, each in enumerate(line, 1))


def _index(others: Sequence[Todo], todo: Todo, place: Place, other: int) -> int:
    if place in ("before", "after"):
        for index, each in enumerate(others):
            if each.id == other:
                return index + (place == "after")
        raise TodoError(
            f"#{other} is not beside #{todo.id}: both must be {todo.status} for one to stand by the other"
        )
    here = sum(_place(each) < _place(todo) for each in others)
    return {"top": 0, "bottom": len(others), "up": max(0, here - 1), "down": min(len(others), here + 1)}[
        place
    ]


def _place(todo: Todo) -> tuple[int, int]:
    return todo.position, todo.id
