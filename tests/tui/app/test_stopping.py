"""What ctrl+c does: copy what is marked, stop what runs, put away what is typed, and leave."""

import asyncio
from pathlib import Path

import pytest
from textual.events import Paste

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until


async def test_what_is_marked_in_the_prompt_is_copied_and_the_agent_works_on(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await type_text(pilot, "begin")
        await pilot.press("enter")
        await until(pilot, lambda: app.stage and app.stage.session.busy)
        await type_text(pilot, "half a thought")

        await pilot.press(*["ctrl+shift+left"] * 2, "ctrl+c")

        assert app.clipboard == "a thought"
        assert app.prompt.text == "half a thought"
        assert app.stage
        assert app.stage.session.busy


async def test_a_word_that_stands_for_a_paste_is_copied_as_what_it_stands_for(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        pasted = "\n".join(map(str, range(20)))
        app.prompt.paste(pasted)

        await pilot.press("shift+home", "ctrl+c")

        assert app.clipboard == pasted


async def test_copying_is_over_when_it_was_done(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "half a thought")

        await pilot.press("shift+home", "ctrl+c", "ctrl+c")

        await until(pilot, lambda: "again leaves" in screen_text(app))
        assert app.prompt.text == ""


async def test_what_is_marked_in_the_words_of_a_search_is_copied(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+f")
        await type_text(pilot, "needle")

        await pilot.press("shift+home", "ctrl+c")

        assert app.clipboard == "needle"
        assert app.search_bar.field.selection.is_empty


async def test_the_key_leaves_only_while_the_line_says_so(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "again leaves" in screen_text(app))
        await until(pilot, lambda: "again leaves" not in screen_text(app))

        await pilot.press("ctrl+c")

        await until(pilot, lambda: "again leaves" in screen_text(app))
        assert app.return_value is None


async def test_stopping_the_agent_says_that_the_key_leaves_then(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("one"))])) as (app, pilot):
        await type_text(pilot, "begin")
        await pilot.press("enter")
        await until(pilot, lambda: app.stage and app.stage.session.busy)

        await pilot.press("ctrl+c")
        await until(pilot, lambda: "again leaves" in screen_text(app))
        await pilot.press("ctrl+c")

        await until(pilot, lambda: app.return_value == 130)


@pytest.mark.parametrize("way", ["key", "paste", "change"])
async def test_whoever_goes_on_does_not_leave(tmp_path: Path, way: str):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "again leaves" in screen_text(app))

        match way:
            case "key":
                await pilot.press("x")
            case "paste":
                app.post_message(Paste("x"))
            case _:
                app.prompt.put("x")
        await until(pilot, lambda: "again leaves" not in screen_text(app) and app.prompt.text)
        await pilot.press("ctrl+c")

        await until(pilot, lambda: not app.prompt.text)
        assert app.return_value is None
