"""Where keys go can be seen."""

from pathlib import Path

from textual.pilot import Pilot

from tests.tui.app.pilots import screen_text, until
from tests.tui.app.still import WORKING, StillApp
from tui.widgets.mark import Mark
from tui.widgets.prompt import Prompt


def edge(app: StillApp) -> str:
    """The role whose colour the edge of the prompt has."""
    colour = app.query_one(Mark).rows(2)[0][0][1].color
    return next(role for role in ("accent", "dim") if app.ink.style(role, "input").color == colour)


async def test_the_edge_of_the_prompt_is_lit_while_keys_go_there(tmp_path: Path):
    app = StillApp(tmp_path, WORKING)
    async with app.run_test(size=(120, 36)) as pilot:
        await app.played.wait()
        assert edge(app) == "accent"

        await pilot.press("alt+t")
        assert edge(app) == "dim"
        await pilot.press("escape")
        assert edge(app) == "accent"
        await pilot.press("alt+up")
        assert edge(app) == "dim"


async def top(pilot: Pilot[int], *keys: str) -> str:
    await pilot.press(*keys)
    await pilot.pause()
    return screen_text(pilot.app).split("\n")[0]


async def test_while_a_block_is_chosen_the_top_line_names_its_keys(tmp_path: Path):
    app = StillApp(tmp_path, WORKING)
    async with app.run_test(size=(120, 36)) as pilot:
        await app.played.wait()

        assert (await top(pilot, "alt+up")).endswith("  c copy  esc back")
        assert (await top(pilot, "escape")).endswith("  ctrl+t plan  ctrl+p commands")


async def test_the_keys_of_a_block_can_be_clicked(tmp_path: Path):
    app = StillApp(tmp_path, WORKING)
    async with app.run_test(size=(120, 36)) as pilot:
        await app.played.wait()
        line = await top(pilot, "alt+up")

        await pilot.click(offset=(line.index("copy"), 0))
        await until(pilot, lambda: "copied" in screen_text(app))
        await pilot.click(offset=(line.index("back"), 0))
        await until(pilot, lambda: isinstance(app.focused, Prompt))
