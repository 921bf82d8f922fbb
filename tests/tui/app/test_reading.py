"""Going through the conversation by keyboard."""

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.selection import SELECT_ALL

from agent.models.scripted import Scripted, said
from tests.agent.openings import stage
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp
from tui.transcript.view import Transcript
from tui.widgets.prompt import Prompt
from tui.widgets.search import SearchBar


async def talked(tmp_path: Path, count: int) -> None:
    """A session with so many exchanges; every tenth answer has a needle."""
    answers = [f"answer {n}{' with a needle' if n % 10 == 0 else ''}" for n in range(count)]
    async with stage(tmp_path, Scripted([said(each) for each in answers])) as told:
        for number in range(count):
            await told.ask(f"question {number}")


async def test_a_search_finds_what_was_never_loaded_and_steps_from_the_end_upwards(tmp_path: Path):
    await talked(tmp_path, 80)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 79" in screen_text(app))

        async def found_at(number: int) -> None:
            await until(pilot, lambda: f"{number} of 8" in screen_text(app))

        await pilot.press("ctrl+f")
        await type_text(pilot, "needle")
        # A slow machine looks for the first letters already, and the next enter for all of them.
        await until(pilot, lambda: not app.search_bar.pausing)
        await found_at(8)
        assert "answer 70 with a needle" in screen_text(app)

        for left in range(7, 0, -1):
            await pilot.press("enter")
            await found_at(left)
        assert "answer 0 with a needle" in screen_text(app)
        await pilot.press("down")
        await until(pilot, lambda: "2 of 8" in screen_text(app))

        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.focused, Prompt))
        assert not app.query_one(SearchBar).display


async def test_history_that_comes_while_one_searches_takes_nobody_away_from_a_hit(tmp_path: Path):
    await talked(tmp_path, 80)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 79" in screen_text(app))
        await pilot.press("ctrl+f")
        await type_text(pilot, "needle")
        await until(pilot, lambda: "8 of 8" in screen_text(app))
        await until(pilot, lambda: not app.search_bar.pausing)
        await pilot.press("enter")
        await until(pilot, lambda: "7 of 8" in screen_text(app))

        # It loads what is left, which is nothing by now, and searches again.
        await pilot.press("ctrl+f")
        for _ in range(20):
            await pilot.pause()

        assert "7 of 8" in screen_text(app)


async def test_what_the_mouse_marks_is_copied(tmp_path: Path):
    await talked(tmp_path, 1)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 0" in screen_text(app))
        row = screen_text(app).split("\n").index("  answer 0 with a needle")
        row -= app.transcript.region.y
        await pilot.mouse_down(app.transcript, offset=(2, row))
        await pilot.hover(app.transcript, offset=(9, row))
        await pilot.mouse_up(app.transcript, offset=(9, row))
        await until(pilot, lambda: "copied 1 line" in screen_text(app))

        assert app.clipboard == "answer 0"


async def test_what_is_typed_after_a_click_goes_whole_into_the_prompt(tmp_path: Path):
    await talked(tmp_path, 1)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 0" in screen_text(app))
        await pilot.press("alt+t")
        await pilot.click(app.transcript, offset=(5, 3))

        await type_text(pilot, "yes please")

        assert app.prompt.text == "yes please"


async def test_the_key_that_stops_copies_what_is_marked_instead(tmp_path: Path):
    await talked(tmp_path, 1)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 0" in screen_text(app))
        await type_text(pilot, "a draft")
        app.screen.selections = {app.transcript: SELECT_ALL}

        await pilot.press("ctrl+c")

        assert app.clipboard == "question 0\n\nanswer 0 with a needle"
        assert not app.screen.selections
        assert app.prompt.text == "a draft"


async def test_saying_something_goes_to_the_end_where_the_answer_comes(tmp_path: Path):
    await talked(tmp_path, 40)

    async with running(tmp_path, model=Scripted([said("here it is")]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 39" in screen_text(app))
        await pilot.press("ctrl+home")
        await until(pilot, lambda: "answer 39" not in screen_text(app))

        await type_text(pilot, "and now?")
        await pilot.press("enter")

        await until(pilot, lambda: "here it is" in screen_text(app))


async def test_what_is_not_there_is_said(tmp_path: Path):
    await talked(tmp_path, 1)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 0" in screen_text(app))
        await pilot.press("ctrl+f", "z", "z", "z")

        await until(pilot, lambda: "not found" in screen_text(app))


async def test_a_block_is_chosen_and_copied_and_writing_goes_back_to_the_prompt(tmp_path: Path):
    await talked(tmp_path, 3)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 2" in screen_text(app))
        await pilot.press("alt+up", "alt+up", "alt+up")
        assert isinstance(app.focused, Transcript)
        await pilot.press("c")
        await until(pilot, lambda: app.clipboard == "answer 1")
        assert "copied 1 line" in screen_text(app)

        await pilot.press("h", "i")

        await until(pilot, lambda: app.query_one(Prompt).text == "hi")
        assert isinstance(app.focused, Prompt)
        assert app.query_one(Transcript).cursor is None


async def test_the_code_of_a_block_is_copied_by_a_key_that_is_offered_where_there_is_some(tmp_path: Path):
    reply = "Do this:\n\n```py\nx = 1\n```\n\nthen that:\n\n```py\ny = 2\n```"
    async with running(tmp_path, model=Scripted([said(reply)])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "how")
        await pilot.press("enter")
        await until(pilot, lambda: "then that" in screen_text(app))

        await pilot.press("alt+up")
        await until(pilot, lambda: "C code" in screen_text(app))
        assert "fold" not in screen_text(app)
        await pilot.press("C")
        await until(pilot, lambda: app.clipboard == "x = 1\n\ny = 2")
        await pilot.press("alt+up")

        await until(pilot, lambda: "C code" not in screen_text(app))


async def test_two_clicks_beside_everything_copy_nothing(tmp_path: Path):
    await talked(tmp_path, 1)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 0" in screen_text(app))

        await pilot.double_click(offset=(20, 1))
        await pilot.pause()

        assert not app.screen.get_selected_text()


async def test_the_end_is_one_key_away(tmp_path: Path):
    await talked(tmp_path, 40)

    async with running(tmp_path, model=Scripted([]), proceed="newest") as (app, pilot):
        await until(pilot, lambda: "answer 39" in screen_text(app))
        await pilot.press("ctrl+home")
        await until(pilot, lambda: "answer 39" not in screen_text(app))
        await pilot.press("ctrl+end")

        await until(pilot, lambda: "answer 39" in screen_text(app))
        assert app.query_one(Transcript).following


async def working(app: WakefulApp, pilot: Pilot[int]) -> None:
    await type_text(pilot, "go")
    await pilot.press("enter")
    await until(pilot, lambda: "thinking" in screen_text(app))


@pytest.mark.parametrize("way", ["alt+up", "alt+t"])
async def test_escape_holds_the_agent_from_wherever_one_looks(tmp_path: Path, way: str):
    model = Scripted([(asyncio.Event(), *said("never"))])
    async with running(tmp_path, model=model) as (app, pilot):
        await working(app, pilot)
        await pilot.press(way)
        assert app.focused is not app.prompt

        await pilot.press("escape")

        await until(pilot, lambda: "held" in screen_text(app))
        assert app.focused is app.prompt


@pytest.mark.parametrize("keys", [("ctrl+f",), ("alt+t", "n")])
async def test_where_escape_closes_something_first_it_is_said(tmp_path: Path, keys: tuple[str, ...]):
    model = Scripted([(asyncio.Event(), *said("never"))])
    async with running(tmp_path, model=model) as (app, pilot):
        await working(app, pilot)
        await until(pilot, lambda: "esc holds" in screen_text(app))

        await pilot.press(*keys)
        await until(pilot, lambda: "esc twice holds" in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: "esc holds" in screen_text(app))
        await pilot.press("escape")

        await until(pilot, lambda: "held" in screen_text(app))


async def test_the_key_that_goes_to_the_plan_comes_back_without_holding(tmp_path: Path):
    model = Scripted([(asyncio.Event(), *said("never"))])
    async with running(tmp_path, model=model) as (app, pilot):
        await working(app, pilot)

        await pilot.press("alt+t", "alt+t")

        await until(pilot, lambda: app.focused is app.prompt)
        assert "esc holds" in screen_text(app)
