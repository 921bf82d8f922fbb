"""How a session stands: what is stored of it, and the state that everybody is told."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from agent.events import Event, SessionStateChanged
from agent.wake import Stay, awaited
from store import sessions
from store.database import Store
from store.records import Session as SessionRecord
from store.records import SessionState

WORKING = Stay("running", "working")


class Standing:
    """`record` is what was stored when it was last read."""

    def __init__(
        self,
        store: Store,
        record: SessionRecord,
        emit: Callable[[Event], None],
        max_wakes: Callable[[], int],
    ) -> None:
        self.record = record
        self._store = store
        self._told: tuple[SessionState, str] | None = (record.state, record.reason)
        self._emit = emit
        self._max_wakes = max_wakes

    async def read(self) -> SessionRecord:
        self.record = await self._store.read(sessions.get, self.record.id)
        return self.record

    @property
    def spent(self) -> bool:
        """Whether every wake there was has been used."""
        return self.record.wakes >= self._max_wakes()

    def retell(self) -> None:
        """Something else was shown in its place: the next state is told even if it is the same."""
        self._told = None

    async def tell(self, stay: Stay) -> None:
        """Stored first; nothing is told twice."""
        if (stay.state, stay.reason) == self._told:
            return
        self._told = (stay.state, stay.reason)
        await self._store.write(sessions.set_state, self.record.id, stay.state, stay.reason)
        await self.read()
        wakes, most = self.record.wakes, self._max_wakes()
        self._emit(SessionStateChanged(stay.state, stay.reason, wakes, most, stay.resume, stay.cause))

    @asynccontextmanager
    async def waiting(self, state: SessionState) -> AsyncGenerator[None, None]:
        """The session waits for a person or another agent, and says so; cut off, it is found like that."""
        await self.tell(awaited(state))
        yield
        await self.tell(WORKING)
