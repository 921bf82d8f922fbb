"""What becomes of a click on a link."""

import asyncio
import os
from pathlib import Path

import pytest

from agent.models.scripted import Scripted
from tests.agent.openings import opening
from tests.tui.app.pilots import running, screen_text, until
from tui.transcript.ink import openable
from tui.transcript.view import LinkClicked, Transcript


async def clicked(tmp_path: Path, address: str, browser: str, **variables: str) -> tuple[str, str, str]:
    """What was opened, what was copied, and what the screen says."""
    programs, asked = tmp_path / "programs", tmp_path / "asked"
    programs.mkdir()
    # A pipe says when the program has been started, and with what.
    os.mkfifo(asked)
    (programs / "windowed").write_text(f'#!/bin/sh\nprintf %s "$*" > {asked}\n')
    (programs / "windowed").chmod(0o755)
    more = {"BROWSER": browser, "PATH": str(programs), **variables}
    environment = {**opening(tmp_path).environment, **more}
    async with running(tmp_path, model=Scripted([]), environment=environment) as (app, pilot):
        await until(pilot, lambda: app.stage)
        app.query_one(Transcript).post_message(LinkClicked(address))
        await pilot.pause()
        await pilot.pause()
        copied = app.clipboard
        if copied or not openable(address):
            return "", copied, screen_text(app)
        return await asyncio.to_thread(asked.read_text), copied, screen_text(app)


@pytest.mark.parametrize(
    ("address", "opened"),
    [("https://example.org/a", True), ("mailto:a@example.org", True), ("file:///etc/passwd", False)],
)
async def test_only_pages_and_mail_are_opened(tmp_path: Path, address: str, opened: bool):
    asked, copied, _ = await clicked(tmp_path, address, "windowed", DISPLAY=":0")

    assert asked == (address if opened else "")
    assert copied == ""


@pytest.mark.parametrize(("browser", "display"), [("windowed", ""), ("lynx", ":0"), ("/usr/bin/w3m", ":0")])
async def test_an_address_is_copied_where_a_browser_would_paint_over_the_screen(
    tmp_path: Path, browser: str, display: str
):
    asked, copied, screen = await clicked(tmp_path, "https://example.org/a", browser, DISPLAY=display)

    assert asked == ""
    assert copied == "https://example.org/a"
    assert "address copied" in screen
