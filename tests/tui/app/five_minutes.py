"""A new user's first five minutes, as the README tells them, on a terminal inside tmux."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.terminal import Terminal

COLUMNS, ROWS = 110, 48
ESCAPE, CTRL_D = "\x1b", "\x04"

Look = Callable[[str], None]


def tmux() -> str | None:
    return shutil.which("tmux")


@contextmanager
def inside_tmux(
    command: str, environment: Mapping[str, str], folder: Path
) -> Generator[Terminal, None, None]:
    """A shell in a tmux of its own, whose first command is typed."""
    program, name = tmux(), f"wakeful-{folder.parent.name}"
    assert program
    argv = [program, "-L", name, "-f", "/dev/null", "new-session", "-x", str(COLUMNS), "-y", str(ROWS), "sh"]
    try:
        with Terminal(argv, env=environment, cwd=folder, columns=COLUMNS, rows=ROWS) as terminal:
            terminal.wait_for(r"(?m)^[$#]", on_screen=True)
            terminal.type(f"{command}\r")
            yield terminal
    finally:
        subprocess.run([program, "-L", name, "kill-server"], check=False, capture_output=True)


def walk(terminal: Terminal, wakeful: str, look: Look) -> None:
    """Each step of the README, and what it says one sees; `look` is told when something is to be seen."""
    terminal.wait_for("(?s)Which model shall work for you.*Try offline", on_screen=True)
    look("choice")
    terminal.type(ESCAPE)
    terminal.wait_for("(?s)No model is chosen yet.*nothing open", on_screen=True)
    look("start")
    terminal.type("survey this project\r")
    terminal.wait_for("(?s)Plan +5/5.*5 done", on_screen=True)
    terminal.wait_for("(?s)no language model.*Survey of this project.*all done · 5/5", on_screen=True)
    look("survey")
    terminal.type("/todos all\r")
    terminal.wait_for(r"(?s)/todos all.*#5.*Summarise", on_screen=True)
    terminal.type("/todo add Water the plants\r")
    terminal.wait_for(r"○ Water the plants +#6", on_screen=True)
    terminal.wait_for(r"idle|dormant", on_screen=True)
    terminal.type("/todos pending\r")
    terminal.wait_for(r"(?s)/todos pending.*#6.*Water the plants", on_screen=True)
    look("todos")
    terminal.type("run the tests\r")
    terminal.wait_for("Run this command", on_screen=True)
    look("question")
    terminal.settle(1)
    terminal.type(ESCAPE)
    terminal.wait_for("held", on_screen=True)
    look("held")
    terminal.type("/wake\r")
    terminal.wait_for("(?s)/wake.*(thinking|wakes in|idle)", on_screen=True)
    terminal.settle(1)
    terminal.type(ESCAPE)
    look("woken")
    terminal.type(CTRL_D)
    terminal.wait_for(r"(?m)^[$#]", on_screen=True)
    terminal.type(f"{wakeful} repl -c\r")
    terminal.wait_for("(?s)Water the plants.*›", on_screen=True)
    look("repl")
