"""Whatever lies over the screen has the keys."""

import tomllib
from pathlib import Path

import pytest
from textual.widgets import Input

from agent.inbox import Inbox
from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.screens.queue import QueueScreen
from tui.screens.rewind import Consequences, RewindScreen


@pytest.mark.parametrize("key", ["ctrl+c", "escape", "ctrl+p"])
async def test_a_list_is_closed_and_no_more(tmp_path: Path, key: str):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "draft")
        await pilot.press("ctrl+p", "x", key)

        assert len(app.screen_stack) == 1
        assert app.prompt.text == "draft"
        assert "again leaves" not in screen_text(app)

        await pilot.press("ctrl+p", key, "ctrl+c")
        await until(pilot, lambda: "again leaves" in screen_text(app))
        assert app.is_running


async def test_the_key_that_opened_a_list_closes_it(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("f1")
        assert len(app.screen_stack) == 2

        await pilot.press("f1")
        assert len(app.screen_stack) == 1


async def test_the_list_of_what_waits_is_closed_by_its_own_key(tmp_path: Path):
    inbox = Inbox()
    inbox.add("then run the linter")
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await app.push_screen(QueueScreen(app.ink, inbox))
        await pilot.press("alt+q")

        await until(pilot, lambda: len(app.screen_stack) == 1)


@pytest.mark.parametrize("key", ["f1", "ctrl+f", "alt+t", "shift+tab", "ctrl+t"])
async def test_a_list_is_not_opened_over_another_and_nothing_moves_behind_it(tmp_path: Path, key: str):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        before = screen_text(app)
        await pilot.press(key)

        assert len(app.screen_stack) == 2
        assert screen_text(app) == before


async def test_ctrl_d_deletes_what_is_typed_in_a_list_and_leaves_where_nothing_is(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p", "a", "b", "home", "ctrl+d")
        assert app.screen.query_one(Input).value == "b"

        await pilot.press("ctrl+d", "ctrl+d")
        await until(pilot, lambda: not app.is_running)
        assert app.return_value == 0


async def test_words_are_deleted_in_a_list_as_at_the_prompt(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        await type_text(pilot, "one two")
        await pilot.press("alt+backspace")

        assert app.screen.query_one(Input).value == "one "


async def test_shift_tab_goes_through_what_goes_back(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await app.push_screen(RewindScreen(app.ink, "Go back", []))
        await pilot.press("shift+tab")

        assert app.screen.query_one(Consequences).what == "plan"


@pytest.mark.parametrize("key", ["ctrl+p", "f1", "ctrl+d", "ctrl+c", "ctrl+q", "tab", "shift+tab", "enter"])
async def test_every_key_can_be_pressed_for_another(tmp_path: Path, key: str):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("f1")
        await type_text(pilot, "plan-new")
        await pilot.press("enter")
        await until(pilot, lambda: "Press the key for" in screen_text(app))
        await pilot.press(key)

        file = opening(tmp_path).paths.config
        await until(pilot, lambda: len(app.screen_stack) == 2 and file.exists())
        assert tomllib.loads(file.read_text()) == {"keys": {"plan-new": [key]}}
        taken = key not in ("ctrl+q", "tab")
        await until(pilot, lambda: "is also the key of" in screen_text(app) or not taken)
