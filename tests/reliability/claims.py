"""Two processes awake on one workspace list: every todo is claimed by one of them, once."""

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

from agent.events import TodoUpdated
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from agent.todos.service import TodoService
from store import sessions
from store.database import open_store

NAME = "two processes claim one list"


def run(scale: float, seed: int) -> str:
    count = max(20, round(1000 * scale))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wakeful.db"
        owners = asyncio.run(prepare(path, count))
        workers = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.reliability.claimer", str(path), owner],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for owner in owners
        ]
        for worker in workers:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        outputs = [worker.communicate() for worker in workers]
        faults = [error.strip().splitlines()[-1] for _, error in outputs if error]
        assert not faults, f"a process failed: {faults[0]}"
        left = asyncio.run(remaining(path))
    claims = [[int(line) for line in out.split() if int(line) > 0] for out, _ in outputs]
    refused = sum(int(line) < 0 for out, _ in outputs for line in out.split())
    taken = sorted(each for mine in claims for each in mine)
    assert len(set(taken)) == len(taken), f"{len(taken) - len(set(taken))} todos were claimed twice"
    assert (len(taken), left) == (count, 0), f"{len(taken)} of {count} were claimed, {left} are left"
    assert refused, "the two never wanted the same todo at once"
    shares = f"{len(claims[0])} by one and {len(claims[1])} by the other"
    return f"{count} todos claimed once each, {shares}, {refused} claims came too late"


async def prepare(path: Path, count: int) -> list[str]:
    published: list[TodoUpdated] = []
    async with open_store(path) as store:
        first = await store.write(sessions.create, "/project", agent="build", model="offline")
        second = await store.write(sessions.create, "/project", agent="build", model="offline")
        pool = TodoService(store, "/project", None, published.append)
        await pool.add(USER, [Draft(f"step {number}") for number in range(count)])
    return [first.id, second.id]


async def remaining(path: Path) -> int:
    published: list[TodoUpdated] = []
    async with open_store(path) as store:
        return len((await TodoService(store, "/project", None, published.append).current()).open)
