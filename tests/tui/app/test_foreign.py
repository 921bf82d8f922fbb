"""What others wrote, in every place of the screen: it shows as text, and the screen keeps its shape."""

import asyncio
import os
import re
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from store import sessions
from store.database import open_store
from tests.terminal import Terminal
from tests.tui.app import foreign

ROOT = Path(__file__).parents[3]
COLUMNS, ROWS = 120, 40
GRACE = 1.0
PAGES = 12
PAGE_DOWN, TO_TOP, ALT_T, PASTE = "\x1b[6~", "\x1b[1;5H", "\x1bt", "\x1b[200~{}\x1b[201~"
CTRL_C, ESC = "\x03", "\x1b"
TITLES = ("\x1b]2;owned\x07a", "[/]b[@click=app.quit]", "e\u0301\u202e日本", "\udcff\udc80")
# Colours and places; modes, keyboard and what Textual asks for at the start; titles, links, copies, bells.
OURS = re.compile(
    rb"\x1b\[[0-9;]*[mH]|\x1b\[\?\d+(?:;\d+)*[hl]|\x1b\[[<>]\d*u|\x1b\[\?\d+\$p|\x1b\[2[23];2t|\x1b\[6n"
    rb"|\x1b\]22;[a-z]+\x07"
    rb"|\x1b\](?:2|9|52|8);[^\x00-\x1f\x7f]*(?:\x1b\\|\x07)|\x07"
)


@pytest.fixture
def terminal(tmp_path: Path) -> Generator[Terminal, None, None]:
    """In a folder, on a branch and among sessions that are named by someone who means harm."""
    folder = tmp_path / "evil\x1b]2;owned\x07[b]\u202e界"
    folder.mkdir()
    foreign.project(folder)
    asyncio.run(name_sessions(tmp_path / "home" / "wakeful.db", folder))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "WAKEFUL_HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
    }
    argv = [sys.executable, "-m", "tests.tui.app.scripted", "foreign", "permissions.mode=auto"]
    with Terminal(argv, env=environment, cwd=folder, columns=COLUMNS, rows=ROWS) as found:
        yield found


def torn(terminal: Terminal) -> list[str]:
    """Rows whose edges are not where they belong; empty when the screen has its shape."""
    buffer = terminal.screen.buffer
    edges = [y for y in range(ROWS) if any(buffer[y][x].data == "▏" for x in range(COLUMNS))]
    places = {x for y in edges for x in range(COLUMNS) if buffer[y][x].data == "▏"}
    faults = [f"the plan's edge is at {sorted(places)}"] if len(places) != 1 else []
    if edges != list(range(2, len(edges) + 2)):
        faults.append(f"the plan's edge is in the rows {edges}")
    # The scroll bar has the last column; the rows of the cursor, which are marked, have their own fill.
    plain = [y for y in edges if not any(buffer[y][x + 1].data == "▌" for x in places)]
    fills = {buffer[y][COLUMNS - 2].bg for y in plain}
    if len(fills) != 1:
        faults.append(f"the plan's rows end in {sorted(fills)}")
    margins = {y: COLUMNS - 2 if y in edges else COLUMNS - 1 for y in range(ROWS)}
    faults += [f"row {y} runs over its margin" for y, x in margins.items() if buffer[y][x].data.strip()]
    return faults


def torn_picker(terminal: Terminal) -> list[str]:
    """The same for a list that lies over everything: its fill is a box."""
    buffer = terminal.screen.buffer
    title = next(y for y, row in enumerate(terminal.shown.split("\n")) if "esc closes" in row)
    fill = buffer[title][COLUMNS // 2].bg
    filled = [[x for x in range(COLUMNS) if buffer[y][x].bg == fill] for y in range(ROWS)]
    sides = {(row[0], row[-1]) for row in filled if row}
    return [f"the sides of the list are at {sorted(sides)}"] if len(sides) != 1 else []


def left_over(terminal: Terminal) -> set[str]:
    """What is neither text nor a sequence of ours."""
    text = OURS.sub(b"", terminal.captured).decode("utf-8")
    return {each for each in text if not each.isprintable()} - {"\n", "\r"}


async def name_sessions(database: Path, folder: Path) -> None:
    async with open_store(database) as store:
        for title in foreign.spoken():
            made = await store.write(sessions.create, str(folder), agent="build", model="offline")
            await store.write(sessions.rename, made.id, title[:500])


def test_what_others_wrote_shows_as_text_wherever_it_shows(terminal: Terminal):
    terminal.wait_for("nothing open", on_screen=True)
    terminal.type("go\r")
    for _ in range(3):
        terminal.wait_for("type your answer", on_screen=True)
        terminal.settle(GRACE)
        assert torn(terminal) == [], terminal.shown
        terminal.type("1\r")
        terminal.wait_for("type your answer", gone=True)
    terminal.wait_for(foreign.END, on_screen=True)

    look_through(terminal, TO_TOP, PAGE_DOWN)
    look_through(terminal, ALT_T, PAGE_DOWN)
    look_through(terminal, "\r", "\x1b[B")
    look_through(terminal, ESC)
    look_through(terminal, ESC)
    look_through(terminal, "@", "\x1b[B")
    look_through(terminal, CTRL_C)
    terminal.type("/sessions\r")
    terminal.wait_for("esc closes", on_screen=True)
    look_through(terminal, "", PAGE_DOWN, torn_picker)
    terminal.type(ESC)
    terminal.wait_for("esc closes", gone=True)
    look_through(terminal, "")
    for title in TITLES:
        look_through(terminal, "/rename " + PASTE.format(title))
        look_through(terminal, "\r")
    look_through(terminal, PASTE.format("\n".join(foreign.spoken()[40:60])))
    look_through(terminal, CTRL_C)
    look_through(terminal, "and now\r")
    terminal.wait_for("idle: .*no · 90 open", on_screen=True)
    terminal.type(f"{CTRL_C}{CTRL_C}")
    terminal.end()

    assert left_over(terminal) == set()
    assert terminal.is_sane() == []


def calm_down(terminal: Terminal) -> None:
    """Until nothing more is drawn."""
    drawn = -1
    while drawn != len(terminal.captured):
        drawn = len(terminal.captured)
        terminal.settle(0.2)


def look_through(
    terminal: Terminal, first: str, then: str = "", faults: Callable[[Terminal], list[str]] = torn
) -> None:
    """Press one key, and another until nothing moves any more."""
    terminal.type(first)
    before = ""
    for _ in range(PAGES):
        calm_down(terminal)
        assert faults(terminal) == [], terminal.shown
        if not then or terminal.shown == before:
            break
        before = terminal.shown
        terminal.type(then)
