"""One process that opens a session as a door does, and notes what that and using it costs.

`python -m bench.sitting HOME SESSION` prints the figures as JSON.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from agent.models.scripted import Scripted
from agent.opening import Opening, open_session
from agent.paths import Paths
from store import copies, messages, sessions
from store.database import Store, Writer, open_store
from store.records import Message, Origin, Part, Role, Usage
from store.search import search

MESSAGES = 10_000
PAGE = 50
RUNS = 7
STEPS = 25
OUTPUT = "tests/test_login.py::test_it PASSED\n" * 40


@cache
def figures() -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    """Of a session of 10,000 messages and of an empty one, measured in turn; the first of each warms up.

    Rows that look at the same figures share one run.
    """
    with TemporaryDirectory() as folder:
        places = {name: Path(folder) / name for name in ("long", "empty")}
        ids = {name: asyncio.run(filled(place, long=name == "long")) for name, place in places.items()}
        found: dict[str, list[dict[str, float]]] = {"long": [], "empty": []}
        for _ in range(RUNS + 1):
            for name, place in places.items():
                command = [sys.executable, "-m", "bench.sitting", str(place), ids[name]]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found[name].append(json.loads(done.stdout))
    return found["long"][1:], found["empty"][1:]


async def filled(home: Path, *, long: bool) -> str:
    """Beside the session stands a short one, so that a search finds as much here as there."""
    project = home / "project"
    project.mkdir(parents=True)
    async with open_store(_paths(home).database) as store:
        other = await store.write(sessions.create, str(project), agent="build", model="scripted")
        await store.write(_fill, other.id, PAGE, "needle")
        session = await store.write(sessions.create, str(project), agent="build", model="scripted")
        if long:
            await store.write(_fill, session.id, MESSAGES, "hay")
        return session.id


async def _fill(writer: Writer, session_id: str, count: int, word: str) -> None:
    first = await copies.reserve(writer, "messages", count)
    part = await copies.reserve(writer, "parts", 2 * count)
    history = [_message(session_id, first + n, part + 2 * n, word) for n in range(count)]
    await copies.add_messages(writer, session_id, history)


def _message(session_id: str, number: int, part: int, word: str) -> Message:
    role: Role = "assistant" if number % 2 else "user"
    text = f"common {word} {number} " + "some more words here. " * 20
    parts = [Part(part, number, "text", text=text, started_at=1, ended_at=1)]
    if role == "assistant":
        call = Part(part + 1, number, "tool", call_id=f"c{number}", tool="shell", status="completed")
        parts.append(replace(call, output=OUTPUT, started_at=1, ended_at=1))
    origin: Origin = "agent" if role == "assistant" else "human"
    return Message(number, session_id, role, origin, "", "", Usage(), 0.0, "stop", 1, 1, tuple(parts))


def _paths(home: Path) -> Paths:
    return Paths(home / "wakeful", home / "wakeful", home / "wakeful")


async def _sit(home: Path, session_id: str) -> dict[str, float]:
    opening = Opening(
        _paths(home), {}, home / "project", attended=False, resume=session_id, model=Scripted([])
    )
    before = time.process_time()
    async with open_session(opening) as opened:
        page = await opened.store.read(messages.page, session_id, limit=PAGE)
        spent = {"open": time.process_time() - before, "memory": _peak()}
        assert len(page.messages) == min(PAGE, len(page.messages) + page.older)
        store, workspace = opened.store, str(home / "project")
        spent["append"] = await _each(lambda: opened.session.journal.say("one more", "human"))
        spent["search, few have it"] = await _each(lambda: _found(store, "needle", workspace))
        spent["search, all have it"] = await _each(lambda: _found(store, "common", workspace))
        spent["memory afterwards"] = _peak()
    return spent


async def _found(store: Store, word: str, workspace: str) -> None:
    hits = await store.read(search, word, workspace=workspace, limit=PAGE)
    assert len(hits) == PAGE


async def _each(work: Callable[[], Awaitable[object]]) -> float:
    before = time.process_time()
    for _ in range(STEPS):
        await work()
    return (time.process_time() - before) / STEPS


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(_sit(Path(sys.argv[1]), sys.argv[2]))))
