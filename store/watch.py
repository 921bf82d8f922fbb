"""Notices what other processes have committed and hands over the rows they logged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from store import changes
from store.database import Store
from store.records import Change

# Well within the 250 ms that another window may lag, and under 0.5 % of a core when idle.
INTERVAL = 0.12


async def watch(store: Store, after: int | None = None) -> AsyncGenerator[tuple[Change, ...], None]:
    """Yield the changes of others in order, in batches; this store's own are left out."""
    seen = await store.read(changes.newest) if after is None else after
    version: int | None = None
    while True:
        current = await store.data_version()
        if current != version:
            version = current
            newest = await store.read(changes.newest)
            found = await store.read(changes.foreign, seen, newest, store.origin)
            seen = max(seen, newest)
            if found:
                yield found
        await asyncio.sleep(INTERVAL)
