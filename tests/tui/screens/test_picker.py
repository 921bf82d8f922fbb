from collections.abc import Sequence
from pathlib import Path

from tests.tui.app.pilots import running, screen_text, until
from tests.tui.screens.test_settings import open_settings
from tui.screens.palette import Offered
from tui.screens.picker import Title
from tui.screens.rows import Row
from tui.theme import load_theme
from tui.transcript.ink import Glyphs, Ink
from tui.transcript.wrapping import Run

INK = Ink(load_theme(), Glyphs())


def text(runs: Sequence[Run]) -> str:
    return "".join(run[0] for run in runs)


def title(width: int) -> str:
    shown = Title(INK, "Which model shall work for you?", "enter chooses  esc skips")
    shown.count("1 of 11")
    return text(shown.rows(width)[0])


def test_where_there_is_no_room_the_count_gives_way_before_the_last_key():
    assert "1 of 11" in title(70)
    assert "enter chooses" in title(70)
    assert "1 of 11" not in title(48)
    assert "esc skips" in title(48)


def test_a_long_name_of_which_nothing_is_said_is_read_whole():
    rows = Offered(INK, [Row("help", "All keys, while nothing is typed", key="?"), Row("x", "y", "does it")])

    assert "All keys, while nothing is typed" in text(rows.draw(rows.shown[0], 0, 60))
    assert text(rows.draw(rows.shown[1], 1, 60)).index("does it") == 22


async def test_names_of_settings_are_read_whole_beside_short_values(tmp_path: Path):
    async with running(tmp_path, size=(50, 15)) as (app, pilot):
        await open_settings(app, pilot, "max_")

        await until(pilot, lambda: "wake.max_cycles" in screen_text(app))
        assert "wake.max_minutes" in screen_text(app)


async def test_a_click_beside_a_list_closes_it_and_one_on_it_does_not(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.pause()
        await pilot.click(offset=(10, 3))
        assert len(app.screen_stack) == 2

        await pilot.click(offset=(1, 20))

        await until(pilot, lambda: len(app.screen_stack) == 1)
