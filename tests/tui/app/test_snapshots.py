"""Every state and screen as a picture that was looked at; `pytest --snapshot-update` takes new ones."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from agent.paths import Paths
from tests.tui.app.still import FINDING, SCENES, WORKING, StillApp
from tui.keyboard import Bound
from tui.screens.keys import KeysScreen
from tui.screens.palette import PaletteScreen
from tui.screens.picker import PickerScreen
from tui.screens.rows import Row
from tui.screens.themes import ThemeScreen, offers
from tui.transcript.ink import PLAIN, Glyphs, Ink

Compare = Callable[..., bool]
SESSIONS = [
    Row("1", "find why test_login fails now and then", "idle, 3/7, $0.42, 2 min ago", current=True),
    Row("2", "survey this project", "dormant, 5/5, yesterday"),
    Row(
        "3",
        "日本語のタイトル, and a title much too long for the room there is on any line",
        "dormant",
    ),
]
COMMANDS = [
    Row("/todos", "/todos [FILTER]", "the list, filtered"),
    Row("/theme", "/theme [NAME]", "try themes on", key="f2"),
    Row("/quit", "/quit", "leave"),
]
ACTIONS = [Row("plan", "Show or hide the plan", key="ctrl+t"), Row("search", "Find", key="ctrl+f")]
BOUND = [
    Bound("Anywhere", "plan", "Show or hide the plan", ("ctrl+t",), ("ctrl+t",), False),
    Bound("Anywhere", "search", "Find in the conversation", ("f3",), ("ctrl+f",), True),
    Bound("In the plan", "plan-tick", "Tick, or open again", ("space",), ("space",), False),
]


async def settled(pilot: Pilot[Any]) -> None:
    """The scene comes behind the first frame."""
    assert isinstance(pilot.app, StillApp)
    await pilot.app.played.wait()
    await pilot.pause()
    await pilot.pause()


def pressed(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    async def before(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        await pilot.press(*keys)
        await still(pilot)

    return before


async def still(pilot: Pilot[Any]) -> None:
    """A cursor that blinks is in no two pictures the same."""
    for each in pilot.app.screen.query(Input):
        each.cursor_blink = False
    await pilot.pause()
    await pilot.pause()


@pytest.mark.parametrize("name", SCENES)
def test_a_state_looks_as_it_did(snap_compare: Compare, tmp_path: Path, name: str):
    app = StillApp(tmp_path, SCENES[name])

    assert snap_compare(app, terminal_size=(120, 36), run_before=settled)


@pytest.mark.parametrize(
    ("size", "keys"),
    [((80, 24), ()), ((80, 24), ("ctrl+t",)), ((40, 12), ()), ((200, 60), ())],
    ids=["narrow", "narrow with the plan", "tiny", "wide"],
)
def test_a_size_looks_as_it_did(
    snap_compare: Compare, tmp_path: Path, size: tuple[int, int], keys: tuple[str, ...]
):
    assert snap_compare(StillApp(tmp_path, FINDING), terminal_size=size, run_before=pressed(*keys))


@pytest.mark.parametrize("theme", ["daylight", "ansi", "monochrome"])
def test_a_theme_looks_as_it_did(snap_compare: Compare, tmp_path: Path, theme: str):
    glyphs = PLAIN if theme == "monochrome" else Glyphs()
    app = StillApp(tmp_path, FINDING, theme, glyphs)

    assert snap_compare(app, terminal_size=(120, 36), run_before=settled)


@pytest.mark.parametrize("key", ["ctrl+f", "alt+t"])
def test_a_part_that_was_entered_looks_as_it_did(snap_compare: Compare, tmp_path: Path, key: str):
    app = StillApp(tmp_path, WORKING)

    assert snap_compare(app, terminal_size=(120, 36), run_before=pressed(key))


@pytest.mark.parametrize("name", ["list", "palette", "keys", "themes"])
def test_a_screen_looks_as_it_did(snap_compare: Compare, tmp_path: Path, name: str):
    app = StillApp(tmp_path, WORKING)

    async def before(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        await app.push_screen(screen(name, app.ink, tmp_path))
        await still(pilot)

    assert snap_compare(app, terminal_size=(120, 36), run_before=before)


def screen(name: str, ink: Ink, folder: Path) -> PickerScreen:
    match name:
        case "palette":
            return PaletteScreen(ink, COMMANDS, ACTIONS)
        case "keys":
            return KeysScreen(ink, BOUND, [])
        case "themes":
            return ThemeScreen(
                ink, offers(Paths(folder, folder, folder), {"COLORTERM": "truecolor"}), "wakeful"
            )
        case _:
            return PickerScreen(ink, "Sessions of this folder", SESSIONS)
