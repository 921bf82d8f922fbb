from pathlib import Path

from agent.models.scripted import Scripted, said
from agent.opening import open_session
from tests.agent.openings import opening, stage
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.transcript.view import Transcript


async def test_a_resumed_session_shows_its_end_and_its_beginning_when_one_scrolls_up(tmp_path: Path):
    async with stage(tmp_path, Scripted([said(f"answer {number}") for number in range(80)])) as told:
        for number in range(80):
            await told.ask(f"question {number}")

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        transcript = app.query_one(Transcript)
        await until(pilot, lambda: "answer 79" in screen_text(app))
        first = len(transcript.document.slots)

        transcript.scroll_home()
        await until(pilot, lambda: len(transcript.document.slots) > first)
        for _ in range(5):
            transcript.scroll_home()
            await pilot.pause(0.05)
        await until(pilot, lambda: len(transcript.document.slots) == 160)
        transcript.scroll_home()
        await until(pilot, lambda: "question 0" in screen_text(app))

    assert first < 160


async def test_a_session_left_for_another_leaves_nothing_of_itself_on_the_screen(tmp_path: Path):
    async with stage(tmp_path, Scripted([said("the first answer")])) as told:
        await told.ask("the first question")
        first = told.opened.session.id
    async with open_session(opening(tmp_path, model=Scripted([]))):
        pass

    async with running(tmp_path, model=Scripted([said("a second answer")])) as (app, pilot):
        await pilot.press("h", "i", "enter")
        await until(pilot, lambda: "a second answer" in screen_text(app))
        app.query_one("#prompt").insert(f"/resume {first}")  # type: ignore[attr-defined]  # the prompt
        await pilot.press("enter")
        await until(pilot, lambda: "the first answer" in screen_text(app))

        assert "a second answer" not in screen_text(app)


async def test_a_resumed_session_says_again_that_all_is_done(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "survey this project")
        await pilot.press("enter")
        await until(pilot, lambda: "all done · 5/5" in screen_text(app))
        await pilot.press("ctrl+d")

    async with running(tmp_path, proceed="newest") as (app, pilot):
        await until(pilot, lambda: "✓ all done · 5/5" in screen_text(app))
        assert "dormant: nothing open · type to continue" in screen_text(app)
