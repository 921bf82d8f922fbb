"""Todo rows. The rules live in the service; this only reads and writes what it is told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from store import workspaces
from store.database import Reader, Row, Value, Writer
from store.errors import MissingError
from store.records import Spent, Todo

_STORED = (
    "session_id, workspace, tenant, parent_id, title, notes, status, blocked_reason, blocked_on, priority,"
    ' artifact_id, sprint_id, "check", position, assignee, created_by, completed_by, created_at, updated_at,'
    " completed_at, started_at, archived_at, run_id,"
    " spent_milliseconds, spent_tokens, spent_cost, spent_calls"
)
_COLUMNS = (
    f"id, {_STORED}, (SELECT json_group_array(depends_on) FROM"
    " (SELECT depends_on FROM todo_dependencies WHERE todo_id = todos.id ORDER BY depends_on))"
)


async def add(writer: Writer, draft: Todo) -> Todo:
    """Store a todo whose id is still 0, or one that comes back under its old id."""
    await workspaces.ensure(writer, draft.workspace)
    values = _values(draft)
    row = await writer.must(
        "the todo was not stored",
        f"INSERT INTO todos (id, {_STORED}) VALUES (?{', ?' * len(values)}) RETURNING id",
        draft.id or None,
        *values,
    )
    todo = replace(draft, id=int(row[0]))
    await _depend(writer, todo)
    return todo


async def save(writer: Writer, todo: Todo) -> None:
    assignments = ", ".join(f"{name.strip()} = ?" for name in _STORED.split(","))
    row = await writer.one(
        f"UPDATE todos SET {assignments} WHERE id = ? AND tenant = ? RETURNING id",
        *_values(todo),
        todo.id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no todo #{todo.id}")
    await writer.run("DELETE FROM todo_dependencies WHERE todo_id = ?", todo.id)
    await _depend(writer, todo)


async def remove(writer: Writer, todo_id: int) -> None:
    """Takes its subtasks with it."""
    await writer.run("DELETE FROM todos WHERE id = ? AND tenant = ?", todo_id, writer.tenant)


async def get(reader: Reader, todo_id: int) -> Todo | None:
    row = await reader.one(
        f"SELECT {_COLUMNS} FROM todos WHERE id = ? AND tenant = ?", todo_id, reader.tenant
    )
    return _todo(row) if row else None


async def visible(reader: Reader, workspace: str, session_id: str | None) -> tuple[Todo, ...]:
    """What a session sees: its own and the workspace-wide ones; without a session only the latter."""
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM todos WHERE tenant = ? AND workspace = ?"
        " AND (session_id IS NULL OR session_id = ?) AND archived_at IS NULL ORDER BY id",
        reader.tenant,
        workspace,
        session_id,
    )
    return tuple(_todo(row) for row in rows)


async def revision(reader: Reader, workspace: str, session_id: str | None) -> int:
    """The number of the newest change that this list can see."""
    row = await reader.one(
        "SELECT coalesce(max(seq), 0) FROM changes WHERE tenant = ? AND workspace = ? AND kind GLOB 'todo.*'"
        " AND (session_id IS NULL OR session_id = ?)",
        reader.tenant,
        workspace,
        session_id,
    )
    return int(row[0]) if row else 0


async def _depend(writer: Writer, todo: Todo) -> None:
    for other in todo.depends_on:
        await writer.run("INSERT INTO todo_dependencies (todo_id, depends_on) VALUES (?, ?)", todo.id, other)


def _values(todo: Todo) -> tuple[Value, ...]:
    return (
        todo.session_id,
        todo.workspace,
        todo.tenant,
        todo.parent_id,
        todo.title,
        todo.notes,
        todo.status,
        todo.blocked_reason,
        todo.blocked_on,
        todo.priority,
        todo.artifact_id,
        todo.sprint_id,
        todo.check,
        todo.position,
        todo.assignee,
        todo.created_by,
        todo.completed_by,
        todo.created_at,
        todo.updated_at,
        todo.completed_at,
        todo.started_at,
        todo.archived_at,
        todo.run_id,
        todo.spent.milliseconds,
        todo.spent.tokens,
        todo.spent.cost,
        todo.spent.calls,
    )


def _todo(row: Row) -> Todo:
    values = list(row)
    depends_on: Iterable[int] = json.loads(values.pop())
    values[24:28] = [Spent(*values[24:28])]
    values.insert(11, tuple(depends_on))
    return Todo(*values)
