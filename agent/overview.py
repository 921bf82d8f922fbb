"""Sessions as a list shows them: how each stands, how far its plan is, what it cost and who has it open."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from agent.money import all_priced, known_cost
from agent.todos.lines import ratio
from agent.todos.wire import progress_json
from agent.wake import AT_REST
from store import lock, sessions, todos
from store.clock import age, format_time
from store.database import Reader, Store
from store.frozen import frozen
from store.records import Progress, Session

_TIMES = ("held_at", "activated_at", "created_at", "updated_at")


@frozen
class Overview:
    """`owner` is the process that has it open."""

    session: Session
    progress: Progress
    owner: int | None

    @property
    def priced(self) -> bool:
        """True if the price of its model is known."""
        return all_priced([self.session.model])

    @property
    def interrupted(self) -> bool:
        """It says that it is at work, and nobody is."""
        return self.owner is None and self.session.state not in AT_REST

    @property
    def state(self) -> str:
        return "interrupted" if self.interrupted else self.session.state

    @property
    def plan(self) -> str:
        return ratio(self.progress) if self.progress.total else ""

    @property
    def cost(self) -> str:
        return f"${self.session.cost:.2f}" if self.session.cost else ""

    @property
    def age(self) -> str:
        return age(self.session.updated_at)

    @property
    def title(self) -> str:
        return self.session.title or "(nothing said yet)"

    def as_json(self) -> dict[str, Any]:
        row = asdict(self.session)
        if self.interrupted:
            row |= {"state": "idle", "reason": "interrupted"}
        times = {name: None if row[name] is None else format_time(row[name]) for name in _TIMES}
        row["cost"] = known_cost(self.session.cost, priced=self.priced, used=bool(self.session.usage.total))
        return row | times | {"progress": progress_json(self.progress), "owner": self.owner}


async def overviews(
    store: Store, locks: Path, workspace: str | None, *, limit: int = 1000
) -> tuple[Overview, ...]:
    """The latest first; of one folder, or of all."""
    found, progress = await store.read(_read, workspace, limit)
    return tuple(
        Overview(each, progress.get(each.id, Progress(0, 0)), lock.owner(locks, each.id)) for each in found
    )


async def overview(store: Store, locks: Path, session_id: str) -> Overview:
    session = await store.read(sessions.get, session_id)
    progress = await store.read(todos.progress_by_session, session.workspace)
    return Overview(session, progress.get(session_id, Progress(0, 0)), lock.owner(locks, session_id))


async def _read(
    reader: Reader, workspace: str | None, limit: int
) -> tuple[tuple[Session, ...], dict[str, Progress]]:
    listed = await sessions.listed(reader, workspace, limit=limit)
    return listed, await todos.progress_by_session(reader, workspace)
