"""The top line: what is said there of keys can be clicked."""

import asyncio
from pathlib import Path

import pytest

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, until
from tests.tui.app.still import WORKING, StillApp
from tui.plan.panel import PlanPanel
from tui.screens.palette import PaletteScreen
from tui.transcript.wrapping import strip
from tui.widgets.header import Header


def header_line(app: StillApp) -> str:
    header = app.query_one(Header)
    return strip(header.rows(app.size.width)[0], app.size.width, app.ink.style()).text.rstrip()


async def test_the_keys_of_the_header_can_be_clicked(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "ctrl+t plan" in screen_text(app))
        line = screen_text(app).split("\n")[0]

        await pilot.click(offset=(line.index("plan"), 0))
        await until(pilot, lambda: app.query_one(PlanPanel).display)
        await pilot.click(offset=(line.index("ctrl+p") + 2, 0))
        await until(pilot, lambda: isinstance(app.screen, PaletteScreen))


async def test_the_word_under_the_mouse_is_lit(tmp_path: Path):
    app = StillApp(tmp_path, WORKING)
    async with app.run_test(size=(120, 36)) as pilot:
        await app.played.wait()
        header, lit = app.query_one(Header), app.ink.style("text").color
        at = header_line(app).index("commands")

        def colours() -> dict[str, object]:
            return {text.strip(): style.color for text, style in header.rows(120)[0]}

        assert colours()["commands"] != lit
        await pilot.hover(offset=(at, 0))
        assert colours()["commands"] == lit
        assert colours()["plan"] != lit
        await pilot.hover(offset=(at, 5))
        assert colours()["commands"] != lit


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (120, f"  wakeful · {WORKING.title}{' ' * 40}ctrl+t plan  ctrl+p commands"),
        (80, "  wakeful · find why test_login fails now and t…  ctrl+t plan  ctrl+p commands"),
        (50, "  wakeful · find why test_login fails now and then"),
    ],
)
async def test_a_long_title_leaves_room_for_the_keys(tmp_path: Path, columns: int, line: str):
    app = StillApp(tmp_path, WORKING)
    async with app.run_test(size=(columns, 36)):
        await app.played.wait()

        assert header_line(app) == line


async def test_the_word_that_holds_the_agent_can_be_clicked(tmp_path: Path):
    async with running(tmp_path, model=Scripted([(asyncio.Event(), *said("never"))])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await pilot.press("g", "o", "enter")
        await until(pilot, lambda: "esc holds" in screen_text(app))
        row, line = next(each for each in enumerate(screen_text(app).split("\n")) if "esc holds" in each[1])

        await pilot.click(offset=(line.index("holds"), row))

        await until(pilot, lambda: "interrupted" in screen_text(app))
