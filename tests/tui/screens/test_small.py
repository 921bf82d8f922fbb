from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from tests.tui.app.pilots import running, until
from tui.app import WakefulApp
from tui.screens.rows import Rows

OPENED_BY = {
    "palette": ("ctrl+p",),
    "keys": ("f1",),
    "theme": (*"/theme", "space", "enter"),
    "sessions": (*"/sessions", "space", "enter"),
    "settings": (*"/settings", "space", "enter"),
    "setup": (*"/setup", "space", "enter"),
    "model": (*"/model", "space", "enter"),
}


@pytest.mark.parametrize("screen", OPENED_BY)
async def test_a_screen_fits_terminals_of_any_size(tmp_path: Path, screen: str):
    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press(*("slash" if key == "/" else key for key in OPENED_BY[screen]))
        await until(pilot, lambda: len(app.screen_stack) == 2)
        for size in ((40, 12), (20, 5), (1, 1), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.press("down", "pagedown", "up")
            region = app.screen.query_one("#picker").region
            assert region.width <= max(size[0], 2)
            assert region.height <= max(size[1], 9)

        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)


async def opened(app: WakefulApp, pilot: Pilot[int], screen: str) -> Region:
    await pilot.press(*("slash" if key == "/" else key for key in OPENED_BY[screen]))
    await until(pilot, lambda: len(app.screen_stack) == 2)
    await pilot.pause()
    region = app.screen.query_one("#picker").region
    await pilot.press("escape")
    await until(pilot, lambda: len(app.screen_stack) == 1)
    return region


async def test_all_lists_stand_in_one_place_above_the_prompt(tmp_path: Path):
    async with running(tmp_path, size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        found = {screen: await opened(app, pilot, screen) for screen in OPENED_BY}

        assert {(region.x, region.y, region.width) for region in found.values()} == {(4, 2, 112)}
        assert all(region.bottom <= app.prompt.region.y for region in found.values())


@pytest.mark.parametrize("lines", [24, 30, 34])
async def test_a_long_list_leaves_the_state_line_whole_and_where_it_is(tmp_path: Path, lines: int):
    async with running(tmp_path, size=(100, lines)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        below = app.screen
        before = below.query_one("#activity").region

        await pilot.press("ctrl+p")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.pause()

        state, listed = below.query_one("#activity").region, app.screen.query_one("#picker").region
        assert state == before
        assert listed.bottom <= state.y
        assert state.bottom <= app.prompt.region.y


@pytest.mark.parametrize("screen", ["palette", "keys", "settings"])
async def test_in_a_small_window_a_list_takes_all_of_it(tmp_path: Path, screen: str):
    async with running(tmp_path, size=(59, 11)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press(*("slash" if key == "/" else key for key in OPENED_BY[screen]))
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.pause()

        assert app.screen.query_one("#picker").region == Region(0, 0, 59, 11)
        assert app.screen.query_one(Rows).size.height == 9


async def test_only_where_one_types_is_a_cursor(tmp_path: Path):
    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        covered = app.prompt.get_component_styles("text-area--cursor").background
        await pilot.press("escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)

        assert covered == app.prompt.styles.background
        assert app.prompt.get_component_styles("text-area--cursor").background != covered
