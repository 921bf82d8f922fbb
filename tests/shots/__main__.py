"""Takes the pictures of the documentation from the real program: `python -m tests.shots [NAME…]`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.shots.picture import FontError, need_font, save
from tests.terminal import Terminal
from tests.tui.app import stories

ROOT = Path(__file__).parents[2]
PYTHON = sys.executable
WAKEFUL = str(Path(PYTHON).with_name("wakeful"))
# A person's time to see what changed last; pictures are not judged by the clock.
GLANCE = 0.7
# Keys typed as a question comes up do not answer it.
GRACE = 1.0
CTRL_P, CTRL_T, ALT_T, F1 = "\x10", "\x14", "\x1bt", "\x1bOP"
ASK = "find why test_login fails now and then, and fix it\r"

Acted = Callable[[Terminal], None]


@dataclass(frozen=True, slots=True)
class Shot:
    name: str
    words: tuple[str, ...]
    act: Acted
    columns: int = 120
    rows: int = 36
    theme: str = "wakeful"


def story(how: str) -> tuple[str, ...]:
    return (PYTHON, "-m", "tests.tui.app.scripted", how)


def said(text: str, until: str, *more: tuple[str, str]) -> Acted:
    """Types a line, waits for what it leads to, and presses what else there is to press."""

    def act(terminal: Terminal) -> None:
        terminal.wait_for("dormant|nothing open", on_screen=True)
        terminal.type(text)
        terminal.wait_for(until, on_screen=True)
        for keys, then in more:
            terminal.settle(GRACE)
            terminal.type(keys)
            terminal.wait_for(then, on_screen=True)

    return act


def opened(keys: str, until: str = "nothing open") -> Acted:
    return said(keys, until)


OFFLINE = (WAKEFUL, "-m", "offline")
WORKING = story("login:shell")
ALLOWED = said(ASK, "Yes, once", ("y", "Edited"))
SHOTS = (
    Shot("app", WORKING, ALLOWED),
    Shot("app-light", WORKING, ALLOWED, theme="daylight"),
    Shot("narrow", WORKING, ALLOWED, columns=80, rows=24),
    Shot("wide", WORKING, ALLOWED, columns=200, rows=60),
    Shot("approval", story("login"), said(ASK, "Yes, once")),
    Shot("approval-light", story("login"), said(ASK, "Yes, once"), theme="daylight"),
    Shot("survey", OFFLINE, said("survey this project\r", "all done")),
    Shot("empty", OFFLINE, opened("")),
    Shot("plan", WORKING, said(ASK, "Yes, once", ("y", "Edited"), (ALT_T, "space tick"))),
    Shot("plan-narrow", WORKING, said(ASK, "Yes, once", ("y", "Edited"), (CTRL_T, "space tick")), 80, 24),
    Shot("palette", OFFLINE, opened(CTRL_P, "runs it")),
    Shot("keys", OFFLINE, opened(F1, "changes it")),
    Shot("themes", OFFLINE, opened("/theme\r", "try again")),
    Shot("themes-light", OFFLINE, opened("/theme\r", "try again"), theme="daylight"),
    Shot("sessions", OFFLINE, said("survey this project\r", "all done", ("/sessions\r", "5 completed"))),
    Shot("first-run", (WAKEFUL,), opened("")),
    Shot("settings", OFFLINE, opened("/settings\r", "changes it")),
    Shot("models", OFFLINE, opened("/model\r", "chooses")),
    Shot("menu", OFFLINE, opened("/", "of [0-9]+")),
    Shot("repl", (WAKEFUL, "repl", "-m", "offline"), said("survey this project\r", "Survey of")),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="shots")
    parser.add_argument("names", nargs="*", help="only these pictures")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "pictures")
    options = parser.parse_args()
    try:
        need_font()
    except FontError as error:
        print(f"shots: {error}", file=sys.stderr)
        return 1
    for shot in SHOTS:
        if not options.names or shot.name in options.names:
            path = options.to / f"{shot.name}.png"
            take(shot, path)
            print(f"{path} · {shot.columns}×{shot.rows} · {path.stat().st_size // 1024} kB", flush=True)
    return 0


def take(shot: Shot, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        project = home / "shop"
        stories.project(project)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "WAKEFUL_HOME": str(home / ".wakeful"),
            "WAKEFUL_UI_THEME": shot.theme,
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
        }
        git = ["git", "-C", str(project), "init", "-q", "-b", "main"]
        subprocess.run(git, check=True, env=environment)
        with Terminal(
            shot.words, env=environment, cwd=project, columns=shot.columns, rows=shot.rows
        ) as terminal:
            shot.act(terminal)
            terminal.settle(GLANCE)
            save(terminal.screen, path)


if __name__ == "__main__":
    sys.exit(main())
