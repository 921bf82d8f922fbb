"""A filter that finds nothing for a moment does not take the cursor away."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.app.still import Scene, StillApp
from tests.tui.plan.plans import todo
from tui.plan.listing import PlanList

PLAN = Scene(
    todos=(
        todo(1, "Boil", priority="high"),
        todo(2, "Brew", priority="high"),
        todo(3, "Pour"),
    )
)


def chosen(pilot: Pilot[int]) -> int | None:
    item = pilot.app.query_one(PlanList).item
    return item.id if item else None


@pytest.mark.parametrize(
    ("keys", "row"),
    [
        (("slash", *"high", "enter"), 1),
        (("slash", *"high", "enter", "down"), 2),
        (("down", "slash", *"high", "enter"), 2),
        (("down", "slash", *"high", "escape"), 2),
        (("end", "slash", *"high", "enter"), 1),
        (("end", "slash", *"zzz", "enter", "escape"), 3),
    ],
)
async def test_keys_go_to_a_row_though_nothing_was_found_on_the_way(
    tmp_path: Path, keys: tuple[str, ...], row: int
):
    app = StillApp(tmp_path, PLAN)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.played.wait()
        await pilot.press("alt+t", *keys)
        await pilot.pause()

        assert chosen(pilot) == row


async def test_keys_stay_where_they_were_when_the_filter_hides_what_is_new(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await pilot.press("alt+t", "n", *"Boil", "enter")
        await until(pilot, lambda: "#1" in screen_text(app))
        await pilot.press("slash", *"boil", "enter", "n")
        await type_text(pilot, "Other")
        await pilot.press("enter")
        await until(pilot, lambda: "the filter hides it" in screen_text(app))

        assert chosen(pilot) == 1
