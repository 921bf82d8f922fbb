"""Enter on the empty prompt after a failure."""

import time
from pathlib import Path

from agent.models.protocol import AuthError, RateLimitError
from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until

QUOTA = RateLimitError("the quota for M is used up (x); check your billing", final=True)


async def test_enter_runs_the_failed_turn_again_but_not_right_after_an_interrupt(tmp_path: Path):
    model = Scripted([(QUOTA,), said("here you are")])
    async with running(tmp_path, model=model) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "hello")
        await pilot.press("enter")
        await until(pilot, lambda: "Enter or /wake to try again" in screen_text(app))
        assert app.stage
        app.stage.interrupted_at = time.monotonic() + 1_000
        await pilot.press("enter")
        await pilot.pause()
        asked = len(model.requests)
        app.stage.interrupted_at = float("-inf")
        await pilot.press("enter")
        await until(pilot, lambda: "here you are" in screen_text(app))

        assert asked == 1
        assert len(model.requests) == 2
        assert screen_text(app).count("hello") == 2  # the title and the message
        assert "the quota for M is used up (x)" in screen_text(app)


async def test_after_a_restart_the_failure_stands_below_the_message(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(AuthError("no key for x; set X_API_KEY"),)])) as (
        app,
        pilot,
    ):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "hello")
        await pilot.press("enter")
        await until(pilot, lambda: "no key for x" in screen_text(app))

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "Enter or /wake to try again" in screen_text(app))

        rows = [row.strip() for row in screen_text(app).splitlines() if row.strip()]
        at = rows.index("▌ no key for x")
        assert rows[at + 1].startswith("▌ set X_API_KEY")
