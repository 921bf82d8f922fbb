"""What a session did to files, step by step, and how far it was taken back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from store.clock import now
from store.database import Reader, Row, Value, Writer
from store.errors import MissingError
from store.records import FileState, FileStep, Rewind

_STEP = (
    "f.id, f.session_id, f.anchor, f.cause, f.path, f.before_kind, f.before_mode, f.before_digest,"
    " f.before_size, f.after_kind, f.after_mode, f.after_digest, f.after_size, f.created_at"
)
_REWIND = "r.id, r.session_id, r.kind, r.what, r.message_id, r.step_id, r.undoes, r.created_at"


async def add_steps(writer: Writer, drafts: Iterable[FileStep]) -> tuple[FileStep, ...]:
    """Stores steps whose id and anchor are still 0, in their order.

    Also a message that was set aside may be the anchor: what happens now happens after it.
    """
    return tuple([await _add_step(writer, draft) for draft in drafts])


async def remove_steps(writer: Writer, session_id: str, ids: Iterable[int]) -> None:
    """For changes that did not happen after all."""
    for each in ids:
        writer.run(
            "DELETE FROM file_steps WHERE id = ? AND session_id IN"
            " (SELECT id FROM sessions WHERE id = ? AND tenant = ?)",
            each,
            session_id,
            writer.tenant,
        )


async def steps(reader: Reader, session_id: str, *, after: int = 0, anchor: int = 0) -> tuple[FileStep, ...]:
    """In order: those behind the step `after`, or that happened when `anchor` was said or later."""
    rows = await reader.all(
        f"SELECT {_STEP} FROM file_steps f JOIN sessions s ON s.id = f.session_id"
        " WHERE f.session_id = ? AND s.tenant = ? AND f.id > ? AND f.anchor >= ? ORDER BY f.id",
        session_id,
        reader.tenant,
        after,
        anchor,
    )
    return tuple(_step(row) for row in rows)


async def digests(reader: Reader) -> frozenset[str]:
    """Every content that some step of anybody could still need."""
    rows = await reader.all("SELECT before_digest FROM file_steps UNION SELECT after_digest FROM file_steps")
    return frozenset(str(row[0]) for row in rows)


async def add(
    writer: Writer, draft: Rewind, *, reveal: int | None = None, plan: int = 0
) -> tuple[Rewind, int, int]:
    """Note a rewind and do its part of the conversation: messages set aside, and those brought back.

    With `reveal`, what that earlier rewind had set aside comes back. `plan` is the change that took the plan
    back with it.
    """
    rewind = await _add(writer, draft)
    hidden = revealed = 0
    if draft.what in ("conversation", "both"):
        hidden = await _mark(
            writer, rewind, "rewound IS NULL AND messages.id >= ?", rewind.id, draft.message_id
        )
        if reveal is not None:
            revealed = await _mark(writer, rewind, "rewound = ?", None, reveal)
    await writer.log(
        "session.rewound",
        rewind.session_id,
        workspace=None,
        session_id=rewind.session_id,
        actor="user",
        after=json.dumps(
            {
                "rewind": rewind.id,
                "what": draft.what,
                "message": draft.message_id,
                "hidden": hidden,
                "revealed": revealed,
                "plan": plan,
            }
        ),
    )
    return rewind, hidden, revealed


async def listed(reader: Reader, session_id: str) -> tuple[Rewind, ...]:
    rows = await reader.all(
        f"SELECT {_REWIND} FROM rewinds r JOIN sessions s ON s.id = r.session_id"
        " WHERE r.session_id = ? AND s.tenant = ? ORDER BY r.id",
        session_id,
        reader.tenant,
    )
    return tuple(Rewind(*row) for row in rows)


async def plan_of(reader: Reader, rewind: Rewind) -> int:
    """The change that took the plan back with a rewind; 0 when the plan stayed."""
    row = await reader.one(
        "SELECT json_extract(after, '$.plan') FROM changes WHERE kind = 'session.rewound' AND session_id = ?"
        " AND tenant = ? AND json_extract(after, '$.rewind') = ?",
        rewind.session_id,
        reader.tenant,
        rewind.id,
    )
    return int(row[0] or 0) if row else 0


async def _add_step(writer: Writer, draft: FileStep) -> FileStep:
    moment = now()
    row = await writer.one(
        "INSERT INTO file_steps (session_id, anchor, cause, path, before_kind, before_mode, before_digest,"
        " before_size, after_kind, after_mode, after_digest, after_size, created_at)"
        " SELECT id, (SELECT coalesce(max(id), 0) FROM messages WHERE session_id = sessions.id),"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM sessions WHERE id = ? AND tenant = ? RETURNING id, anchor",
        draft.cause,
        draft.path,
        *_columns(draft.before),
        *_columns(draft.after),
        moment,
        draft.session_id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no session {draft.session_id}; it may have been deleted in another window")
    return replace(draft, id=row[0], anchor=row[1], created_at=moment)


async def _add(writer: Writer, draft: Rewind) -> Rewind:
    moment = now()
    row = await writer.one(
        "INSERT INTO rewinds (session_id, kind, what, message_id, step_id, undoes, created_at)"
        " SELECT id, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM file_steps), ?, ?"
        " FROM sessions WHERE id = ? AND tenant = ? RETURNING id, step_id",
        draft.kind,
        draft.what,
        draft.message_id,
        draft.undoes,
        moment,
        draft.session_id,
        writer.tenant,
    )
    if row is None:
        raise MissingError(f"no session {draft.session_id}; it may have been deleted in another window")
    return replace(draft, id=row[0], step_id=row[1], created_at=moment)


async def _mark(writer: Writer, rewind: Rewind, which: str, mark: int | None, value: int) -> int:
    rows = await writer.all(
        f"UPDATE messages SET rewound = ? WHERE session_id = ? AND {which} RETURNING id",
        mark,
        rewind.session_id,
        value,
    )
    return len(rows)


def _columns(state: FileState) -> tuple[Value, ...]:
    return state.kind, state.mode, state.digest, state.size


def _step(row: Row) -> FileStep:
    key, session_id, anchor, cause, path = row[:5]
    before, after = FileState(*row[5:9]), FileState(*row[9:13])
    return FileStep(key, session_id, anchor, cause, path, before, after, row[13])
