"""A second window shows what the first one says within 300 ms, and has the session a second after it died."""

import asyncio
import contextlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from pathlib import Path

from agent.events import TextDelta
from agent.following import Follower, open_follower
from agent.models.protocol import Chunk, Request, Text
from tests.agent.openings import opening, stage

NAME = "two windows"
MODULE = "tests.reliability.windows"
PACE = 0.03


def run(scale: float, seed: int) -> str:
    del seed
    words = max(5, round(100 * scale))
    deaths = max(1, round(10 * scale))
    lags: list[float] = []
    frees: list[float] = []
    for _ in range(deaths):
        with tempfile.TemporaryDirectory() as folder:
            some, free = asyncio.run(_follow(Path(folder), -(-words // deaths)))
            lags += some
            frees.append(free)
    middle, worst = sorted(lags)[len(lags) // 2] * 1000, max(lags) * 1000
    slowest = max(frees)
    assert worst <= 300, f"a word was seen after {worst:.0f} ms"
    assert slowest <= 1, f"the session was free {slowest:.1f} s after its owner was killed"
    return (
        f"{len(lags)} words seen, median {middle:.0f} ms, worst {worst:.0f} ms;"
        f" {deaths} kills, free after {slowest * 1000:.0f} ms at most"
    )


async def _follow(folder: Path, words: int) -> tuple[list[float], float]:
    owner = subprocess.Popen([sys.executable, "-m", MODULE, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert owner.stdout is not None
        session_id = (await asyncio.to_thread(owner.stdout.readline)).strip()
        async with open_follower(opening(folder), session_id) as follower:
            running = asyncio.create_task(follower.run())
            assert follower.owner == owner.pid
            lags = await _lags(follower, words)
            owner.send_signal(signal.SIGKILL)
            killed = time.monotonic()
            await running
            return lags, time.monotonic() - killed
    finally:
        owner.kill()
        owner.wait()
        if owner.stdout:
            owner.stdout.close()


async def _lags(follower: Follower, words: int) -> list[float]:
    lags: list[float] = []
    opened = time.monotonic()
    with follower.subscribe() as events:
        async for event in events:
            if isinstance(event, TextDelta):
                arrived = time.monotonic()
                # What was said before this window opened could not be seen earlier.
                lags += [arrived - float(word) for word in event.text.split() if float(word) > opened]
            if len(lags) >= words:
                break
    return lags


class Talker:
    """Says what time it is, for as long as anybody listens."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        del request
        while True:
            yield Text(f"{time.monotonic()} ")
            await asyncio.sleep(PACE)

    async def close(self) -> None:
        pass


async def _own(folder: Path) -> None:
    async with stage(folder, Talker()) as scene:  # type: ignore[arg-type]  # any model will do
        print(scene.opened.session.id, flush=True)
        await scene.ask("talk")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_own(Path(sys.argv[1])))
