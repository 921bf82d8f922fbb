"""A second window on a session that another process runs: it shows everything and can change the plan."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from agent.bus import Bus, Subscription
from agent.config.load import load
from agent.events import SessionStarted
from agent.ground import Opening
from agent.retelling import Retelling, rewound
from agent.todos.service import TodoService
from agent.todos.snapshot import Snapshot
from store import changes, lock, messages, sessions
from store.database import Reader, Store, open_store
from store.errors import MissingError
from store.frozen import frozen
from store.records import Change, Message, Session
from store.watch import Watcher

# Seconds. The running process saves what streams every tenth of one, and both together stay below a third.
_INTERVAL = 0.1


@asynccontextmanager
async def open_follower(opening: Opening, session_id: str) -> AsyncGenerator[Follower, None]:
    """For a door whose `open_session` raised SessionBusyError, which names the session."""
    async with open_store(opening.paths.database) as store:
        config = load(opening.paths, opening.environment, assignments=opening.assignments).config
        follower = Follower(store, opening.paths.locks, session_id, max_wakes=config.wake.max_cycles)
        await follower.look()
        yield follower


class Follower:
    """A door shows `messages` and `todos`, reads `subscribe()`, and lets one task of its own run `run`.

    The plan is changed through `service`, as every process may; the running one hears of it by the database.

    `messages` are the newest that had come to an end, `older` says how many were before them; what is under
    way comes as events. `owner` is the process that runs the session.
    """

    def __init__(self, store: Store, locks: Path, session_id: str, *, max_wakes: int) -> None:
        self.id = session_id
        self.store = store
        self.bus = Bus(session_id)
        self.messages: tuple[Message, ...] = ()
        self.older = 0
        self.owner: int | None = None
        self._locks = locks
        self.max_wakes = max_wakes
        self._begun: tuple[Message, ...] = ()

    @property
    def record(self) -> Session:
        return self._record

    @property
    def todos(self) -> Snapshot:
        return self.service.snapshot

    def subscribe(self, *, merged: bool = False) -> AbstractContextManager[Subscription]:
        return self.bus.subscribe(merged=merged)

    async def look(self) -> None:
        """How things stand; from here on changes are followed."""
        self._record, page, seen = await self.store.read(_first_look, self.id)
        self.owner = lock.owner(self._locks, self.id)
        self._watcher = Watcher(self.store, seen)
        self.service = TodoService(self.store, self._record.workspace, self.id, self.bus.emit)
        await self.service.current()
        self._retelling = Retelling(self._record, max_wakes=self.max_wakes)
        self._take(page)

    async def run(self) -> None:
        """Until nobody runs the session any more: whoever opens it then has it.

        Raises MissingError when it was deleted meanwhile.
        """
        record = self._record
        self.bus.emit(
            SessionStarted(record.workspace, record.agent, record.model, record.title, resumed=True)
        )
        self._tell(self._begun)
        while True:
            # In this order: what was written before the end is told before this returns.
            self.owner = lock.owner(self._locks, self.id)
            if await self._watcher.moved():
                await self._catch_up(await self.store.read(self._news))
            if self.owner is None:
                return
            await asyncio.sleep(_INTERVAL)

    def takeover(self, opening: Opening) -> Opening:
        """What to open once `run` has returned; another window may have been faster."""
        return replace(opening, resume=self.id, proceed="new")

    async def _news(self, reader: Reader) -> _News:
        """In one transaction: a state that is newer than what is told would end a turn too early."""
        found = await self._watcher.take(reader)
        mine = {change.kind: change for change in found if change.session_id == self.id}
        if "session.deleted" in mine:
            raise MissingError(f"session {self.id} was deleted; `wakeful sessions` lists what there is")
        touched = await _touched(reader, self.id, found)
        last = await messages.load(reader, self.id, limit=1)
        ending = (last[0].finish if last else None) or "done"
        return _News(found, mine.get("session.rewound"), touched, await sessions.get(reader, self.id), ending)

    async def _catch_up(self, news: _News) -> None:
        await self.service.apply_foreign(news.changes)
        if news.rewind is not None:
            await self._rewound(news.rewind)
        else:
            self._tell(news.messages, news.record.wakes)
        self._record = news.record
        for event in self._retelling.state(news.record, news.ending):
            self.bus.emit(event)

    async def _rewound(self, change: Change) -> None:
        page = await self.store.read(messages.page, self.id)
        self._retelling = Retelling(self._record, max_wakes=self.max_wakes)
        self._take(page)
        self.bus.emit(rewound(change))
        self._tell(self._begun)

    def _take(self, page: messages.Page) -> None:
        found = page.messages
        whole = found[:-1] if found and _under_way(found[-1]) else found
        self.messages, self._begun, self.older = whole, found[len(whole) :], page.older
        self._retelling.know(whole)

    def _tell(self, told: Sequence[Message], wakes: int | None = None) -> None:
        for message in told:
            for event in self._retelling.message(message, wakes):
                self.bus.emit(event)


@frozen
class _News:
    """What others committed, and how things stood right after; `ending` is that of the newest reply."""

    changes: tuple[Change, ...]
    rewind: Change | None
    messages: tuple[Message, ...]
    record: Session
    ending: str


def _under_way(message: Message) -> bool:
    return message.role == "assistant" and (
        message.finish is None or any(part.status in ("pending", "running") for part in message.parts)
    )


async def _first_look(reader: Reader, session_id: str) -> tuple[Session, messages.Page, int]:
    """In one transaction, so that nothing falls between what was read and what is followed."""
    record = await sessions.get(reader, session_id)
    return record, await messages.page(reader, session_id), await changes.newest(reader)


async def _touched(reader: Reader, session_id: str, found: Sequence[Change]) -> tuple[Message, ...]:
    """Messages of the session that the changes are about, in order."""
    found = [change for change in found if change.session_id == session_id]
    ids = {int(change.entity_id) for change in found if change.kind.startswith("message.")}
    parts = [int(change.entity_id) for change in found if change.kind.startswith("part.")]
    ids |= await messages.holding(reader, session_id, parts)
    loaded = [
        await messages.load(reader, session_id, after=each - 1, before=each + 1) for each in sorted(ids)
    ]
    return tuple(message for each in loaded for message in each)
