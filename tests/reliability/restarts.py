"""kill -9 while the agent wakes and works, then start again: nothing is lost or run twice."""

import asyncio
import json
import random
import signal
import sys
import tempfile
from asyncio.subprocess import Process
from pathlib import Path

from store import messages, sessions, todos
from store.database import open_store
from tests.agent.openings import opening
from tests.provider.reply import Call, Reply
from tests.provider.server import Provider, Received

NAME = "kill -9 in a wake"

_ITEMS = 12
# Far more than the job takes when most attempts get a step further.
_ATTEMPTS = 100
_WAKEFUL = str(Path(sys.executable).with_name("wakeful"))


def run(scale: float, seed: int) -> str:
    return asyncio.run(_run(max(2, round(20 * scale)), random.Random(seed)))


async def _run(rounds: int, rng: random.Random) -> str:
    kills = 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            kills += await _worked_through(Path(folder), rng)
    figures = f"{rounds} jobs of {_ITEMS} items killed {kills} times"
    return f"{figures}, 0 items lost, every item done once, every wake counted"


async def _worked_through(folder: Path, rng: random.Random) -> int:
    """Kill the run again and again until the job is done; every item appends its id to a file once."""
    base = opening(folder)
    kills = 0
    async with Provider(_worker) as provider:
        environment = {**base.environment, "OPENAI_BASE_URL": provider.url, "OPENAI_API_KEY": "x"}
        for attempt in range(_ATTEMPTS):
            words = ("go on", "-c") if attempt else ("work",)
            process = await asyncio.create_subprocess_exec(
                _WAKEFUL, "run", "-m", "openai/x", "--auto", "--max-wakes", "50", *words,
                cwd=base.root,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            if await _killed(process, provider, rng):
                kills += 1
                await _check_budget(base.paths.database)
            elif process.returncode == 0:
                break
    await _check(base.paths.database, str(base.root.resolve()))
    return kills


async def _killed(process: Process, provider: Provider, rng: random.Random) -> bool:
    ended, moment = asyncio.ensure_future(process.wait()), asyncio.ensure_future(_moment(provider, rng))
    await asyncio.wait([ended, moment], return_when=asyncio.FIRST_COMPLETED)
    moment.cancel()
    await asyncio.wait([moment])
    if ended.done():
        return False
    process.send_signal(signal.SIGKILL)
    await ended
    return True


async def _moment(provider: Provider, rng: random.Random) -> None:
    """Mostly by what was asked of the model, which moves on however slow the machine is."""
    if rng.random() < 0.2:
        await asyncio.sleep(rng.uniform(0, 1.6))
        return
    await provider.request(len(provider.requests) + rng.randrange(4))
    await asyncio.sleep(rng.uniform(0, 0.3))


async def _check_budget(database: Path) -> None:
    """A wake is counted before it happens: as many are stored as were said, or one more."""
    if not database.exists():
        return
    async with open_store(database) as store:
        for record in await store.read(sessions.listed, None):
            history = await store.read(messages.load, record.id)
            since = record.activated_at or 0
            said = sum(message.origin == "wake" and message.created_at >= since for message in history)
            assert 0 <= record.wakes - said <= 1, f"{said} wakes happened and {record.wakes} are counted"


async def _check(database: Path, workspace: str) -> None:
    async with open_store(database) as store:
        (record,) = await store.read(sessions.listed, None)
        found = await store.read(todos.visible, workspace, record.id)
        history = await store.read(messages.load, record.id)
    assert [todo.title for todo in found] == [f"item {n}" for n in range(_ITEMS)], "todos lost or doubled"
    assert {todo.status for todo in found} == {"completed"}, "an item was left open"
    completions = [
        part.input
        for message in history
        for part in message.parts
        if part.tool == "todo_complete" and part.status == "completed"
    ]
    assert len(completions) == len(set(completions)), f"an item was completed twice: {completions}"


def _worker(received: Received) -> Reply:
    """Plans once, then completes one open item a turn, and stops, so that only a wake goes on."""
    conversation = received.json["messages"]
    # A plan whose call was cut off is on the list or it is not; only what it was told since says which.
    if not any("#1 " in str(message.get("content")) for message in conversation[1:]):
        items = [{"title": f"item {n}"} for n in range(_ITEMS)]
        return Reply(calls=(Call("todo_add", json.dumps({"items": items})),))
    last = conversation[-1]
    if last["role"] == "tool":
        return Reply(text="One more is done.")
    ids = [line.split()[1][1:] for line in str(last["content"]).splitlines() if line.startswith("- #")]
    if not ids:
        return Reply(text="Nothing is left.")
    return Reply(calls=(Call("todo_complete", json.dumps({"id": int(ids[0])})),))
