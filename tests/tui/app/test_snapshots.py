"""Every state and screen as a picture that was looked at; `pytest --snapshot-update` takes new ones."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from agent.models.local import Offer
from tests.tui.app.overlays import OUTLOOK, POINTS, SCREENS
from tests.tui.app.still import FINDING, IDLE, SCENES, WORKING, Scene, StillApp
from tui.screens.rewind import RewindScreen
from tui.screens.sessions import SessionScreen
from tui.screens.setup import SetupScreen
from tui.setup import choices
from tui.transcript.entries import Notice
from tui.transcript.ink import PLAIN, Glyphs

Compare = Callable[..., bool]


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
        shown = SCREENS[name](app.ink, tmp_path)
        await app.push_screen(shown)
        if isinstance(shown, SessionScreen):
            shown.show("1", (*FINDING.said[:2], Notice("all done · 6/6", "done")))
        if isinstance(shown, RewindScreen):
            shown.show(POINTS[0].line, OUTLOOK)
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
        shown.fill(choices(["openai"] if found else [], servers, {}, first=True, looking=not found))
        await app.push_screen(shown)
        await still(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)
