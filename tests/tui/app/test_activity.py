"""The line above the prompt, and what it goes by."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events

from agent.models.scripted import Scripted, said
from tests.tui.app.pilots import running, screen_text, type_text, until
from tests.tui.app.still import IDLE
from tui.theme import load_theme
from tui.transcript.ink import Ink
from tui.widgets.activity import Activity

BLOCKED = replace(
    IDLE,
    state="idle",
    reason=f"#1, #2 and #3 are blocked ({'nobody knows the version number; ' * 9}) · 3 open",
    resume="unblock one, or type to continue",
    cause="blocked",
)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_a_long_reason_leaves_room_for_what_would_resume_the_work(width: int):
    activity = Activity(Ink(load_theme("wakeful")))
    activity._status = BLOCKED  # pyright: ignore[reportPrivateUsage] # what `show` keeps, without an app to draw in

    (row,) = activity.rows(width)

    text = "".join(run[0] for run in row)
    assert text.startswith("  idle: #1, #2 and #3 are blocked (nob")
    assert text.rstrip().endswith("… · unblock one, or type to continue")
    assert len(text) <= width - 2


async def test_a_paste_ends_the_countdown_as_a_key_does(tmp_path: Path):
    model = Scripted([said("", ("todo_add", {"title": "slow work"})), said("later")])
    async with running(tmp_path, model=model, assignments=("wake.countdown=600",)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "work")
        await pilot.press("enter")
        await until(pilot, lambda: "wakes in" in screen_text(app))

        app.post_message(events.Paste("wait"))

        await until(pilot, lambda: "held · 1 open" in screen_text(app))
        assert app.prompt.text == "wait"


async def test_the_branch_is_that_of_now_after_a_command_and_a_look_elsewhere(tmp_path: Path):
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q", "-b", "first", project], check=True)
    head = project / ".git" / "HEAD"
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: "project:first" in screen_text(app))

        await type_text(pilot, "!git symbolic-ref HEAD refs/heads/second")
        await pilot.press("enter")
        await until(pilot, lambda: "project:second" in screen_text(app))

        head.write_text("ref: refs/heads/third\n")
        app.post_message(events.AppFocus())
        await until(pilot, lambda: "project:third" in screen_text(app))


@pytest.mark.parametrize("rows", [3, 4, 5])
async def test_in_the_lowest_window_the_prompt_is_what_is_left(tmp_path: Path, rows: int):
    async with running(tmp_path, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "hello")
        await pilot.resize_terminal(80, rows)
        await pilot.pause()

        assert "▌ hello" in screen_text(app)
