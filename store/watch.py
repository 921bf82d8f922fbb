"""Notices what other processes have committed and hands over the rows they logged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from store import changes
from store.database import Store
from store.records import Change

# Well within the 250 ms that another window may lag, and under 0.5 % of a core when idle.
INTERVAL = 0.12


class Watcher:
    """For whoever looks in a rhythm of their own; `seen` is the newest change that was handed over."""

    def __init__(self, store: Store, seen: int) -> None:
        self._store = store
        self._seen = seen
        self._version: int | None = None

    async def news(self) -> tuple[Change, ...]:
        """The changes of others since the last time, in order; this store's own are left out."""
        current = await self._store.data_version()
        if current == self._version:
            return ()
        self._version = current
        newest = await self._store.read(changes.newest)
        found = await self._store.read(changes.foreign, self._seen, newest, self._store.origin)
        self._seen = max(self._seen, newest)
        return found


async def watch(store: Store, after: int | None = None) -> AsyncGenerator[tuple[Change, ...], None]:
    """Yield the changes of others in order, in batches."""
    watcher = Watcher(store, await store.read(changes.newest) if after is None else after)
    while True:
        if found := await watcher.news():
            yield found
        await asyncio.sleep(INTERVAL)
