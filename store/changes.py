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


async def of_message(reader: Reader, session_id: str, message_id: int) -> int:
    """The number that a message got when it was added; 0 when that is not known."""
    row = await reader.one(
        "SELECT seq FROM changes WHERE kind = 'message.added' AND entity_id = ?"
        " AND session_id = ? AND tenant = ?",
        str(message_id),
        session_id,
        reader.tenant,
    )
    return int(row[0]) if row else 0


_OF_THE_LIST = (
    "tenant = ? AND workspace = ? AND kind GLOB 'todo.*' AND (session_id IS NULL OR session_id = ?)"
)


async def of_todos(
    reader: Reader, workspace: str, session_id: str | None, *, after: int = 0, newest: int | None = None
) -> tuple[Change, ...]:
    """What happened to the list a session sees, in order; `newest` keeps only so many."""
    rows = await reader.all(
        f"SELECT {COLUMNS} FROM changes WHERE {_OF_THE_LIST} AND seq > ? ORDER BY seq DESC LIMIT ?",
        reader.tenant,
        workspace,
        session_id,
        after,
        -1 if newest is None else newest,
    )
    return tuple(change(row) for row in reversed(rows))


async def of_todo(
    reader: Reader, workspace: str, session_id: str | None, todo_id: int, *, newest: int
) -> tuple[Change, ...]:
    """What happened to one todo, in order, as far as it belongs to the list a session sees."""
    rows = await reader.all(
        f"SELECT {COLUMNS} FROM changes WHERE {_OF_THE_LIST}"
        " AND instr(',' || entity_id || ',', ',' || ? || ',') > 0 ORDER BY seq DESC LIMIT ?",
        reader.tenant,
        workspace,
        session_id,
        todo_id,
        newest,
    )
    return tuple(change(row) for row in reversed(rows))


async def touched(
    reader: Reader, workspace: str, session_id: str | None, after: int
) -> tuple[tuple[int, str, str, str], ...]:
    """Number, kind, ids and actor of what happened to the list since, without the rows themselves."""
    rows = await reader.all(
        f"SELECT seq, kind, entity_id, actor FROM changes WHERE {_OF_THE_LIST} AND seq > ? ORDER BY seq",
        reader.tenant,
        workspace,
        session_id,
        after,
    )
    return tuple((row[0], row[1], row[2], row[3]) for row in rows)


async def undoable(reader: Reader, workspace: str, session_id: str | None) -> Change | None:
    """The newest change of the list that was neither taken back nor takes one back; housekeeping aside."""
    row = await reader.one(
        f"SELECT {COLUMNS} FROM changes WHERE {_OF_THE_LIST}"
        " AND undoes IS NULL AND kind NOT IN ('todo.archived', 'todo.unlinked')"
        " AND NOT EXISTS (SELECT 1 FROM changes AS later WHERE later.undoes = changes.seq)"
        " ORDER BY seq DESC LIMIT 1",
        reader.tenant,
        workspace,
        session_id,
    )
    return change(row) if row else None


async def undone(reader: Reader, workspace: str, session_id: str | None) -> frozenset[int]:
    rows = await reader.all(
        f"SELECT undoes FROM changes WHERE {_OF_THE_LIST} AND undoes IS NOT NULL",
        reader.tenant,
        workspace,
        session_id,
    )
    return frozenset(int(row[0]) for row in rows)


async def last_by(
    reader: Reader, workspace: str, session_id: str | None, actor: str, *, before: int | None = None
) -> int:
    """The newest change to a list's own todos that one actor made; 0 when there is none.

    What is shared does not count: an agent of the same name in another session may have changed it.
    """
    row = await reader.one(
        "SELECT seq FROM changes WHERE tenant = ? AND workspace = ? AND kind GLOB 'todo.*'"
        " AND session_id IS ? AND actor = ? AND (?5 IS NULL OR seq < ?5) ORDER BY seq DESC LIMIT 1",
        reader.tenant,
        workspace,
        session_id,
        actor,
        before,
    )
    return int(row[0]) if row else 0


async def activation(reader: Reader, session_id: str) -> int:
    """Where the present activation of a session begins in the log."""
    row = await reader.one(
        "SELECT coalesce(max(seq), 0) FROM changes"
        " WHERE kind = 'session.activated' AND entity_id = ? AND tenant = ?",
        session_id,
        reader.tenant,
    )
    return int(row[0]) if row else 0


def change(row: Row) -> Change:
    return Change(*row)
