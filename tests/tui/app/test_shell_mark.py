from pathlib import Path

from agent.models.scripted import Scripted
from tests.tui.app.pilots import running, screen_text, type_text, until


async def test_a_line_for_the_shell_looks_different_and_runs_there(tmp_path: Path):
    async with running(tmp_path, model=Scripted([])) as (app, pilot):
        await until(pilot, lambda: app.stage)
        await type_text(pilot, "!echo it is $((40+2))")
        await until(pilot, lambda: "$ !echo" in screen_text(app))
        assert app.screen.has_class("shell")

        await pilot.press("enter")
        await until(pilot, lambda: "it is 42" in screen_text(app))

        assert not app.screen.has_class("shell")
