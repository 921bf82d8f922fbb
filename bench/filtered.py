"""A filtered list out of 10,000 todos, as the commands select it and as a model reads it."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from agent.todos.actors import USER, Actor
from agent.todos.context import TodoContext
from agent.todos.dialects.standard import todo_list
from agent.todos.drafts import Draft
from agent.todos.filters import parse_filter
from agent.todos.rules import PRIORITIES, STATUSES
from agent.todos.selection import select
from agent.todos.service import TodoService
from bench.row import Row
from store import artifacts, sessions
from store.database import open_store

NAME = "filtered list of 10,000 todos"
BUDGET = 30.0
ROUNDS = 20


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
        plan = await store.write(
            artifacts.create, "/project", session.id, title="Plan", kind="plan", content="", actor="user"
        )
        service = TodoService(store, "/project", session.id, lambda _: None)
        await service.add(USER, [_draft(number, plan.id) for number in range(10_000)])
        context = TodoContext(service, Actor("agent:build"))
        work: dict[str, Callable[[], Awaitable[object]]] = {
            filter_: _selecting(service, filter_)
            for filter_ in ("open", "blocked high", "@plan", "all step 99")
        }
        work["todo_list"] = lambda: todo_list(context, status="open")
        return {name: [await _spent(look) for _ in range(ROUNDS)] for name, look in work.items()}


def _draft(number: int, artifact_id: int) -> Draft:
    status = STATUSES[number % len(STATUSES)]
    return Draft(
        f"step {number} of the plan",
        notes="what is to be known about it\n" * 3,
        status=status,
        blocked_reason="waits" if status == "blocked" else None,
        priority=PRIORITIES[number % len(PRIORITIES)],
        artifact_id=artifact_id if number % 2 else None,
    )


def _selecting(service: TodoService, filter_: str) -> Callable[[], Awaitable[object]]:
    return lambda: select(service, parse_filter(filter_))


async def _spent(look: Callable[[], Awaitable[object]]) -> float:
    before = time.process_time()
    await look()
    return (time.process_time() - before) * 1000
