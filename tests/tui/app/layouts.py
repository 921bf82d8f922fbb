"""Random changes of what the screen is divided into, and whether every part was told of its size."""

from __future__ import annotations

import asyncio
from random import Random

from textual.pilot import Pilot

from agent.tools.tool import Job
from store.records import Progress
from tests.tui.app.pilots import screen_text
from tests.tui.plan.plans import todo
from tui.app import WakefulApp
from tui.plan.work import Work
from tui.transcript.entries import AssistantText, Entry, ToolCall

WIDTHS, HEIGHTS = (40, 80, 98, 100, 120, 160), (12, 24, 40)
LONG = "Every part of the screen wraps what it shows at the width it was told last. " * 3


async def shake(app: WakefulApp, pilot: Pilot[int], random: Random, steps: int) -> None:
    """Raises AssertionError where a part is drawn for another width than it has."""
    await _settled(pilot)
    for step in range(steps):
        done = [await _change(app, pilot, random, step) for _ in range(random.randint(1, 4))]
        await _settled(pilot)
        seen, width = _seen(app), app.transcript.document.width
        assert width == app.transcript.scrollable_content_region.width, f"step {step}: {done}\n{seen}"

        # Nothing differs once everything was laid out and drawn again.
        columns, rows = app.size
        await pilot.resize_terminal(columns + 1, rows)
        await pilot.resize_terminal(columns, rows)
        await _settled(pilot)
        again = _seen(app)
        assert again == seen, f"step {step}: {done}\n{seen}\n--- laid out again\n{again}"


async def _change(app: WakefulApp, pilot: Pilot[int], random: Random, step: int) -> str:
    kind = random.choice(("toggle", "toggle", "enter", "resize", "talk", "plan", "work", "work"))
    match kind:
        case "toggle" | "enter":
            _work(app, random, step)
            await pilot.pause()
            app.action_plan() if kind == "toggle" else app.action_enter_plan()
            await _look_up(app, random)
        case "resize":
            await pilot.resize_terminal(random.choice(WIDTHS), random.choice(HEIGHTS))
        case "talk":
            call = ToolCall("Ran", "make", "completed", 1_200, LONG)
            body = random.choice((AssistantText(LONG), call))
            app.transcript.add(Entry(f"said {step} {random.random()}", body))
        case "plan":
            numbers = range(1, random.randint(1, 6))
            todos = tuple(todo(number, LONG[: random.randint(5, 150)]) for number in numbers)
            app.show_plan(todos, Progress(0, len(todos)))
        case _:
            _work(app, random, step)
    return kind


def _work(app: WakefulApp, random: Random, step: int) -> None:
    """Also while the sidebar is hidden, as jobs go on there."""
    jobs = range(1, random.randint(2, 5))
    app.panel.show_work(Work(jobs=tuple(Job(each, f"serve {step} {each}", None, 5.0) for each in jobs)))


async def _look_up(app: WakefulApp, random: Random) -> None:
    """At any moment before the next layout something wants to know where it is."""
    for _ in range(random.choice((0, 1, 2, 5, 20))):
        await asyncio.sleep(0)
    _ = random.choice((app.transcript, app.panel, app.prompt)).region


def _seen(app: WakefulApp) -> str:
    """Without the thumb of the scroll bar, which moves half a second behind what streams."""
    thumbs = dict.fromkeys(map(ord, "▁▂▃▄▅▆▇█▀"), " ")
    return "\n".join(line.rstrip() for line in screen_text(app).translate(thumbs).splitlines())


async def _settled(pilot: Pilot[int]) -> None:
    before = None
    while (now := screen_text(pilot.app)) != before:
        before = now
        await pilot.pause()
        await pilot.pause(0.01)
