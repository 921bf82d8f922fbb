"""Removes what no session can go back to any more: contents without a step, copies of dead processes."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from agent.paths import Paths
from agent.rewind.blobs import Blobs
from store import lock, rewinds
from store.database import Store

LIVE = "live"
_DAY = 24 * 60 * 60
_MARK = "swept"


async def sweep(store: Store, paths: Paths, *, at_once: bool = False) -> int:
    """Once a day is enough, unless something was just deleted; says how many contents went."""
    if not at_once and not await asyncio.to_thread(_due, paths.snapshots):
        return 0
    used = await store.read(rewinds.digests)
    return await asyncio.to_thread(_sweep, paths, used)


def _due(folder: Path) -> bool:
    try:
        return time.time() - (folder / _MARK).stat().st_mtime > _DAY
    except FileNotFoundError:
        return folder.is_dir()


def _sweep(paths: Paths, used: Collection[str]) -> int:
    folder = paths.snapshots
    if not folder.is_dir():
        return 0
    with suppress(FileNotFoundError):
        for copies in (folder / LIVE).iterdir():
            if lock.owner(paths.locks, copies.name) is None:
                shutil.rmtree(copies, ignore_errors=True)
    removed = Blobs(folder, 0).sweep(used)
    (folder / _MARK).touch(mode=0o600)
    return removed
