"""The row that keys go to is in sight, whatever happens around it."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.app.pilots import screen_text, until
from tests.tui.app.still import Scene, StillApp
from tests.tui.plan.plans import todo
from tui.plan.listing import PlanList

LONG = Scene(todos=tuple(todo(number, f"Step {number} of many") for number in range(1, 61)))


def marked(pilot: Pilot[int]) -> str:
    """The row with the cursor, as far as it is on the screen."""
    body = screen_text(pilot.app).rpartition("\n▌")[0]
    return next((line.rpartition("▌")[2] for line in body.split("\n") if "▌" in line), "")


async def test_the_cursor_stays_in_sight_when_the_keys_below_take_room(tmp_path: Path):
    app = StillApp(tmp_path, LONG)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.press("alt+t", "end", "e")
        await until(pilot, lambda: "keeps it" in screen_text(app))

        await pilot.press("escape")
        await until(pilot, lambda: "e edit" in screen_text(app))
        await pilot.pause()

        assert "Step 60" in marked(pilot)


async def test_the_cursor_stays_in_sight_when_the_window_shrinks(tmp_path: Path):
    app = StillApp(tmp_path, LONG)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.press("alt+t", "pagedown")
        before = marked(pilot)

        await pilot.resize_terminal(120, 26)
        await pilot.pause()

        assert before
        assert marked(pilot) == before


async def test_a_click_means_the_row_that_was_under_it_though_the_keys_then_take_its_place(tmp_path: Path):
    app = StillApp(tmp_path, LONG)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.pause()
        line = next(y for y, row in enumerate(screen_text(app).split("\n")) if "Step 25" in row)

        await pilot.mouse_down(offset=(95, line))
        await until(pilot, lambda: "e edit" in screen_text(app))
        await pilot.mouse_up(offset=(95, line))
        await pilot.pause()

        assert "Step 25" in marked(pilot)


async def test_nothing_touches_the_scroll_bar(tmp_path: Path):
    app = StillApp(tmp_path, LONG)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.pause()
        bar = app.query_one(PlanList).vertical_scrollbar.region

        rows = screen_text(app).split("\n")[bar.y : bar.bottom]

        assert any("#9" in row for row in rows)
        assert {row.ljust(120)[bar.x - 1] for row in rows} == {" "}


@pytest.mark.parametrize("columns", [50, 74, 99])
async def test_over_the_conversation_the_plan_leaves_no_lines_cut_in_two(tmp_path: Path, columns: int):
    app = StillApp(tmp_path, LONG)
    async with app.run_test(size=(columns, 24)) as pilot:
        await app.played.wait()
        await pilot.press("ctrl+t")
        await pilot.pause()

        assert (app.panel.region.x, app.panel.region.right) == (0, columns)
