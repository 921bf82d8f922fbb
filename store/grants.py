"""Permission answers that outlive their question."""

from __future__ import annotations

from store import workspaces
from store.clock import now
from store.database import Reader, Writer
from store.records import Grant, Verdict

_COLUMNS = "id, workspace, session_id, tool, pattern, verdict, created_at"


async def add(
    writer: Writer, workspace: str, session_id: str | None, tool: str, pattern: str, verdict: Verdict
) -> Grant:
    await workspaces.ensure(writer, workspace)
    row = await writer.must(
        "the grant was not stored",
        "INSERT INTO grants (tenant, workspace, session_id, tool, pattern, verdict, created_at)"
        f" VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
        writer.tenant,
        workspace,
        session_id,
        tool,
        pattern,
        verdict,
        now(),
    )
    await writer.log("grant.added", row[0], workspace=workspace, session_id=session_id, actor="user")
    return Grant(*row)


async def listed(reader: Reader, workspace: str, session_id: str | None) -> tuple[Grant, ...]:
    """What holds in a session of this workspace, oldest first."""
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM grants WHERE tenant = ? AND (workspace IS NULL OR workspace = ?)"
        " AND (session_id IS NULL OR session_id = ?) ORDER BY id",
        reader.tenant,
        workspace,
        session_id,
    )
    return tuple(Grant(*row) for row in rows)


async def remove(writer: Writer, grant_id: int) -> None:
    writer.run("DELETE FROM grants WHERE id = ? AND tenant = ?", grant_id, writer.tenant)
    await writer.log("grant.removed", grant_id, workspace=None, session_id=None, actor="user")
