"""Why a key does nothing to a todo, in words."""

from __future__ import annotations

from collections.abc import Iterable

from agent.todos.moves import barrier
from agent.todos.rules import TERMINAL
from store.records import Todo, TodoStatus

FINISHED_ORDER = "what is finished stands in the order it was finished in"
_VERBS: dict[TodoStatus, str] = {"in_progress": "started", "blocked": "blocked", "cancelled": "cancelled"}


def unmoved(todo: Todo, beside: Iterable[Todo], step: int) -> str:
    """One without a neighbour of its standing on that side: is it at the end, or is something in the way?"""
    end = "it is the first already" if step < 0 else "it is the last already"
    return barrier(todo, beside, step) or end


def unset(todo: Todo, status: TodoStatus) -> str:
    """Empty where nothing is in the way: what is finished can only be opened again."""
    if todo.status not in TERMINAL or status == "pending":
        return ""
    return f"what is finished cannot be {_VERBS[status]}; space opens it again"
