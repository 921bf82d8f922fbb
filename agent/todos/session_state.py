"""Keeps the stored state of a session at rest in step with its list, whoever changes that."""

from __future__ import annotations

from collections.abc import Iterable

from agent.limits import minutes_used, tokens_used
from agent.todos.snapshot import Snapshot
from agent.wake import AT_REST, Ended, Limits, Situation, restated, work_of
from store import messages, sessions, todos
from store.clock import now
from store.database import Writer
from store.records import Session, Todo

_ENDED: dict[str | None, Ended] = {"failed": "failed", "refused": "failed", "repeating": "failed"}


async def follow(
    writer: Writer, snapshot: Snapshot, session_id: str | None, changed: Iterable[Todo], limits: Limits
) -> None:
    """After a change of the list: `snapshot` is how `session_id` sees it now, `changed` are the todos.

    A todo of the workspace also counts for the session that it is assigned to.
    """
    concerned = {todo.session_id or todo.assignee for todo in changed}
    for each in sorted(name for name in concerned if name):
        record = await sessions.find(writer, each)
        if record is None or record.state not in AT_REST:
            continue
        own = each == session_id
        known = snapshot.todos if own else await todos.visible(writer, record.workspace, record.id)
        await _restate(writer, record, known, limits)


async def _restate(writer: Writer, record: Session, known: tuple[Todo, ...], limits: Limits) -> None:
    finish = await messages.last_finish(writer, record.id)
    situation = Situation(
        known,
        work_of(known, record.id),
        limits,
        ended=_ENDED.get(finish, "well"),
        wakes=record.wakes,
        stagnant=record.stagnant,
        tokens=tokens_used(limits, record),
        cost=record.cost,
        minutes=minutes_used(record, now()),
        begun=finish is not None,
    )
    stay = restated(record, situation)
    if stay is not None:
        await sessions.set_state(writer, record.id, stay.state, stay.reason)
