"""kill -9 at named points of the code: nothing told is lost, nothing runs twice, history stays valid."""

import asyncio
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from store import messages, sessions, todos
from store.database import open_store
from tests.agent.openings import opening
from tests.reliability.mortal import FUNCTIONS, ITEMS, RECOVERY, points

NAME = "kill -9 at named points"

_TIMES = 5
# A start after this one has something to close.
_TORN = "before agent.tools.registry:call"


@dataclass
class Told:
    """What a process said before it ended."""

    killed: bool
    messages: set[int] = field(default_factory=set[int])
    calls: set[int] = field(default_factory=set[int])
    notices: list[str] = field(default_factory=list[str])
    passed: dict[str, int] = field(default_factory=dict[str, int])


def run(scale: float, seed: int) -> str:
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        usual = _lived(Path(folder)).passed
    named = [*points(FUNCTIONS), *points(RECOVERY)]
    chosen = rng.sample(named, min(len(named), max(2, round(len(named) * scale))))
    kills = [point for point in chosen for _ in range(max(1, round(_TIMES * scale)))]
    acknowledged = 0
    for point in kills:
        nth = rng.randint(1, usual.get(point, 1))
        with tempfile.TemporaryDirectory() as folder:
            try:
                acknowledged += _killed(Path(folder), point, nth)
            except AssertionError as error:
                raise AssertionError(f"{point}, time {nth}: {error}") from error
    return (
        f"{len(kills)} kills at {len(chosen)} of {len(named)} points, "
        f"{acknowledged} acknowledged messages and calls, 0 lost, 0 calls run twice, every request valid"
    )


def _killed(folder: Path, point: str, nth: int) -> int:
    """Kill once, or in the recovery from another kill, then let the job end; returns how much was told."""
    told: list[Told] = []
    if point.partition(" ")[2] in RECOVERY:
        told.append(_lived(folder, _TORN, 2))
        assert told[-1].killed, f"{_TORN} was not reached"
    told.append(_lived(folder, point, nth))
    assert told[-1].killed, "the point was not reached"
    cut = asyncio.run(_cut(folder))
    told.append(_lived(folder))
    assert not told[-1].killed, "the next start did not end by itself"
    said = any("interrupted" in line or "not answered" in line for line in told[-1].notices)
    assert said or not cut, f"the next start did not say what was interrupted: {told[-1].notices}"
    asyncio.run(_check(folder, told))
    return sum(len(each.messages) + len(each.calls) for each in told)


def _lived(folder: Path, point: str = "-", nth: int = 0) -> Told:
    command = [sys.executable, "-m", "tests.reliability.mortal", str(folder), point, str(nth)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr[-2000:]
    told = Told(done.returncode != 0)
    for line in done.stdout.splitlines():
        kind, _, rest = line.partition(" ")
        match kind:
            case "message":
                told.messages.add(int(rest))
            case "call":
                told.calls.add(int(rest))
            case "notice":
                told.notices.append(rest)
            case _:
                told.passed = json.loads(rest)
    return told


async def _cut(folder: Path) -> bool:
    """Whether the kill met a turn, going by what is stored."""
    base = opening(folder)
    async with open_store(base.paths.database) as store:
        found = await store.read(sessions.newest, str(base.root.resolve()))
        if found is None:
            return False
        unfinished = await store.read(messages.unfinished, found.id)
        return bool(unfinished) or found.state == "running"


async def _check(folder: Path, told: list[Told]) -> None:
    base = opening(folder)
    workspace = str(base.root.resolve())
    async with open_store(base.paths.database) as store:
        (record,) = await store.read(sessions.listed, workspace)
        history = await store.read(messages.load, record.id)
        plan = await store.read(todos.visible, workspace, record.id)
    with closing(sqlite3.connect(base.paths.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), "integrity"
        assert not connection.execute("PRAGMA foreign_key_check").fetchall(), "a dangling reference"
    parts = {part.id: part for message in history for part in message.parts}
    lost = {each for said in told for each in said.messages} - {message.id for message in history}
    assert not lost, f"acknowledged messages lost: {lost}"
    undone = [each for said in told for each in said.calls if parts[each].status != "completed"]
    assert not undone, f"acknowledged calls lost: {undone}"
    still = [
        part for part in parts.values() if part.ended_at is None or part.status in ("pending", "running")
    ]
    assert not still, f"parts left open: {still}"
    numbers = (base.root / "runs.txt").read_text().split()
    assert len(numbers) == len(set(numbers)), f"a call ran twice: {numbers}"
    assert sorted(todo.title for todo in plan) == sorted(ITEMS), "todos lost or doubled"
    assert {todo.status for todo in plan} == {"completed"}, "an item was left open"
