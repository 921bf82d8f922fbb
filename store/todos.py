"""Todo rows. The rules live in the service; this only reads and writes what it is told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from store import workspaces
from store.database import Reader, Row, Value, Writer
from store.errors import MissingError
from store.records import Progress, Spent, Todo

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
    _refuse_foreign(writer, draft)
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
    _refuse_foreign(writer, todo)
    assignments = ", ".join(f"{name.strip()} = ?" for name in _STORED.split(","))
    row = await writer.one(
        f"UPDATE todos SET {assignments} WHERE id = ? AND tenant = ? RETURNING id",
        *_values(todo),
        todo.id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no todo #{todo.id}")
    writer.run("DELETE FROM todo_dependencies WHERE todo_id = ?", todo.id)
    await _depend(writer, todo)


async def remove(writer: Writer, todo_id: int) -> None:
    """Takes its subtasks with it."""
    writer.run("DELETE FROM todos WHERE id = ? AND tenant = ?", todo_id, writer.tenant)


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


async def pick(reader: Reader, ids: Iterable[int]) -> tuple[Todo, ...]:
    """Those that exist, archived ones too, whatever list they are in."""
    rows = await reader.all(
        # The plus keeps SQLite from looking at every todo of the tenant instead of at these.
        f"SELECT {_COLUMNS} FROM todos WHERE +tenant = ?"
        " AND id IN (SELECT value FROM json_each(?)) ORDER BY id",
        reader.tenant,
        json.dumps(list(ids)),
    )
    return tuple(_todo(row) for row in rows)


async def dependents(reader: Reader, ids: Iterable[int]) -> tuple[Todo, ...]:
    """Those that wait for one of these, whatever list they are in."""
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM todos WHERE +tenant = ? AND id IN (SELECT todo_id FROM todo_dependencies"
        " WHERE depends_on IN (SELECT value FROM json_each(?))) ORDER BY id",
        reader.tenant,
        json.dumps(list(ids)),
    )
    return tuple(_todo(row) for row in rows)


async def progress_by_session(reader: Reader, workspace: str | None) -> dict[str, Progress]:
    rows = await reader.all(
        "SELECT session_id, sum(status = 'completed'), sum(status <> 'cancelled') FROM todos"
        " WHERE tenant = ? AND (? IS NULL OR workspace = ?) AND session_id IS NOT NULL"
        " AND archived_at IS NULL GROUP BY session_id",
        reader.tenant,
        workspace,
        workspace,
    )
    return {row[0]: Progress(row[1], row[2]) for row in rows}


async def spend(writer: Writer, todo_id: int, spent: Spent) -> None:
    """Adds up in place, so that two processes never overwrite each other's figures."""
    writer.run(
        "UPDATE todos SET spent_milliseconds = spent_milliseconds + ?, spent_tokens = spent_tokens + ?,"
        " spent_cost = spent_cost + ?, spent_calls = spent_calls + ? WHERE id = ? AND tenant = ?",
        spent.milliseconds,
        spent.tokens,
        spent.cost,
        spent.calls,
        todo_id,
        writer.tenant,
    )


async def mended(reader: Reader, todo: Todo) -> Todo:
    """A todo about to come back, without links to what was deleted meanwhile."""
    row = await reader.must(
        "the links could not be read",
        "SELECT (SELECT id FROM artifacts WHERE id = ?1), (SELECT id FROM sprints WHERE id = ?2),"
        " (SELECT id FROM messages WHERE id = ?3), (SELECT id FROM todos WHERE id = ?4),"
        " (SELECT json_group_array(id) FROM todos WHERE id IN (SELECT value FROM json_each(?5)))",
        todo.artifact_id,
        todo.sprint_id,
        todo.run_id,
        todo.parent_id,
        json.dumps(todo.depends_on),
    )
    depends_on: Iterable[int] = json.loads(row[4])
    return replace(
        todo,
        artifact_id=row[0],
        sprint_id=row[1],
        run_id=row[2],
        parent_id=row[3],
        depends_on=tuple(sorted(depends_on)),
    )


async def missing_links(
    reader: Reader, workspace: str, *, artifact_id: int | None, sprint_id: int | None
) -> tuple[str, ...]:
    """Which of the things a todo wants to point to are not there, in words."""
    missing: list[str] = []
    for table, word, wanted in (("artifacts", "artifact", artifact_id), ("sprints", "sprint", sprint_id)):
        row = await reader.one(
            f"SELECT 1 FROM {table} WHERE id = ? AND tenant = ? AND workspace = ?",
            wanted,
            reader.tenant,
            workspace,
        )
        if wanted is not None and row is None:
            missing.append(f"{word} {wanted}")
    return tuple(missing)


async def artifact_titles(reader: Reader, ids: Iterable[int]) -> dict[int, str]:
    rows = await reader.all(
        "SELECT id, title FROM artifacts WHERE +tenant = ? AND id IN (SELECT value FROM json_each(?))",
        reader.tenant,
        json.dumps(list(ids)),
    )
    return {int(row[0]): str(row[1]) for row in rows}


async def remove_orphans(writer: Writer) -> int:
    """Todos of sessions that are gone, as a salvaged file may hold them."""
    rows = await writer.all(
        "DELETE FROM todos WHERE tenant = ? AND session_id IS NOT NULL"
        " AND session_id NOT IN (SELECT id FROM sessions) RETURNING id",
        writer.tenant,
    )
    return len(rows)


async def archive_finished(
    writer: Writer, moment: int, *, finished_before: int, inactive_before: int
) -> tuple[Todo, ...]:
    """Take out of sight what was finished long ago in sessions, or workspaces, that nobody uses now.

    What still has open subtasks stays.
    """
    rows = await writer.all(
        "UPDATE todos SET archived_at = ?1 WHERE tenant = ?2 AND archived_at IS NULL"
        " AND status IN ('completed', 'cancelled') AND completed_at < ?3"
        " AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.tenant = ?2 AND updated_at >= ?4"
        " AND (sessions.id = todos.session_id"
        " OR (todos.session_id IS NULL AND sessions.workspace = todos.workspace)))"
        " AND NOT EXISTS (SELECT 1 FROM todos AS below WHERE below.parent_id = todos.id"
        " AND below.status NOT IN ('completed', 'cancelled'))"
        f" RETURNING {_COLUMNS}",
        moment,
        writer.tenant,
        finished_before,
        inactive_before,
    )
    return tuple(_todo(row) for row in rows)


async def revision(reader: Reader, workspace: str, session_id: str | None) -> int:
    """The number of the newest change that this list can see."""
    row = await reader.one(
        "SELECT seq FROM changes WHERE tenant = ? AND workspace = ? AND kind GLOB 'todo.*'"
        " AND (session_id IS NULL OR session_id = ?) ORDER BY seq DESC LIMIT 1",
        reader.tenant,
        workspace,
        session_id,
    )
    return int(row[0]) if row else 0


def _refuse_foreign(writer: Writer, todo: Todo) -> None:
    if todo.tenant != writer.tenant:
        raise MissingError(f"no todo #{todo.id}")


async def _depend(writer: Writer, todo: Todo) -> None:
    for other in todo.depends_on:
        writer.run("INSERT INTO todo_dependencies (todo_id, depends_on) VALUES (?, ?)", todo.id, other)


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
