"""Output of a running tool call, bounded and stored while it runs, so that an interrupt does not lose it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from agent.journal import Journal
from agent.tools.limits import RESULT, bounded
from store.clock import Millis
from store.errors import StoreError
from store.records import Part

# Seconds between two writes: each is a commit, and a kill may lose what came since the last.
_SAVE_EVERY = 0.5


class PartialOutput:
    """The beginning and the end of everything that was added."""

    def __init__(self, limit: int = RESULT) -> None:
        self.changed = asyncio.Event()
        self._half = limit // 2
        self._head = ""
        self._tail = ""
        self._dropped = 0

    def add(self, text: str) -> None:
        room = max(0, self._half - len(self._head))
        self._head += text[:room]
        self._tail += text[room:]
        if len(self._tail) > 2 * self._half:
            # Cut seldom: a flood comes in many pieces.
            self._dropped += len(self._tail) - self._half
            self._tail = self._tail[-self._half :]
        self.changed.set()

    @property
    def text(self) -> str:
        beyond = max(0, len(self._tail) - self._half)
        dropped = self._dropped + beyond
        if not dropped:
            return bounded(self._head + self._tail)
        return bounded(f"{self._head}\n[... {dropped} characters left out ...]\n{self._tail[beyond:]}")


@asynccontextmanager
async def saving(
    journal: Journal, part: Part, partial: PartialOutput, started_at: Millis
) -> AsyncGenerator[None, None]:
    """Store the output so far, at intervals, while the call runs."""
    task = asyncio.create_task(_save(journal, part, partial, started_at), name="save partial output")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _save(journal: Journal, part: Part, partial: PartialOutput, started_at: Millis) -> None:
    # Whoever ends the call meets the same fault and tells of it.
    with suppress(StoreError):
        while True:
            await partial.changed.wait()
            await asyncio.sleep(_SAVE_EVERY)
            partial.changed.clear()
            await journal.update_call(part, "running", partial.text, started_at=started_at)
