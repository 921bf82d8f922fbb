from pathlib import Path

import pytest
from textual.widgets import Input

from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.screens.rows import Rows
from tui.widgets.prompt import Prompt


async def test_a_command_is_found_by_a_word_of_its_help_and_run(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        await type_text(pilot, "tokens and money")
        await pilot.press("enter")

        await until(pilot, lambda: "cache read" in screen_text(app))


async def test_a_command_that_needs_words_is_written_into_the_prompt(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        await type_text(pilot, "rename")
        await pilot.press("enter")

        await until(pilot, lambda: len(app.screen_stack) == 1)
        prompt = app.query_one(Prompt)
        await until(pilot, lambda: prompt.text == "/rename ")
        assert prompt.has_focus


async def test_what_the_app_does_is_there_with_its_key(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        await type_text(pilot, "find in the")

        text = screen_text(app)
        assert "Find in the conversation" in text
        assert "ctrl+f" in text

        await pilot.press("enter")
        await until(pilot, lambda: app.screen.has_class("searching"))


async def test_what_is_typed_behind_the_key_arrives_in_the_list(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p", "m", "o", "d", "e", "l")

        await until(pilot, lambda: app.screen.query_one(Input).value == "model")
        assert app.query_one(Prompt).text == ""


async def test_letters_here_and_there_find_a_name_but_no_sentence(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        await type_text(pilot, "prm")

        rows = app.screen.query_one(Rows)
        await until(pilot, lambda: rows.shown and rows.shown[0].value == "/permissions")
        assert all({*"prm"} <= {*row.label.casefold()} for row in rows.shown)


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (40, 12), (80, 24), (200, 60)])
async def test_it_fits_any_terminal(tmp_path: Path, size: tuple[int, int]):
    async with running(tmp_path, size=size) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p", "down", "down", "pagedown", "x")
        await pilot.press("escape")

        assert len(app.screen_stack) == 1


async def test_it_opens_before_the_session_is_there(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await pilot.press("ctrl+p")

        assert "Commands" in screen_text(app)
        await until(pilot, lambda: app.stage)
