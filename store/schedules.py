"""Schedule rows: which session is to be woken when, and with what words."""

from __future__ import annotations

from store import sessions
from store.clock import now
from store.database import Reader, Row, Writer
from store.records import Schedule

_COLUMNS = "id, session_id, cron, prompt, enabled, fired_at, created_at"


async def add(writer: Writer, session_id: str, cron: str, prompt: str, *, actor: str) -> Schedule:
    await sessions.get(writer, session_id)
    row = await writer.must(
        "the schedule was not stored",
        "INSERT INTO schedules (tenant, session_id, cron, prompt, created_at) VALUES (?, ?, ?, ?, ?)"
        f" RETURNING {_COLUMNS}",
        writer.tenant,
        session_id,
        cron,
        prompt,
        now(),
    )
    return await _logged(writer, "schedule.added", row, actor)


async def enable(
    writer: Writer, schedule_id: int, *, enabled: bool, counted_from: int, actor: str
) -> Schedule:
    """What it would have fired for before `counted_from` is not made up for."""
    row = await writer.must(
        _missing(schedule_id),
        "UPDATE schedules SET fired_at = CASE WHEN ?1 AND NOT enabled THEN ?2 ELSE fired_at END,"
        f" enabled = ?1 WHERE id = ?3 AND tenant = ?4 RETURNING {_COLUMNS}",
        int(enabled),
        counted_from,
        schedule_id,
        writer.tenant,
    )
    return await _logged(writer, "schedule.enabled" if enabled else "schedule.disabled", row, actor)


async def fire(writer: Writer, schedule: Schedule, moment: int) -> bool:
    """True for the one caller that may act on it; false when another was quicker or it is gone or off."""
    row = await writer.one(
        "UPDATE schedules SET fired_at = ? WHERE id = ? AND tenant = ? AND enabled AND fired_at IS ?"
        f" RETURNING {_COLUMNS}",
        moment,
        schedule.id,
        writer.tenant,
        schedule.fired_at,
    )
    if row is None:
        return False
    await _logged(writer, "schedule.fired", row, "system")
    return True


async def remove(writer: Writer, schedule_id: int, *, actor: str) -> Schedule:
    row = await writer.must(
        _missing(schedule_id),
        f"DELETE FROM schedules WHERE id = ? AND tenant = ? RETURNING {_COLUMNS}",
        schedule_id,
        writer.tenant,
    )
    return await _logged(writer, "schedule.removed", row, actor)


async def get(reader: Reader, schedule_id: int) -> Schedule | None:
    row = await reader.one(
        f"SELECT {_COLUMNS} FROM schedules WHERE id = ? AND tenant = ?", schedule_id, reader.tenant
    )
    return Schedule(*row) if row else None


async def listed(reader: Reader, session_id: str | None) -> tuple[Schedule, ...]:
    """Those of one session, or of all."""
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM schedules WHERE tenant = ? AND (? IS NULL OR session_id = ?) ORDER BY id",
        reader.tenant,
        session_id,
        session_id,
    )
    return tuple(Schedule(*row) for row in rows)


async def _logged(writer: Writer, kind: str, row: Row, actor: str) -> Schedule:
    schedule = Schedule(*row)
    session = await sessions.get(writer, schedule.session_id)
    await writer.log(
        kind, schedule.id, workspace=session.workspace, session_id=schedule.session_id, actor=actor
    )
    return schedule


def _missing(schedule_id: int) -> str:
    return f"no schedule {schedule_id}"
