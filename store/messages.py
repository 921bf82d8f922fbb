"""Messages and their parts, in the order in which they were written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from store.clock import now
from store.database import Reader, Row, Writer
from store.errors import MissingError
from store.frozen import frozen
from store.records import Message, Origin, Part, Role, Usage

_MESSAGE = (
    "m.id, m.session_id, m.role, m.origin, m.agent, m.model, m.input_tokens, m.output_tokens,"
    " m.cache_read_tokens, m.cache_write_tokens, m.reasoning_tokens, m.cost, m.finish,"
    " m.created_at, m.ended_at"
)
_PART = (
    "p.id, p.message_id, p.kind, p.text, p.call_id, p.tool, p.status, p.input, p.output, p.data,"
    " p.started_at, p.ended_at, p.pruned_at"
)
# As the migration has it, or SQLite does not see that its index serves.
_UNFINISHED_PART = "(p.ended_at IS NULL OR p.status IN ('pending', 'running'))"


@frozen
class Page:
    """Neighbours in order; `older` says how many come before the first of them."""

    messages: tuple[Message, ...]
    older: int


async def append(
    writer: Writer, session_id: str, role: Role, origin: Origin, *, agent: str = "", model: str = ""
) -> Message:
    moment = now()
    row = await writer.one(
        "INSERT INTO messages (session_id, role, origin, agent, model, created_at)"
        " SELECT id, ?, ?, ?, ?, ? FROM sessions WHERE id = ? AND tenant = ? RETURNING id",
        role,
        origin,
        agent,
        model,
        moment,
        session_id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no session {session_id}; it may have been deleted in another window")
    writer.note("message.added", row[0], session_id=session_id, actor="agent")
    return Message(row[0], session_id, role, origin, agent, model, Usage(), 0.0, None, moment, None)


async def add_part(writer: Writer, session_id: str, draft: Part) -> Part:
    """Store a part whose id is still 0 at the end of its message."""
    row = await writer.one(
        "INSERT INTO parts (message_id, kind, text, call_id, tool, status, input, output, data,"
        " started_at, ended_at)"
        " SELECT m.id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE m.id = ? AND m.session_id = ? AND s.tenant = ? RETURNING id",
        draft.kind,
        draft.text,
        draft.call_id,
        draft.tool,
        draft.status,
        draft.input,
        draft.output,
        draft.data,
        draft.started_at,
        draft.ended_at,
        draft.message_id,
        session_id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no message {draft.message_id} in session {session_id}")
    writer.note("part.changed", row[0], session_id=session_id, actor="agent")
    return replace(draft, id=row[0])


async def save_part(writer: Writer, session_id: str, part: Part) -> None:
    """Store the part as it is now; a reply that streams calls this a few times a second."""
    row = await writer.one(
        "UPDATE parts SET text = ?, status = ?, input = ?, output = ?, data = ?, started_at = ?,"
        " ended_at = ?, pruned_at = ? WHERE id = ? AND message_id IN"
        " (SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id"
        "  WHERE m.id = ? AND s.id = ? AND s.tenant = ?) RETURNING id",
        part.text,
        part.status,
        part.input,
        part.output,
        part.data,
        part.started_at,
        part.ended_at,
        part.pruned_at,
        part.id,
        part.message_id,
        session_id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no part {part.id} in session {session_id}")
    _note(writer, "part.changed", part.id, session_id)


async def remove_part(writer: Writer, session_id: str, part: Part) -> None:
    await writer.must(
        f"no part {part.id} in session {session_id}",
        "DELETE FROM parts WHERE id = ? AND message_id IN"
        " (SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id"
        "  WHERE s.id = ? AND s.tenant = ?) RETURNING id",
        part.id,
        session_id,
        writer.tenant,
    )
    _note(writer, "part.removed", part.id, session_id)


async def end(
    writer: Writer,
    session_id: str,
    message_id: int,
    *,
    usage: Usage,
    cost: float,
    finish: str,
    ended_at: int | None = None,
) -> None:
    await writer.must(
        f"no message {message_id} in session {session_id}",
        "UPDATE messages SET input_tokens = ?, output_tokens = ?, cache_read_tokens = ?,"
        " cache_write_tokens = ?, reasoning_tokens = ?, cost = ?, finish = ?, ended_at = ?"
        " WHERE id = ? AND session_id IN (SELECT id FROM sessions WHERE id = ? AND tenant = ?)"
        " RETURNING id",
        usage.input,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        usage.reasoning,
        cost,
        finish,
        ended_at or now(),
        message_id,
        session_id,
        writer.tenant,
    )
    _note(writer, "message.ended", message_id, session_id)


async def load(
    reader: Reader, session_id: str, *, after: int = 0, before: int | None = None, limit: int | None = None
) -> tuple[Message, ...]:
    """Messages in order, without those that a rewind set aside.

    With a limit the newest of them, which is what a first screen needs.
    """
    rows = await reader.all(
        f"SELECT {_MESSAGE} FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE m.session_id = ? AND s.tenant = ? AND m.id > ? AND (? IS NULL OR m.id < ?)"
        " AND m.rewound IS NULL ORDER BY m.id DESC LIMIT ?",
        session_id,
        reader.tenant,
        after,
        before,
        before,
        -1 if limit is None else limit,
    )
    if not rows:
        return ()
    rows.reverse()
    parts = await reader.all(
        f"SELECT {_PART} FROM messages m JOIN parts p ON p.message_id = m.id"
        " WHERE m.session_id = ? AND m.id BETWEEN ? AND ? AND m.rewound IS NULL ORDER BY p.message_id, p.id",
        session_id,
        rows[0][0],
        rows[-1][0],
    )
    return tuple(_joined(rows, parts))


async def page(reader: Reader, session_id: str, *, before: int | None = None, limit: int = 50) -> Page:
    """The newest messages, or with `before`, the id of a message, those above it."""
    found = await load(reader, session_id, before=before, limit=limit)
    return Page(found, await count(reader, session_id, before=found[0].id) if found else 0)


async def count(reader: Reader, session_id: str, *, after: int = 0, before: int | None = None) -> int:
    row = await reader.must(
        "messages could not be counted",
        "SELECT count(*) FROM messages WHERE rewound IS NULL AND (?3 IS NULL OR id < ?3) AND id > ?4"
        " AND session_id IN (SELECT id FROM sessions WHERE id = ?1 AND tenant = ?2)",
        session_id,
        reader.tenant,
        before,
        after,
    )
    return int(row[0])


async def last_finish(reader: Reader, session_id: str) -> str | None:
    """How the newest reply ended; None where there is none, or it has not ended."""
    row = await reader.one(
        "SELECT finish FROM messages WHERE session_id = ? AND role = 'assistant' AND rewound IS NULL"
        " ORDER BY id DESC LIMIT 1",
        session_id,
    )
    return None if row is None else row[0]


async def holding(reader: Reader, session_id: str, parts: Sequence[int]) -> frozenset[int]:
    """The messages that these parts belong to; a part that was removed belongs to none."""
    rows = await reader.all(
        "SELECT DISTINCT m.id FROM json_each(?) AS wanted JOIN parts p ON p.id = wanted.value"
        " JOIN messages m ON m.id = p.message_id JOIN sessions s ON s.id = m.session_id"
        " WHERE s.id = ? AND s.tenant = ?",
        json.dumps(list(parts)),
        session_id,
        reader.tenant,
    )
    return frozenset(int(row[0]) for row in rows)


async def models_used(reader: Reader, session_id: str) -> tuple[str, ...]:
    """The models that were sent anything in a session, set-aside messages included."""
    rows = await reader.all(
        "SELECT DISTINCT m.model FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE s.id = ? AND s.tenant = ? AND m.model <> '' AND m.input_tokens + m.output_tokens"
        " + m.cache_read_tokens + m.cache_write_tokens > 0",
        session_id,
        reader.tenant,
    )
    return tuple(row[0] for row in rows)


async def unfinished(reader: Reader, session_id: str) -> tuple[Message, ...]:
    """What nobody came to end: replies without a finish, and whatever has an open part."""
    rows = await reader.all(
        # SQLite would take the larger index, and read every message of the session.
        "SELECT m.id FROM messages m INDEXED BY messages_unfinished JOIN sessions s ON s.id = m.session_id"
        " WHERE s.id = ?1 AND s.tenant = ?2 AND m.role = 'assistant' AND m.finish IS NULL"
        " AND m.rewound IS NULL"
        # From the few open parts of all sessions to this one, not from each of its messages to its parts.
        " UNION SELECT m.id FROM parts p CROSS JOIN messages m ON m.id = p.message_id"
        f" CROSS JOIN sessions s ON s.id = m.session_id WHERE {_UNFINISHED_PART}"
        " AND s.id = ?1 AND s.tenant = ?2 AND m.rewound IS NULL ORDER BY 1",
        session_id,
        reader.tenant,
    )
    found = [await load(reader, session_id, after=row[0] - 1, before=row[0] + 1) for row in rows]
    return tuple(message for each in found for message in each)


def _joined(rows: Iterable[Row], parts: Iterable[Row]) -> Iterable[Message]:
    by_message = {
        key: tuple(Part(*row) for row in group) for key, group in groupby(parts, lambda row: row[1])
    }
    for row in rows:
        values = list(row)
        values[6:11] = [Usage(*row[6:11])]
        yield Message(*values, parts=by_message.get(row[0], ()))


def _note(writer: Writer, kind: str, entity_id: int, session_id: str) -> None:
    # A streaming part changes many times; only its newest change is of use to anyone.
    writer.run("DELETE FROM changes WHERE kind = ? AND entity_id = ?", kind, str(entity_id))
    writer.note(kind, entity_id, session_id=session_id, actor="agent")
