"""kill -9 while the agent wakes and works, then start again: nothing is lost or run twice."""

import asyncio
import json
import random
import signal
import sys
import tempfile
from pathlib import Path

from store import messages, sessions, todos
from store.database import open_store
from tests.agent.openings import opening
from tests.provider.reply import Call, Reply
from tests.provider.server import Provider, Received

NAME = "kill -9 in a wake"

_ITEMS = 12
_WAKEFUL = str(Path(sys.executable).with_name("wakeful"))


def run(scale: float, seed: int) -> str:
    return asyncio.run(_run(max(2, round(20 * scale)), random.Random(seed)))


async def _run(rounds: int, rng: random.Random) -> str:
    kills = 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            kills += await _worked_through(Path(folder), rng)
    return f"{rounds} jobs of {_ITEMS} items killed {kills} times, 0 items lost, every item done once"


async def _worked_through(folder: Path, rng: random.Random) -> int:
    """Kill the run again and again until the job is done; every item appends its id to a file once."""
    base = opening(folder)
    kills = 0
    async with Provider(_worker) as provider:
        environment = {**base.environment, "OPENAI_BASE_URL": provider.url, "OPENAI_API_KEY": "x"}
        for attempt in range(40):
            words = ("go on", "-c") if attempt else ("work",)
            process = await asyncio.create_subprocess_exec(
                _WAKEFUL, "run", "-m", "openai/x", "--auto", "--max-wakes", "50", *words,
                cwd=base.root,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            try:
                async with asyncio.timeout(rng.uniform(0.4, 1.6)):
                    await process.wait()
            except TimeoutError:
                process.send_signal(signal.SIGKILL)
                await process.wait()
                kills += 1
            else:
                if process.returncode == 0:
                    break
    await _check(base.paths.database, str(base.root.resolve()))
    return kills


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
    if not any("todo_add" in json.dumps(message.get("tool_calls", "")) for message in conversation):
        items = [{"title": f"item {n}"} for n in range(_ITEMS)]
        return Reply(calls=(Call("todo_add", json.dumps({"items": items})),))
    last = conversation[-1]
    if last["role"] == "tool":
        return Reply(text="One more is done.")
    ids = [line.split()[1][1:] for line in str(last["content"]).splitlines() if line.startswith("- #")]
    if not ids:
        return Reply(text="Nothing is left.")
    return Reply(calls=(Call("todo_complete", json.dumps({"id": int(ids[0])})),))
