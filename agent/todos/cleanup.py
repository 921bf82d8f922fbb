"""Housekeeping at start: what belongs to nobody goes, what was finished long ago steps aside."""

from __future__ import annotations

from agent.todos import journal
from agent.todos.actors import SYSTEM
from store import todos as rows
from store.clock import now
from store.database import Store, Writer
from store.records import Todo

_DAY = 24 * 60 * 60 * 1000


async def clean_up(store: Store, *, stale_days: int = 30, inactive_days: int = 7) -> tuple[int, int]:
    """How many todos of vanished sessions were removed, and how many finished ones archived."""
    return await store.write(_clean_up, stale_days, inactive_days)


async def _clean_up(writer: Writer, stale_days: int, inactive_days: int) -> tuple[int, int]:
    moment = now()
    removed = await rows.remove_orphans(writer)
    archived = await rows.archive_finished(
        writer,
        moment,
        finished_before=moment - stale_days * _DAY,
        inactive_before=moment - inactive_days * _DAY,
    )
    lists: dict[tuple[str, str | None], list[Todo]] = {}
    for todo in archived:
        lists.setdefault((todo.workspace, todo.session_id), []).append(todo)
    for (workspace, session_id), gone in lists.items():
        await writer.log(
            "todo.archived",
            journal.join_ids(todo.id for todo in gone),
            workspace=workspace,
            session_id=session_id,
            actor=SYSTEM.name,
        )
    return removed, len(archived)
