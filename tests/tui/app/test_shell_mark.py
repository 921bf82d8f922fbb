import re
from pathlib import Path

import pytest

from agent.models.scripted import Scripted
from tests.tui.app.pilots import running, screen_text, type_text, until
from tui.widgets.mark import Mark


async def test_a_line_for_the_shell_looks_different_and_runs_there(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        mark = app.query_one(Mark)
        usual = mark.rows(2)
        await type_text(pilot, "!echo it is $((40+2))")
        await until(pilot, lambda: mark.rows(2) != usual)

        await pilot.press("enter")
        await until(pilot, lambda: "it is 42" in screen_text(app))

        assert mark.rows(2) == usual


@pytest.mark.parametrize(
    ("command", "card"),
    [
        ("echo hello", r"✓ Ran echo hello +\d+ ms"),
        ("true", r"✓ Ran true +no output · \d+ ms"),
        ("echo hello; exit 3", r"✗ Ran echo hello; exit 3 +failed · exit code 3 · \d+ ms"),
    ],
)
async def test_a_command_of_ones_own_says_what_it_was_and_how_it_ended(
    tmp_path: Path, command: str, card: str
):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, f"!{command}")
        await pilot.press("enter")

        await until(pilot, lambda: re.search(card, screen_text(app)))

        assert "▌ !" in screen_text(app)
        assert "◌" not in screen_text(app)


async def test_a_command_that_is_stopped_does_not_look_as_if_it_ran_on(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "!echo begun; sleep 60")
        await pilot.press("enter")
        await until(pilot, lambda: "◌ Running echo begun; sleep 60" in screen_text(app))

        await pilot.press("escape")

        await until(pilot, lambda: "⊘ Ran echo begun; sleep 60" in screen_text(app))
        assert "stopped: echo begun; sleep 60" in screen_text(app)


async def test_a_command_that_prints_nothing_yet_is_seen_to_run(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "!sleep 60")
        await pilot.press("enter")

        await until(pilot, lambda: "◌ Running sleep 60" in screen_text(app))
        await until(pilot, lambda: re.search(r"\S Running sleep 60 · \d+ s  esc stops", screen_text(app)))
        await pilot.press("escape")

        await until(pilot, lambda: "⊘ Ran sleep 60" in screen_text(app))
        assert "esc stops" not in screen_text(app)


async def test_two_commands_at_once_keep_their_output_apart(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "!echo one; sleep 60")
        await pilot.press("enter")
        await until(pilot, lambda: "◌ Running echo one; sleep 60" in screen_text(app))
        await type_text(pilot, "!echo two")
        await pilot.press("enter")
        await until(pilot, lambda: re.search(r"✓ Ran echo two +\d+ ms\n +two\n", screen_text(app)))

        assert re.search(r"◌ Running echo one; sleep 60\n +one\n", screen_text(app))
        await pilot.press("escape")

        await until(pilot, lambda: "⊘ Ran echo one; sleep 60" in screen_text(app))
