"""Every key that acts is one that /keys shows: none comes along with a class of Textual."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from tests.tui.app.overlays import SCREENS
from tests.tui.app.pilots import running, until
from tests.tui.app.still import SCENES, StillApp
from tui.keyboard import all_bound
from tui.screens.setup import SetupScreen
from tui.widgets.field import Field

# As the letters beside the answers of a question: what it takes is named wherever one types.
FIXED = {(Field, "enter")}


def unlisted(shown: Screen[Any]) -> Iterator[str]:
    """Of whatever may have the focus on this screen, and all that it stands in."""
    names = {each.name for each in all_bound({})}
    for widget in (shown, *shown.focus_chain):
        for node in widget.ancestors_with_self:
            for key, bindings in node._bindings.key_to_bindings.items():  # pyright: ignore[reportPrivateUsage]
                if any(each.id not in names for each in bindings) and (type(node), key) not in FIXED:
                    yield f"{key} on {type(node).__name__}"


@pytest.mark.parametrize("key", ["ctrl+f", "alt+t"])
@pytest.mark.parametrize("name", ["empty", "waiting"])
async def test_every_key_that_acts_on_the_screen_is_listed(tmp_path: Path, name: str, key: str):
    app = StillApp(tmp_path, SCENES[name])
    async with app.run_test(size=(120, 36)) as pilot:
        await app.played.wait()
        await pilot.press(key)
        await pilot.pause()

        assert {*unlisted(app.screen)} == set()


@pytest.mark.parametrize("name", [*SCREENS, "setup"])
async def test_every_key_that_acts_over_the_screen_is_listed(tmp_path: Path, name: str):
    app = StillApp(tmp_path, SCENES["empty"])
    async with app.run_test(size=(120, 36)) as pilot:
        await app.played.wait()
        setup = SetupScreen(app.ink, str, first=True)
        shown = SCREENS[name](app.ink, tmp_path) if name in SCREENS else setup
        await app.push_screen(shown)
        await pilot.pause()

        assert {*unlisted(app.screen)} == set()


async def test_every_key_that_is_listed_for_the_app_acts(tmp_path: Path):
    app = StillApp(tmp_path, SCENES["empty"])
    async with app.run_test():
        bindings = app._bindings.key_to_bindings.values()  # pyright: ignore[reportPrivateUsage]

        assert {each.name for each in all_bound({}) if each.place == "Anywhere"} == {
            each.id for found in bindings for each in found
        }


async def test_a_key_that_is_nobodys_does_nothing(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+q")
        await pilot.press("f1", "ctrl+q")

        assert app.is_running
        assert len(app.screen_stack) == 2
