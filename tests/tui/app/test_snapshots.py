"""Every state and screen as a picture that was looked at; `pytest --snapshot-update` takes new ones."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from agent.config.load import load
from agent.inbox import Inbox
from agent.models.local import Offer
from agent.paths import Paths
from tests.tui.app.still import FINDING, IDLE, SCENES, WORKING, Scene, StillApp
from tui.keyboard import Bound
from tui.screens.asking import LineScreen
from tui.screens.keys import KeysScreen
from tui.screens.palette import PaletteScreen
from tui.screens.picker import PickerScreen
from tui.screens.queue import QueueScreen
from tui.screens.rows import Row
from tui.screens.sessions import SessionScreen
from tui.screens.settings import SettingsScreen, all_shown
from tui.screens.setup import SetupScreen
from tui.screens.themes import ThemeScreen, offers
from tui.setup import choices
from tui.transcript.entries import Notice
from tui.transcript.ink import PLAIN, Glyphs, Ink

Compare = Callable[..., bool]
SESSIONS = [
    Row("/resume 1", "find why test_login fails now and then", "idle, 3/7, $0.42, 2 min ago", current=True),
    Row("/resume 2", "survey this project", "dormant, 5/5, yesterday"),
    Row(
        "/resume 3",
        "日本語のタイトル, and a title much too long for the room there is on any line",
        "dormant",
    ),
]
MODELS = [
    Row("/model offline", "offline", "built in, no LLM", current=True),
    Row("/model ollama/qwen3", "ollama/qwen3", "on this machine"),
    Row("/setup", "Another provider, or its key", "leads there step by step"),
]
COMMANDS = [
    Row("/todos", "/todos [FILTER]", "the list, filtered"),
    Row("/theme", "/theme [NAME]", "try themes on", key="f2"),
    Row("/quit", "/quit", "leave"),
]
SCREENS = ("models", "palette", "keys", "themes", "sessions", "settings", "queue", "line")
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
    # The bar follows at its own pace.
    pilot.app.transcript.move_bar()


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
    assert isinstance(pilot.app, StillApp)
    pilot.app.transcript.move_bar()
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


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_looks_as_it_did(snap_compare: Compare, tmp_path: Path, name: str):
    app = StillApp(tmp_path, WORKING)

    async def before(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        shown = screen(name, app.ink, tmp_path)
        await app.push_screen(shown)
        if isinstance(shown, SessionScreen):
            shown.show("1", (*FINDING.said[:2], Notice("all done · 6/6", "done")))
        await still(pilot)

    assert snap_compare(app, terminal_size=(120, 36), run_before=before)


@pytest.mark.parametrize(
    ("size", "theme", "found"),
    [
        ((120, 36), "wakeful", False),
        ((120, 36), "wakeful", True),
        ((120, 36), "daylight", True),
        ((80, 24), "ansi", True),
        ((40, 12), "wakeful", False),
    ],
    ids=["nothing found", "a server found", "light", "sixteen colours", "narrow"],
)
def test_a_first_start_looks_as_it_did(
    snap_compare: Compare, tmp_path: Path, size: tuple[int, int], theme: str, found: bool
):
    app = StillApp(tmp_path, Scene(IDLE), theme)

    async def before(pilot: Pilot[Any]) -> None:
        await settled(pilot)
        shown = SetupScreen(app.ink, str, first=True)
        servers = [Offer("ollama", "Ollama", "", ("qwen3:8b", "llama3.2", "devstral"))] if found else []
        shown.fill(choices(["openai"] if found else [], servers, first=True, looking=not found))
        await app.push_screen(shown)
        await still(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


def screen(name: str, ink: Ink, folder: Path) -> PickerScreen | LineScreen:
    match name:
        case "palette":
            return PaletteScreen(ink, COMMANDS, ACTIONS)
        case "keys":
            return KeysScreen(ink, BOUND, [])
        case "themes":
            return ThemeScreen(
                ink, offers(Paths(folder, folder, folder), {"COLORTERM": "truecolor"}), "wakeful"
            )
        case "sessions":
            return SessionScreen(ink, "Sessions of this folder", SESSIONS)
        case "settings":
            return SettingsScreen(ink, all_shown(load(Paths(folder, folder, folder), {})))
        case "queue":
            inbox = Inbox()
            inbox.add("then run the linter")
            inbox.add("and read the docs")
            return QueueScreen(ink, inbox)
        case "line":
            return LineScreen(ink, "Key for Mistral", "paste it here", lambda _: "", secret=True)
        case _:
            return PickerScreen(ink, "Model for the next turn", MODELS, stem="/model ")
