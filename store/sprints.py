"""Sprint rows: named groups of a workspace's todos."""

from __future__ import annotations

from store import workspaces
from store.clock import now
from store.database import Reader, Writer
from store.records import Sprint, SprintStatus

_COLUMNS = "id, workspace, name, status, created_at, updated_at"


async def create(writer: Writer, workspace: str, name: str, *, actor: str) -> Sprint:
    await workspaces.ensure(writer, workspace)
    moment = now()
    row = await writer.must(
        "the sprint was not stored",
        "INSERT INTO sprints (tenant, workspace, name, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
        f" RETURNING {_COLUMNS}",
        writer.tenant,
        workspace,
        name,
        moment,
        moment,
    )
    return await _logged(writer, "sprint.created", Sprint(*row), actor)


async def set_status(writer: Writer, sprint_id: int, status: SprintStatus, *, actor: str) -> Sprint:
    row = await writer.must(
        _missing(sprint_id),
        f"UPDATE sprints SET status = ?, updated_at = ? WHERE id = ? AND tenant = ? RETURNING {_COLUMNS}",
        status,
        now(),
        sprint_id,
        writer.tenant,
    )
    return await _logged(writer, "sprint.status", Sprint(*row), actor)


async def remove(writer: Writer, sprint_id: int, *, actor: str) -> Sprint:
    """The schema takes the link off the todos that have it; whoever calls this tells their lists."""
    row = await writer.must(
        _missing(sprint_id),
        f"DELETE FROM sprints WHERE id = ? AND tenant = ? RETURNING {_COLUMNS}",
        sprint_id,
        writer.tenant,
    )
    return await _logged(writer, "sprint.deleted", Sprint(*row), actor)


async def get(reader: Reader, sprint_id: int) -> Sprint | None:
    row = await reader.one(
        f"SELECT {_COLUMNS} FROM sprints WHERE id = ? AND tenant = ?", sprint_id, reader.tenant
    )
    return Sprint(*row) if row else None


async def listed(reader: Reader, workspace: str) -> tuple[Sprint, ...]:
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM sprints WHERE tenant = ? AND workspace = ? ORDER BY id",
        reader.tenant,
        workspace,
    )
    return tuple(Sprint(*row) for row in rows)


async def linked(reader: Reader, sprint_id: int) -> tuple[int, ...]:
    """Todos that belong to it, in whatever list they are."""
    rows = await reader.all(
        "SELECT id FROM todos WHERE sprint_id = ? AND tenant = ? ORDER BY id", sprint_id, reader.tenant
    )
    return tuple(int(row[0]) for row in rows)


async def _logged(writer: Writer, kind: str, sprint: Sprint, actor: str) -> Sprint:
    await writer.log(kind, sprint.id, workspace=sprint.workspace, session_id=None, actor=actor)
    return sprint


def _missing(sprint_id: int) -> str:
    return f"no sprint {sprint_id}"
