from pathlib import Path

import pytest
from rich.console import RenderableType
from textual.geometry import Region
from textual.screen import Screen

import tui.app
from agent.opening import Opening
from tests.agent.openings import opening
from tests.tui.app.pilots import until
from tests.tui.screens.test_small import OPENED_BY
from tui.app import WakefulApp
from tui.newcomer import welcome
from tui.screens.picker import PickerScreen
from tui.theme import load_theme
from tui.transcript.ink import Glyphs, Ink


class FilmedApp(WakefulApp):
    """Notes where a list stands in every frame that is painted."""

    CSS_PATH = Path(tui.app.__file__).with_name("styles.tcss")

    def __init__(self, opening: Opening, ink: Ink) -> None:
        super().__init__(opening, ink)
        self.film: list[Region] = []

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)  # pyright: ignore[reportUnknownMemberType] # of any result
        if isinstance(screen, PickerScreen) and renderable is not None:
            self.film.append(screen.query_one("#picker").region)


@pytest.mark.parametrize("screen", OPENED_BY)
async def test_a_list_stands_in_its_place_from_the_first_frame_on(tmp_path: Path, screen: str):
    wanted = opening(tmp_path, attended=True)
    welcome(wanted.paths.state_folder)
    app = FilmedApp(wanted, Ink(load_theme(), Glyphs()))
    async with app.run_test(size=(120, 40)) as pilot:
        app.furnish()
        await until(pilot, lambda: app.stage)

        await pilot.press(*("slash" if key == "/" else key for key in OPENED_BY[screen]))
        await until(pilot, lambda: app.film)
        await pilot.pause()

        assert {(each.x, each.y, each.width) for each in app.film} == {(4, 2, 112)}
        assert app.film[0].height == app.film[-1].height
