"""Searching all sessions and going back, on the screens of the app."""

import asyncio
from pathlib import Path

from agent.models.scripted import Scripted, said
from tests.agent.openings import stage
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.screens.rewind import RewindScreen
from tui.screens.search import SearchScreen
from tui.transcript.view import Transcript

WRITE = ("write", {"path": "notes.txt", "content": "new\n"})


async def test_what_was_said_elsewhere_is_found_while_typing_and_opened_where_it_stands(tmp_path: Path):
    answers = [said("the clock is read twice"), *(said(f"filler {number}") for number in range(40))]
    async with stage(tmp_path, Scripted(answers)) as told:
        for number in range(41):
            await told.ask(f"question {number}")
    async with running(tmp_path, model=Scripted([said("mine")])) as (app, pilot):
        await type_text(pilot, "hello")
        await pilot.press("enter")
        await until(pilot, lambda: "mine" in screen_text(app))
        await type_text(pilot, "/search nothing like it")
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(app.screen, SearchScreen) and "nothing found" in screen_text(app)
        )

        await pilot.press(*["backspace"] * len("nothing like it"))
        await type_text(pilot, "clock")
        await until(pilot, lambda: "the clock is read twice" in screen_text(app))
        await until(pilot, lambda: "1 found" in screen_text(app))
        # Behind the last letter, before it was looked for.
        await pilot.press("backspace", "k", "enter")

        await until(pilot, lambda: not isinstance(app.screen, SearchScreen))
        transcript = app.query_one(Transcript)
        await until(pilot, lambda: "question 0" in screen_text(app) and transcript.has_focus)
        assert "the clock is read twice" in screen_text(app)
        assert "filler 39" not in screen_text(app)


async def test_going_back_shows_what_goes_and_what_someone_else_changed(tmp_path: Path):
    notes = tmp_path / "project" / "notes.txt"
    other = tmp_path / "project" / "other.txt"
    model = Scripted(
        [
            said("", WRITE, ("write", {"path": "other.txt", "content": "by the agent\n"})),
            said("written"),
            said("second answer"),
        ]
    )
    async with running(tmp_path, model=model, assignments=("permissions.mode=accept-edits",)) as (app, pilot):
        for text, answer in (("write it", "written"), ("and", "second answer")):
            await type_text(pilot, text)
            await pilot.press("enter")
            await until(pilot, lambda answer=answer: answer in screen_text(app))
        other.write_text("by someone else\n")
        await type_text(pilot, "/rewind")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RewindScreen))
        await pilot.press("down")
        await until(pilot, lambda: "put back   notes.txt" in screen_text(app))
        assert "other.txt: changed by someone else since" in screen_text(app)
        assert "set aside  5 messages" in screen_text(app)

        await pilot.press("tab", "tab", "tab")
        await until(pilot, lambda: "set aside" not in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: "1 file put back: notes.txt" in screen_text(app))

        assert not notes.exists()
        assert other.read_text() == "by someone else\n"
        assert "second answer" in screen_text(app)


async def test_what_was_looked_for_is_seen_however_long_the_words_in_front_of_it_are(tmp_path: Path):
    long = " ".join(letter * 40 for letter in "abcd")
    async with stage(tmp_path, Scripted([said(f"{long} needle and more")])) as told:
        await told.ask("question")
    async with running(tmp_path, size=(80, 24), model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "/search needle")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SearchScreen) and "1 found" in screen_text(app))

        assert "…" + "d" * 20 in screen_text(app)
        assert "d needle and more" in screen_text(app)


async def test_escape_twice_asks_where_to_go_back_to(tmp_path: Path):
    async with running(tmp_path, model=Scripted([said("answered")])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("escape", "escape")
        assert "esc again" not in screen_text(app)
        await type_text(pilot, "hello")
        await pilot.press("enter")
        await until(
            pilot, lambda: "answered" in screen_text(app) and app.stage and not app.stage.interruptible
        )
        await type_text(pilot, "x")
        await pilot.press("escape", "escape", "backspace")
        assert "esc again" not in screen_text(app)

        await pilot.press("escape")
        await until(pilot, lambda: "esc again goes back to an earlier message" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, RewindScreen))

        await pilot.press("escape")
        assert len(app.screen_stack) == 1


async def test_the_escape_that_holds_does_not_count(tmp_path: Path):
    never = (asyncio.Event(), *said("never"))
    async with running(tmp_path, model=Scripted([said("answered"), never])) as (app, pilot):
        await type_text(pilot, "hello")
        await pilot.press("enter")
        await until(pilot, lambda: "answered" in screen_text(app))
        await until(pilot, lambda: app.stage and not app.stage.interruptible)
        await type_text(pilot, "more")
        await pilot.press("enter")
        await until(pilot, lambda: app.stage and app.stage.status.working)

        await pilot.press("escape")
        await until(pilot, lambda: app.stage and not app.stage.interruptible)
        assert "esc again" not in screen_text(app)
        await pilot.press("escape")

        await until(pilot, lambda: "esc again goes back" in screen_text(app))
        assert len(app.screen_stack) == 1
