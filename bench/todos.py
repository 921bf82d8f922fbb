"""One change in a list of 10,000 todos: transaction, log, the new list and its event."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from agent.events import TodoUpdated
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.service import TodoService
from bench.row import Row
from store import sessions
from store.database import open_store

NAME = "change among 10,000 todos"
BUDGET = 10.0
ROUNDS = 20
AGENT = Actor("agent:build")


def measure() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        kinds = asyncio.run(_measure(Path(folder) / "wakeful.db"))
    middle = {name: sorted(times) for name, times in kinds.items()}
    slowest = max(middle, key=lambda name: median(middle[name]))
    times = middle[slowest]
    figures = ", ".join(f"{name} {median(each):.1f}" for name, each in middle.items())
    return Row(median(times), "ms CPU", BUDGET, (times[ROUNDS // 4], times[-1 - ROUNDS // 4]), figures)


async def _measure(path: Path) -> dict[str, list[float]]:
    async with open_store(path) as store:
        session = await store.write(sessions.create, "/project", agent="build", model="offline")
        events: list[TodoUpdated] = []
        service = TodoService(store, "/project", session.id, events.append)
        added = await service.add(USER, [Draft(f"step {number} of the plan") for number in range(10_000)])
        ids = [todo.id for todo in added.todos]
        work: dict[str, Callable[[int], Awaitable[object]]] = {
            "add": lambda _: service.add(USER, [Draft("one more")]),
            "start": lambda turn: service.update(AGENT, [Edit(ids[turn], status="in_progress")]),
            "complete": lambda turn: service.complete(AGENT, [ids[turn]]),
            "move": lambda turn: service.move(USER, ids[5000 + turn], "top"),
            "delete": lambda turn: service.delete(USER, [ids[9000 + turn]]),
            "undo": lambda _: service.undo(USER),
        }
        return {name: [await _spent(change, turn) for turn in range(ROUNDS)] for name, change in work.items()}


async def _spent(change: Callable[[int], Awaitable[object]], turn: int) -> float:
    before = time.process_time()
    await change(turn)
    return (time.process_time() - before) * 1000
