"""The app without a terminal: real session, real files, keys from a pilot."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from tests.agent.openings import opening
from tui.app import WakefulApp
from tui.newcomer import welcome
from tui.screens.setup import SetupScreen
from tui.theme import load_theme
from tui.transcript.ink import Glyphs, Ink

# Nothing waits it out unless it is broken.
_PATIENCE = 1_500


@asynccontextmanager
async def running(
    tmp_path: Path, *, size: tuple[int, int] = (120, 40), theme: str = "wakeful", **changes: object
) -> AsyncGenerator[tuple[WakefulApp, Pilot[int]], None]:
    """A later start than the first; `changes` are fields of Opening, such as `model` for a scripted one."""
    welcome(opening(tmp_path).paths.state_folder)
    async with arriving(tmp_path, size=size, theme=theme, **changes) as found:
        yield found


@asynccontextmanager
async def arriving(
    tmp_path: Path, *, size: tuple[int, int] = (120, 40), theme: str = "wakeful", **changes: object
) -> AsyncGenerator[tuple[WakefulApp, Pilot[int]], None]:
    """The same in a home as it is: in an empty one Wakeful was never started before."""
    wanted = opening(tmp_path, **{"attended": True, **changes})
    app = WakefulApp(wanted, Ink(load_theme(theme), Glyphs()))
    async with app.run_test(size=size) as pilot:
        app.furnish()
        yield app, pilot


async def until(pilot: Pilot[int], holds: Callable[[], object]) -> None:
    for _ in range(_PATIENCE):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"never came true; the screen was\n{screen_text(pilot.app)}")


def screen_text(app: object) -> str:
    """What a person would read off the screen, row by row."""
    assert isinstance(app, WakefulApp)
    width, height = app.size
    # Textual has no public way to ask what is on the screen.
    lines = app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage]
    return "\n".join(strip.text[:width].rstrip() for strip in lines[:height])


def setup_seen(app: WakefulApp) -> bool:
    """The choice of a model was drawn, so that keys are answers to it."""
    return isinstance(app.screen, SetupScreen) and app.screen.seen_at is not None


async def type_text(pilot: Pilot[int], text: str) -> None:
    await pilot.press(*("space" if each == " " else each for each in text))
