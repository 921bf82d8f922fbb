"""Cancel writers at random points: each write is there whole or not at all, and nothing stays open."""

import asyncio
import random
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from store import messages, sessions
from store.database import Reader, Store, Writer, open_store
from store.records import Part

NAME = "cancel anywhere"
# Before the write begins, after each of its three steps, or by the clock, which also meets the commit.
POINTS = ("queued", "message", "one", "two", "clock")


def run(scale: float, seed: int) -> str:
    return asyncio.run(_run(max(50, round(10_000 * scale)), random.Random(seed)))


async def _run(count: int, rng: random.Random) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wakeful.db"
        async with open_store(path) as store:
            session = await store.write(sessions.create, "/project", agent="build", model="offline")
            writes = cancelled = 0
            while cancelled < count and writes < 2 * count:
                writes += 1
                cancelled += await _cancelled_write(store, session.id, rng)
            whole, parts = await store.read(_counts)
            with closing(sqlite3.connect(path, timeout=0)) as other:
                other.execute("BEGIN IMMEDIATE")
            assert (await store.write(messages.append, session.id, "user", "human")).id > whole
    assert parts == 2 * whole, f"{whole} messages with {parts} parts: a half write"
    assert cancelled == count, f"only {cancelled} of {writes} were cancelled"
    assert whole > count / 10, f"only {whole} of {writes} had begun"
    figures = f"{writes} writes, {cancelled} cancelled in flight, {whole} committed whole"
    return f"{figures}, 0 half writes, nothing open"


async def _cancelled_write(store: Store, session_id: str, rng: random.Random) -> bool:
    point = rng.choice(POINTS)
    reached = asyncio.Event()

    async def pair(writer: Writer) -> None:
        message = await messages.append(writer, session_id, "user", "human")
        _set_if(reached, point == "message")
        for words in ("one", "two"):
            await messages.add_part(writer, session_id, Part(0, message.id, "text", text=words))
            _set_if(reached, point == words)

    writing = asyncio.ensure_future(store.write(pair))
    if point == "clock":
        await asyncio.wait([writing], timeout=rng.uniform(0, 0.02))
    elif point != "queued":
        await reached.wait()
    for _ in range(rng.randrange(10)):
        await asyncio.sleep(0)
    writing.cancel()
    await asyncio.wait([writing])
    return writing.cancelled()


def _set_if(event: asyncio.Event, met: bool) -> None:
    if met:
        event.set()


async def _counts(reader: Reader) -> tuple[int, int]:
    row = await reader.one("SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM parts)")
    assert row is not None
    return row[0], row[1]
