import signal
import time
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from store.lock import owner
from tests.programs import need
from tests.terminal import Terminal
from tests.tui.app.ssh import missing, over_ssh
from tests.tui.repl.conftest import WAKEFUL, Start

CTRL_D = "\x04"


@pytest.fixture
def start(project: Path, environment: dict[str, str], tmp_path: Path) -> Generator[Start, None, None]:
    there = {name: environment[name] for name in ("HOME", "WAKEFUL_HOME", "SHELL")}
    need("ssh", missing())
    with ExitStack() as stack:

        def started(*words: str, columns: int = 100, rows: int = 30) -> Terminal:
            argv = over_ssh([WAKEFUL, "-m", "offline", *words], there, cwd=project, folder=tmp_path / "ssh")
            terminal = Terminal(argv, env=environment, cwd=tmp_path, columns=columns, rows=rows)
            return stack.enter_context(terminal)

        yield started


def test_over_ssh_all_is_there_and_a_line_that_breaks_loses_nothing(
    start: Start, environment: dict[str, str]
):
    terminal = start()
    terminal.type("survey this")
    terminal.wait_for("(?s)nothing open.*▌ survey this", on_screen=True)
    terminal.type(" project\r")
    terminal.wait_for("(?s)5 done.*all done · 5/5", on_screen=True)
    terminal.type("/todo add Water the plants\r")
    terminal.wait_for(r"○ Water the plants +#6", on_screen=True)
    terminal.resize(72, 20)
    terminal.wait_for(r"(?m)^  build · ask mode · .{49}$", on_screen=True)
    terminal.type("half a sentence")
    terminal.wait_for("▌ half a sentence", on_screen=True)

    terminal.kill(signal.SIGKILL)
    _wait_for_the_end(Path(environment["WAKEFUL_HOME"]) / "locks")
    back = start("-c")

    back.wait_for(r"(?s)Water the plants +#6.*▌ half a sentence", on_screen=True)
    back.type("\x7f" * len("half a sentence"))
    back.wait_for("▌ message, /", on_screen=True)
    back.type(CTRL_D)
    assert back.end() == 0
    assert "5/6 done · wakeful -c goes on" in back.captured.decode()
    assert back.is_sane() == []


def _wait_for_the_end(locks: Path) -> None:
    """Nobody tells of a process that is not ours, but it has the lock as long as it lives."""
    (session_id,) = (path.stem for path in locks.iterdir())
    while owner(locks, session_id) is not None:
        time.sleep(0.05)
