"""Cancel writers at random awaits: each write is there whole or not at all, and nothing stays open."""

import asyncio
import random
import tempfile
from pathlib import Path

from store import messages, sessions
from store.database import Reader, Writer, open_store
from store.records import Part

NAME = "cancel anywhere"


def run(scale: float, seed: int) -> str:
    return asyncio.run(_run(max(50, round(10_000 * scale)), random.Random(seed)))


async def _run(count: int, rng: random.Random) -> str:
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / "wakeful.db") as store:
            session = await store.write(sessions.create, "/project", agent="build", model="offline")

            async def pair(writer: Writer) -> None:
                message = await messages.append(writer, session.id, "user", "human")
                for words in ("one", "two"):
                    await messages.add_part(writer, session.id, Part(0, message.id, "text", text=words))

            cancelled = 0
            for _ in range(count):
                writing = asyncio.ensure_future(store.write(pair))
                for _ in range(rng.randrange(30)):
                    await asyncio.sleep(0)
                writing.cancel()
                await asyncio.wait([writing])
                cancelled += writing.cancelled()
            whole, parts = await store.read(_counts)
            fresh = await store.write(messages.append, session.id, "user", "human")
            assert fresh.id, "the store no longer takes writes"
    assert parts == 2 * whole, f"{whole} messages with {parts} parts: a half write"
    assert cancelled, "nothing was cancelled"
    return f"{count} writes, {cancelled} cancelled, {whole} committed whole, 0 half writes, nothing open"


async def _counts(reader: Reader) -> tuple[int, int]:
    row = await reader.one("SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM parts)")
    assert row is not None
    return row[0], row[1]
