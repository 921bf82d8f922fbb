"""The edge of the sidebar is where the pointer left it, as far as there is room."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.app.still import PLAN, Scene, StillApp
from tui.app import WakefulApp
from tui.plan.grip import Grip

SCENE = Scene(todos=PLAN)


async def drag(pilot: Pilot[int], *columns: int) -> None:
    first, *rest = columns
    await pilot.mouse_down(offset=(first, 10))
    for column in rest:
        await pilot.hover(offset=(column, 10))
        await pilot.pause()
    await pilot.mouse_up(offset=(rest[-1], 10))
    await pilot.pause()


def edge(app: WakefulApp) -> int:
    return app.query_one(Grip).region.x


async def test_the_edge_follows_the_pointer_back_from_where_there_was_no_room(tmp_path: Path):
    app = StillApp(tmp_path, SCENE)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.pause()

        await drag(pilot, edge(app), 50)
        assert edge(app) == 60
        await drag(pilot, 60, 70)
        assert edge(app) == 70
        await drag(pilot, 70, 40, 65)
        assert edge(app) == 65


async def test_what_has_no_room_is_not_kept_for_later(tmp_path: Path):
    app = StillApp(tmp_path, SCENE)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.press("alt+t", *["plus"] * 15)
        await pilot.pause()
        assert edge(app) == 60

        await pilot.press("minus")
        await pilot.pause()

        assert edge(app) == 62


@pytest.mark.parametrize("columns", [80, 99])
async def test_over_the_conversation_it_has_no_width_of_its_own(tmp_path: Path, columns: int):
    app = StillApp(tmp_path, SCENE)
    async with app.run_test(size=(columns, 24)) as pilot:
        await app.played.wait()
        await pilot.press("ctrl+t", "plus", "minus", "minus")
        await drag(pilot, 0, 30)

        assert (edge(app), app.panel.region.width) == (0, columns)
        assert app.panel.shape.width is None


async def test_a_click_on_the_edge_leaves_the_width_to_the_window(tmp_path: Path):
    app = StillApp(tmp_path, SCENE)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.pause()
        await pilot.click(offset=(edge(app), 10))
        await pilot.pause()

        assert app.panel.shape.width is None
