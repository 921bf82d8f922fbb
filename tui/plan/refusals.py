"""Why a key does nothing to a todo, in words."""

from __future__ import annotations

from collections.abc import Iterable

from agent.todos.rules import OPEN, TERMINAL
from store.records import Todo, TodoStatus

FINISHED_ORDER = "what is finished stands in the order it was finished in"
_RANKS: dict[TodoStatus, int] = {"in_progress": 0, "pending": 1, "blocked": 2}
_VERBS: dict[TodoStatus, str] = {"in_progress": "started", "blocked": "blocked", "cancelled": "cancelled"}


def unmoved(todo: Todo, beside: Iterable[Todo], step: int) -> str:
    """One without a neighbour of its standing on that side: is it at the end, or is something in the way?"""
    rank = _RANKS[todo.status]
    beyond = any(each.status in OPEN and (_RANKS[each.status] - rank) * step > 0 for each in beside)
    if not beyond:
        return "it is the first already" if step < 0 else "it is the last already"
    if todo.status == "blocked" or (todo.status == "pending" and step > 0):
        return "what is blocked stands below the others"
    return "what is in progress stands above the others"


def unset(todo: Todo, status: TodoStatus) -> str:
    """Empty where nothing is in the way: what is finished can only be opened again."""
    if todo.status not in TERMINAL or status == "pending":
        return ""
    return f"what is finished cannot be {_VERBS[status]}; space opens it again"
