"""What the user typed, so that it can be found again in another session and another window."""

from __future__ import annotations

from store import sessions, workspaces
from store.clock import now
from store.database import Reader, Writer
from store.records import Prompt

_COLUMNS = "id, workspace, session_id, text, created_at"


async def add(writer: Writer, workspace: str, session_id: str | None, text: str) -> Prompt | None:
    """Nothing when it repeats the one before it."""
    if session_id is not None:
        await sessions.get(writer, session_id)
    await workspaces.ensure(writer, workspace)
    latest = await recent(writer, workspace, limit=1)
    if latest and latest[0].text == text:
        return None
    row = await writer.must(
        "the prompt was not stored",
        "INSERT INTO prompts (tenant, workspace, session_id, text, created_at)"
        f" VALUES (?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
        writer.tenant,
        workspace,
        session_id,
        text,
        now(),
    )
    return Prompt(*row)


async def recent(reader: Reader, workspace: str, *, limit: int = 1_000) -> tuple[Prompt, ...]:
    """Newest first."""
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM prompts WHERE tenant = ? AND workspace = ? ORDER BY id DESC LIMIT ?",
        reader.tenant,
        workspace,
        limit,
    )
    return tuple(Prompt(*row) for row in rows)
