"""Esc at random moments of a session that would work for ever: nothing wakes it until the user acts."""

import asyncio
import random
import tempfile
from pathlib import Path

from agent.events import Event, WakeStarted
from agent.models.protocol import Request
from agent.models.scripted import Answer, Scripted, said
from agent.rounds import Outcome
from agent.session import Session
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from tests.agent.openings import stage
from tests.provider.strict import complaint

NAME = "Esc in a wake"
_PATIENCE = 60


def run(scale: float, seed: int) -> str:
    return asyncio.run(_run(max(10, round(500 * scale)), random.Random(seed)))


async def _run(count: int, rng: random.Random) -> str:
    model = Scripted(_endless)
    wakes = 0
    with tempfile.TemporaryDirectory() as folder:
        async with stage(Path(folder), model, max_wakes=10**6) as scene:
            session = scene.opened.session
            await session.agenda.service.add(USER, [Draft("start")])
            for _ in range(count):
                before, late = await _escaped(session, rng)
                wakes += before
                assert late == 0, f"{late} wakes after an interrupt"
    faults = [
        fault for request in model.requests if (fault := complaint({"messages": list(request.messages)}))
    ]
    assert not faults, f"an invalid request: {faults[0]}"
    return f"{count} interrupts in {wakes} wakes, 0 wakes after one, {len(model.requests)} requests all valid"


async def _escaped(session: Session, rng: random.Random) -> tuple[int, int]:
    """Wakes before the interrupt, and after it."""
    with session.subscribe() as events:
        await session.wake()
        working = asyncio.ensure_future(session.run(until_idle=True))
        await asyncio.sleep(rng.uniform(0, 0.15))
        await session.interrupt()
        events.push(None)
        before: list[Event] = [event async for event in events]
        outcome = await _ended(session, working)
        events.push(None)
        late: list[Event] = [event async for event in events]
    assert "held" in outcome.reason, outcome.reason
    return _wakes(before), _wakes(late)


async def _ended(session: Session, working: asyncio.Future[Outcome]) -> Outcome:
    """How it stands after the run that was interrupted and one more."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await working
            return await session.run(until_idle=True)
    except TimeoutError as error:
        raise AssertionError("it went on working after an interrupt") from error


def _wakes(events: list[Event]) -> int:
    return sum(isinstance(event, WakeStarted) for event in events)


def _endless(request: Request) -> Answer:
    """Adds an item and closes one, for ever; in this order, since an interrupt may come between them."""
    text = str(request.messages[-1].get("content"))
    ids = [int(line.split()[1][1:]) for line in text.splitlines() if line.startswith("- #")]
    if not ids:
        return said("on it")
    return said("", ("todo_add", {"title": f"after {ids[0]}"}), ("todo_complete", {"id": ids[0]}))
