from pathlib import Path

import pytest

from tests.tui.app.pilots import running, until

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
