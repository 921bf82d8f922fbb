"""A second window learns of a commit within 250 ms, and waiting for one costs next to nothing."""

import asyncio
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from store import workspaces
from store.database import Store, open_store
from store.watch import watch

NAME = "watch another process"

_WRITE = """
import asyncio, sys, time
from pathlib import Path
from store import workspaces
from store.database import open_store

async def main():
    async with open_store(Path(sys.argv[1])) as store:
        for line in sys.stdin:
            await store.write(workspaces.trust, line.strip(), trusted=True)
            print(time.monotonic(), flush=True)

asyncio.run(main())
"""


def run(scale: float, seed: int) -> str:
    return asyncio.run(_run(max(3, round(40 * scale)), max(2.0, 20 * scale), random.Random(seed)))


async def _run(writes: int, idle: float, rng: random.Random) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wakeful.db"
        async with open_store(path) as store:
            await store.write(workspaces.ensure, "/project")
            lags = await _lags(path, store, writes, rng)
            share = await _idle_share(store, idle)
    worst = max(lags) * 1000
    assert worst <= 250, f"a commit was seen after {worst:.0f} ms"
    assert share <= 0.005, f"the idle watcher used {share:.2%} of a core"
    middle = sorted(lags)[len(lags) // 2] * 1000
    return f"{writes} commits seen, median {middle:.0f} ms, worst {worst:.0f} ms; idle {share:.2%} of a core"


async def _lags(path: Path, store: Store, writes: int, rng: random.Random) -> list[float]:
    lags: list[float] = []
    with subprocess.Popen(
        [sys.executable, "-c", _WRITE, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        changes = watch(store)
        for number in range(writes):
            upcoming = asyncio.ensure_future(anext(changes))
            await asyncio.sleep(rng.uniform(0.15, 0.4))
            writer.stdin.write(f"/{number}\n")
            writer.stdin.flush()
            await upcoming
            seen = time.monotonic()
            lags.append(seen - float(await asyncio.to_thread(writer.stdout.readline)))
        await changes.aclose()
        writer.stdin.close()
    return lags


async def _idle_share(store: Store, seconds: float) -> float:
    changes = watch(store)
    upcoming = asyncio.ensure_future(anext(changes))
    await asyncio.sleep(0.3)
    before = _cpu()
    await asyncio.sleep(seconds)
    share = (_cpu() - before) / seconds
    upcoming.cancel()
    await asyncio.wait([upcoming])
    await changes.aclose()
    return share


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
