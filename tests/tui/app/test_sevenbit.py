"""A terminal without Unicode: nothing of our own on the screen is more than ASCII."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.agent.openings import opening
from tests.tui.app.pilots import screen_text, type_text, until
from tests.tui.app.still import SCENES, StillApp
from tui.app import WakefulApp
from tui.theme import load_theme
from tui.transcript.ink import PLAIN, Ink

SCREENS = [
    ("/help", "/todos [FILTER]"),
    ("/model", "Model for the next turn"),
    ("/theme", "enter keeps it"),
    ("/settings", "wake.max_cycles"),
    ("/keys", "Interrupt and hold"),
    ("/todo add one", "one"),
    ("/nothing", "see /help"),
    ("!false", "exit code 1"),
]


@pytest.mark.parametrize(("line", "shown"), SCREENS, ids=[line for line, _ in SCREENS])
async def test_every_screen_is_ascii_where_the_terminal_is(tmp_path: Path, line: str, shown: str):
    async with plain(tmp_path) as (app, pilot):
        await until(pilot, lambda: "writes a plan" in screen_text(app))
        assert not foreign(app)

        await type_text(pilot, line)
        assert not foreign(app)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: shown in screen_text(app))

        assert not foreign(app)


async def test_a_survey_is_ascii_and_its_success_does_not_read_as_failure(tmp_path: Path):
    async with plain(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "survey this project")
        await pilot.press("enter")

        await until(pilot, lambda: "all done" in screen_text(app))

        assert not foreign(app)
        assert "+ all done - 5/5" in screen_text(app)
        assert "+ Found" in screen_text(app)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "Commands" in screen_text(app))
        assert not foreign(app)


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("size", [(120, 18), (80, 24)], ids=str)
async def test_every_scene_is_ascii_where_the_terminal_is(tmp_path: Path, name: str, size: tuple[int, int]):
    app = StillApp(tmp_path, SCENES[name], "wakeful", PLAIN)
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.5)

        assert "wakeful" in screen_text(app)
        assert not foreign(app)


def foreign(app: WakefulApp) -> set[str]:
    return {each for each in screen_text(app) if not each.isascii()}


@asynccontextmanager
async def plain(tmp_path: Path) -> AsyncGenerator[tuple[WakefulApp, Pilot[int]], None]:
    app = WakefulApp(opening(tmp_path, attended=True), Ink(load_theme("wakeful"), PLAIN))
    async with app.run_test(size=(100, 30)) as pilot:
        app.furnish()
        yield app, pilot
