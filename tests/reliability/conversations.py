"""Fuzzed streams through whole sessions over real HTTP: each ends in order, every request is valid."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from agent.context.history import to_chat
from agent.models.direct import Direct, Endpoint
from agent.models.loose import parse
from agent.opening import Opened, open_session
from store import messages
from tests.agent.openings import opening
from tests.provider.reply import Reply
from tests.provider.server import Provider, Received
from tests.provider.strict import complaint
from tests.reliability.streams import fuzzed_bytes

NAME = "fuzzed streams through whole sessions"
STREAMS = 10_000
# A broken reply is asked for again after about a second; side by side the waits cost nothing.
SIDE_BY_SIDE = 50
TURNS = 20
# Commits to a disk would be most of the time.
MEMORY = Path("/dev/shm")


def run(scale: float, seed: int) -> str:
    """Raises AssertionError, with the seed of the one stream, for a crash or a request that is not valid."""
    count = max(1, round(STREAMS * scale))
    random = Random(seed)
    seeds = [random.getrandbits(64) for _ in range(count)]
    share = -(-count // SIDE_BY_SIDE)
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        endings = asyncio.run(
            _side_by_side(Path(folder), [seeds[at : at + share] for at in range(0, count, share)])
        )
    assert endings["done"], "no fuzzed stream could be read at all"
    told = ", ".join(f"{ending} {number}" for ending, number in sorted(endings.items()))
    return f"{count} streams: 0 crashes, 0 invalid requests ({told})"


async def _side_by_side(folder: Path, shares: list[list[int]]) -> Counter[str]:
    try:
        async with asyncio.TaskGroup() as group:
            working = [
                group.create_task(_work(folder / str(number), share)) for number, share in enumerate(shares)
            ]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from errors
    return sum((task.result() for task in working), Counter[str]())


async def _work(folder: Path, seeds: list[int]) -> Counter[str]:
    """A session takes a few of them, one a turn, so that each meets what the others left behind."""
    endings: Counter[str] = Counter()
    for start in range(0, len(seeds), TURNS):
        home = folder / str(start)
        home.mkdir(parents=True)
        script = _Script()
        async with AsyncExitStack() as stack:
            provider = await stack.enter_async_context(Provider(script.answer, strict=False))
            model = Direct(Endpoint(provider.url, "fuzz", "openai/"))
            opened = await stack.enter_async_context(
                open_session(opening(home, model=model, model_name="openai/fuzzed", max_wakes=0))
            )
            for seed in seeds[start : start + TURNS]:
                endings[await _turn(opened, script, seed)] += 1
            await model.close()
    return endings


async def _turn(opened: Opened, script: _Script, seed: int) -> str:
    script.stream = fuzzed_bytes(Random(seed))
    try:
        await opened.session.send(f"stream {seed}")
        outcome = await opened.session.run(until_idle=True)
        history = await opened.store.read(messages.load, opened.session.id)
    except Exception as error:
        raise AssertionError(f"stream of seed {seed}: {error!r}") from error
    found = script.complaint or complaint({"messages": list(to_chat("system", history))})
    assert found is None, f"after the stream of seed {seed}: {found}"
    assert outcome.ending is not None
    return outcome.ending


class _Script:
    """Answers the first request of a turn with the fuzzed stream, and all others plainly."""

    def __init__(self) -> None:
        self.stream: bytes | None = None
        self.complaint: str | None = None

    def answer(self, received: Received) -> Reply:
        self.complaint = self.complaint or _found(received)
        stream, self.stream = self.stream, None
        return Reply(text="All right.") if stream is None else Reply(raw=stream)


def _found(received: Received) -> str | None:
    body = received.json
    for message in body["messages"]:
        for call in message.get("tool_calls", ()):
            try:
                readable = isinstance(parse(call["function"]["arguments"]), dict)
            except ValueError:
                readable = False
            if not readable:
                return f"arguments are no object: {call}"
    return complaint(body)
