from pathlib import Path

import pytest
from textual.events import DescendantFocus
from textual.message import Message
from textual.widgets import TextArea

from tests.tui.app.pilots import running, screen_text, type_text, until


@pytest.mark.smoke
async def test_a_survey_shows_its_plan_and_what_was_found(tmp_path: Path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "README.md").write_text("# Demo\n\nA small demo.\n")

    async with running(tmp_path) as (app, pilot):
        await type_text(pilot, "survey this project")
        await pilot.press("enter")
        await until(pilot, lambda: "all done" in screen_text(app))

        text = screen_text(app)
        assert "5/5" in text
        assert "✓ Read the main files" in text
        assert "Survey of this project" in text


async def test_what_is_typed_before_the_session_is_open_is_not_lost(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await type_text(pilot, "/help")
        await pilot.press("enter")

        await until(pilot, lambda: "/todos [FILTER]" in screen_text(app))


async def test_what_comes_when_the_screen_is_gone_is_let_go(tmp_path: Path):
    async with running(tmp_path) as (app, pilot):
        await until(pilot, lambda: app.stage)
    late: list[Message] = [DescendantFocus(app.prompt), TextArea.Changed(app.prompt)]

    assert not app.screen_stack
    for message in late:
        await app._dispatch_message(message)  # pyright: ignore[reportPrivateUsage]
