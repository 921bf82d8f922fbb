"""What a command leaves in the conversation: an answer, and nothing where it only opened a screen."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from store import prompts
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.app import WakefulApp
from tui.transcript.entries import UserMessage


async def test_a_key_for_the_mode_changes_the_footer_and_nothing_else(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "writes a plan" in screen_text(app))

        await pilot.press("shift+tab", "shift+tab")

        await until(pilot, lambda: "plan: reads and plans" in screen_text(app))
        assert " plan " in screen_text(app).splitlines()[-1]
        assert "writes a plan" in screen_text(app)
        assert spoken(app) == []
        assert app.stage is not None
        assert await app.stage.opened.store.read(prompts.recent, str(app.stage.root)) == ()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/sessions", "Sessions of this folder"),
        ("/model", "Model for the next turn"),
        ("/theme", "enter keeps it"),
        ("/settings", "wake.max_cycles"),
        ("/keys", "Interrupt and hold"),
    ],
)
async def test_a_command_that_opens_a_screen_leaves_nothing_when_it_is_closed(
    tmp_path: Path, line: str, shown: str
):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "writes a plan" in screen_text(app))

        await typed(pilot, line)
        await until(pilot, lambda: shown in screen_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: "writes a plan" in screen_text(app))

        assert spoken(app) == []


async def test_a_choice_is_said_with_its_answer(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)

        await typed(pilot, "/model")
        await until(pilot, lambda: "Model for the next turn" in screen_text(app))
        await pilot.press("enter")

        await until(pilot, lambda: spoken(app) == ["/model offline"])


async def test_a_command_stands_above_what_came_of_it(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)

        await typed(pilot, "/permissions mode plan")

        await until(pilot, lambda: "mode: plan" in screen_text(app))
        shown = screen_text(app)
        assert shown.index("/permissions mode plan") < shown.index("mode: plan")


def spoken(app: WakefulApp) -> list[str]:
    bodies = [slot.body for slot in app.transcript.document.slots]
    return [body.text for body in bodies if isinstance(body, UserMessage)]


async def typed(pilot: Pilot[int], line: str) -> None:
    await type_text(pilot, line)
    await pilot.press("escape", "enter")


async def test_a_long_answer_is_read_from_its_beginning_in_columns_of_a_fitting_width(tmp_path: Path):
    async with running(tmp_path, size=(100, 30)) as (app, pilot):
        await until(pilot, lambda: app.stage)

        await typed(pilot, "/help")

        await until(pilot, lambda: "/todos [FILTER]" in screen_text(app))
        assert "/quit" not in screen_text(app)
        (row,) = [row for row in screen_text(app).splitlines() if "/wake " in row]
        assert row.split("/wake")[1].strip() == "Go on with open work, with a fresh budget of wakes"
        assert row.index("Go on") <= 2 + 100 // 3 + 2

        await typed(pilot, "hello")
        await until(pilot, lambda: spoken(app)[-1] == "hello")
        await until(pilot, lambda: "hello" in screen_text(app))
