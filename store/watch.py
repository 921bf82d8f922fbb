"""Notices what other processes have committed and hands over the rows they logged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from store import changes
from store.database import Reader, Store
from store.records import Change

# Well within the 250 ms that another window may lag, and under 0.5 % of a core when idle.
INTERVAL = 0.12


class Watcher:
    """For whoever looks in a rhythm of their own, from the change `seen` on."""

    def __init__(self, store: Store, seen: int) -> None:
        self._store = store
        self._seen = seen
        self._version: int | None = None

    async def moved(self) -> bool:
        """Whether anyone else has committed since the last time."""
        before, self._version = self._version, await self._store.data_version()
        return self._version != before

    async def take(self, reader: Reader) -> tuple[Change, ...]:
        """The changes of others that were not taken yet, in order; this store's own are left out.

        In a transaction of the caller's, who may have to see things as they were with the last of them.
        """
        newest = await changes.newest(reader)
        found = await changes.foreign(reader, self._seen, newest, self._store.origin)
        self._seen = max(self._seen, newest)
        return found


async def watch(store: Store, after: int | None = None) -> AsyncGenerator[tuple[Change, ...], None]:
    """Yield the changes of others in order, in batches."""
    watcher = Watcher(store, await store.read(changes.newest) if after is None else after)
    while True:
        if await watcher.moved() and (found := await store.read(watcher.take)):
            yield found
        await asyncio.sleep(INTERVAL)
