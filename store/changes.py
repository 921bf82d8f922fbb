"""The outbox: every change in order, for other windows, history, undo and resumed streams."""

from __future__ import annotations

from store.database import Reader, Row
from store.records import Change

COLUMNS = "seq, workspace, session_id, kind, entity_id, actor, before, after, undoes, origin, created_at"


async def newest(reader: Reader) -> int:
    row = await reader.one("SELECT coalesce(max(seq), 0) FROM changes")
    return int(row[0]) if row else 0


async def foreign(reader: Reader, after: int, until: int, origin: str) -> tuple[Change, ...]:
    rows = await reader.all(
        f"SELECT {COLUMNS} FROM changes"
        " WHERE seq > ? AND seq <= ? AND origin <> ? AND tenant = ? ORDER BY seq",
        after,
        until,
        origin,
        reader.tenant,
    )
    return tuple(change(row) for row in rows)


async def since(reader: Reader, after: int, *, session_id: str | None = None) -> tuple[Change, ...]:
    rows = await reader.all(
        f"SELECT {COLUMNS} FROM changes WHERE seq > ? AND tenant = ?"
        " AND (? IS NULL OR session_id = ?) ORDER BY seq",
        after,
        reader.tenant,
        session_id,
        session_id,
    )
    return tuple(change(row) for row in rows)


def change(row: Row) -> Change:
    return Change(*row)
