from contextlib import AsyncExitStack
from pathlib import Path

from agent.models.scripted import Scripted, said
from tests.agent.openings import stage
from tests.tui.app.pilots import running, screen_text, until


async def test_a_second_window_follows_and_takes_over_when_the_first_ends(tmp_path: Path):
    second = Scripted([said("three")])
    async with AsyncExitStack() as window:
        told = await window.enter_async_context(stage(tmp_path, Scripted([said("one"), said("two")])))
        await told.ask("count")
        async with running(tmp_path, model=second, proceed="newest") as (app, pilot):
            await until(pilot, lambda: "following, read-only" in screen_text(app))
            await told.ask("go on")
            await until(pilot, lambda: "two" in screen_text(app))
            await pilot.press("h", "i", "enter")

            await window.aclose()
            await until(pilot, lambda: "three" in screen_text(app))

    assert "hi" in str(second.requests[-1].messages)


async def test_a_rewind_takes_from_the_screen_what_was_set_aside(tmp_path: Path):
    model = Scripted([said("first answer"), said("second answer")])
    async with running(tmp_path, model=model) as (app, pilot):
        for text, answer in (("a", "first answer"), ("b", "second answer")):
            await pilot.press(text, "enter")
            await until(pilot, lambda answer=answer: answer in screen_text(app))
        assert app.stage is not None

        points = [each.text for each in await app.stage.offers("/rewind ") if each.text.isdigit()]
        app.stage.submit(f"/rewind {max(points, key=int)} conversation")
        await until(pilot, lambda: "second answer" not in screen_text(app))
        await until(pilot, lambda: "first answer" in screen_text(app))
