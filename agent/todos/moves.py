"""Where a todo goes when it is moved, as the edits that put it there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Literal

from agent.todos.drafts import GAP, Edit
from agent.todos.errors import TodoError
from agent.todos.rules import OPEN
from store.records import Todo, TodoStatus

BELOW = "what is blocked stands below the others"
ABOVE = "what is in progress stands above the others"
_RANKS: dict[TodoStatus, int] = {"in_progress": 0, "pending": 1, "blocked": 2}

Place = Literal["up", "down", "top", "bottom", "before", "after", "under"]


def moved(todos: Sequence[Todo], todo: Todo, place: Place, other: int = 0) -> tuple[Edit, ...]:
    """`other` is the neighbour for `before` and `after`, the parent for `under` (0: none).

    `todos` stand in the order of the list.
    """
    if place == "under":
        return (Edit(todo.id, parent_id=other),)
    if todo.status not in OPEN:
        raise TodoError(
            f"#{todo.id} is {todo.status}; what is finished stands in the order it was finished in"
        )
    # Blocked ones stand below pending ones whatever their position, so each moves among its like.
    others = [each for each in todos if each.status == todo.status and each.id != todo.id]
    index = _index(others, todo, place, other)
    if index == bisect_left(others, _place(todo), key=_place):
        return ()
    return _placed(others, todo, index)


def barrier(todo: Todo, todos: Iterable[Todo], step: int) -> str:
    """Why an open todo cannot pass those of other statuses, up (-1) or down; empty if none are there."""
    rank = _RANKS[todo.status]
    if not any(each.status in OPEN and (_RANKS[each.status] - rank) * step > 0 for each in todos):
        return ""
    return BELOW if todo.status == "blocked" or (todo.status == "pending" and step > 0) else ABOVE


def _placed(others: Sequence[Todo], todo: Todo, index: int) -> tuple[Edit, ...]:
    """Between its new neighbours; where they stand too close, some of those around make room."""
    low = high = index
    while True:
        count = high - low + 1
        left = others[low - 1].position if low > 0 else None
        right = others[high].position if high < len(others) else None
        if left is None and right is None and count == 1:
            return ()
        start = (right or 0) - GAP * (count + 1) if left is None else left
        end = start + GAP * (count + 1) if right is None else right
        if end - start > (count if count == 1 else 16 * count):
            break
        low, high = max(0, low - count), min(len(others), high + count)
    line = [*others[low:index], todo, *others[index:high]]
    step = (end - start) // (count + 1)
    return tuple(Edit(each.id, position=start + step * number) for number, each in enumerate(line, 1))


def _index(others: Sequence[Todo], todo: Todo, place: Place, other: int) -> int:
    if place in ("before", "after"):
        for index, each in enumerate(others):
            if each.id == other:
                return index + (place == "after")
        raise TodoError(
            f"#{other} is not beside #{todo.id}: both must be {todo.status} for one to stand by the other"
        )
    here = bisect_left(others, _place(todo), key=_place)
    return {"top": 0, "bottom": len(others), "up": max(0, here - 1), "down": min(len(others), here + 1)}[
        place
    ]


def _place(todo: Todo) -> tuple[int, int]:
    return todo.position, todo.id
