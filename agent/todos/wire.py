"""A todo for other programs, under the names scripts rely on, and in full for a reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from agent.todos.lines import NOTHING, remarks
from agent.todos.snapshot import Snapshot
from store.clock import format_time
from store.records import Progress, Todo

_TIMES = tuple(field.name for field in fields(Todo) if field.name.endswith("_at"))


def as_json(todo: Todo) -> dict[str, Any]:
    """The same object that `todo.updated` carries."""
    row: dict[str, Any] = {field.name: getattr(todo, field.name) for field in fields(todo)}
    for name in _TIMES:
        row[name] = None if row[name] is None else format_time(row[name])
    return row | {"depends_on": list(todo.depends_on), "spent": asdict(todo.spent)}


def progress_json(progress: Progress) -> dict[str, int]:
    return {"completed": progress.completed, "total": progress.total}


def list_json(snapshot: Snapshot, todos: tuple[Todo, ...]) -> dict[str, Any]:
    return {
        "todos": [as_json(todo) for todo in todos],
        "progress": progress_json(snapshot.progress),
        "revision": snapshot.revision,
    }


def detail(todo: Todo, artifacts: Mapping[int, str] = NOTHING) -> str:
    rows = [f"#{todo.id} [{todo.status}] {todo.title}{remarks(todo, artifacts)}"]
    if todo.notes:
        rows += [f"  {row}" for row in todo.notes.splitlines()]
    facts = {
        "priority": todo.priority,
        "parent": todo.parent_id and f"#{todo.parent_id}",
        "check": todo.check,
        "assignee": todo.assignee,
        "sprint": todo.sprint_id,
        "created": f"{format_time(todo.created_at)} by {todo.created_by}",
        "finished": todo.completed_at and _by(todo.completed_at, todo.completed_by),
        "spent": _spent(todo),
    }
    return "\n".join(rows + [f"{name}: {value}" for name, value in facts.items() if value])


def _by(moment: int, author: str | None) -> str:
    return f"{format_time(moment)} by {author}" if author else format_time(moment)


def _spent(todo: Todo) -> str:
    spent = todo.spent
    words = [
        f"{spent.milliseconds / 1000:.0f} s" if spent.milliseconds else "",
        f"{spent.tokens} tokens" if spent.tokens else "",
        f"${spent.cost:.4f}" if spent.cost else "",
        f"{spent.calls} tool calls" if spent.calls else "",
    ]
    return ", ".join(word for word in words if word)
