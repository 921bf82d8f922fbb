"""Tab, pressed before there is anything to choose from."""

from pathlib import Path

import pytest
from textual.events import Key

from agent.models.scripted import Scripted
from tests.tui.app.pilots import running, type_text, until
from tui.app import WakefulApp
from tui.widgets.menu import MenuView


@pytest.fixture(autouse=True)
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "calc.py").write_text("")
    (folder / "calculus.md").write_text("")
    return folder


def press(app: WakefulApp, *keys: str) -> None:
    """All at once, as fast fingers or a slow line send them."""
    for key in keys:
        app.prompt.post_message(Key(key, key if len(key) == 1 else None))


async def test_a_tab_right_behind_the_letters_takes_what_is_found_first(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)

        press(app, *"@calc", "tab")

        await until(pilot, lambda: app.prompt.text == "@calc.py ")


async def test_whoever_types_on_behind_the_tab_gets_what_is_typed(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)

        press(app, *"@calc", "tab", "u")

        await until(pilot, lambda: app.query_one(MenuView).display)
        assert app.prompt.text == "@calcu"


async def test_a_tab_opens_the_menu_again_that_was_closed(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "@calc")
        await until(pilot, lambda: app.query_one(MenuView).display)
        await pilot.press("escape")
        await until(pilot, lambda: not app.query_one(MenuView).display)

        await pilot.press("tab")

        await until(pilot, lambda: app.query_one(MenuView).display)
        assert app.prompt.text == "@calc"
