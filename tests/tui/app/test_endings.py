"""However the app ends, the terminal is what it was before."""

import signal
import sys
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tui.repl.conftest import WAKEFUL, Start

ROOT = Path(__file__).parents[3]
CTRL_C, CTRL_D = "\x03", "\x04"
KEYS = {"ctrl+d": CTRL_D, "ctrl+c twice": CTRL_C * 2, "/quit": "/quit\r"}
SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}
WAYS = (*SIGNALS, *KEYS)
EXPECTED = {"ctrl+d": 0, "/quit": 0, "ctrl+c twice": 130, "INT": 130, "TERM": 143, "HUP": 129}
READY = "dormant: nothing open"


@pytest.mark.parametrize("moment", ["idle", "asked", "running"])
@pytest.mark.parametrize("way", WAYS)
def test_the_terminal_is_left_as_it_was(start: Start, way: str, moment: str):
    terminal = start()
    terminal.wait_for(READY)
    if moment == "asked":
        terminal.type("run the tests\r")
        terminal.wait_for("May the agent run make test")
        if way in KEYS:
            # A question has the keys; the user puts it away first.
            terminal.settle(1)
            terminal.type("\x1b")
            terminal.wait_for("held", on_screen=True)
    if moment == "running":
        terminal.type("!echo begun; sleep 1000\r")
        terminal.wait_for(r"\n +begun")

    if way in KEYS:
        terminal.type(KEYS[way])
    else:
        terminal.kill(SIGNALS[way])
        if way == "INT":
            terminal.wait_for("again leaves|stopped|interrupted|held", on_screen=True)
            terminal.kill(signal.SIGINT)

    assert terminal.end() == EXPECTED[way]
    assert terminal.is_sane() == []


@pytest.mark.parametrize("way", ["TERM", "ctrl+d", "ctrl+c twice"])
@pytest.mark.parametrize("instant", ["1", "0"])
def test_a_stop_that_cannot_be_told_changes_nothing(
    project: Path, environment: dict[str, str], way: str, instant: str
):
    argv = [WAKEFUL, "-m", "offline"]
    env = environment | {"WAKEFUL_INSTANT": instant}
    with Terminal(argv, env=env, cwd=project, columns=100, rows=30) as terminal:
        terminal.wait_for(READY)
        terminal.kill(signal.SIGSTOP)
        terminal.cook()
        terminal.kill(signal.SIGCONT)
        terminal.type("still here")
        terminal.wait_for("▌ still here", on_screen=True)
        terminal.type("\x7f" * len("still here"))
        terminal.wait_for("▌ message, /", on_screen=True)

        if way in KEYS:
            terminal.type(KEYS[way])
        else:
            terminal.kill(SIGNALS[way])

        assert terminal.end() == EXPECTED[way]
        assert terminal.is_sane() == []


@pytest.mark.parametrize("errors", ["2>/dev/null", "2>&-"])
def test_the_screen_does_not_go_where_errors_go(project: Path, environment: dict[str, str], errors: str):
    argv = ["/bin/sh", "-c", f"exec {WAKEFUL} -m offline {errors}"]
    with Terminal(argv, env=environment, cwd=project, columns=100, rows=30) as terminal:
        terminal.wait_for(READY)
        terminal.type(CTRL_D)

        assert terminal.end() == 0
        assert terminal.is_sane() == []


@pytest.mark.parametrize("told", [True, False], ids=["hung up", "untold"])
def test_it_ends_when_its_window_is_closed(project: Path, environment: dict[str, str], told: bool):
    argv = [WAKEFUL, "-m", "offline"]
    with Terminal(argv, env=environment, cwd=project, columns=100, rows=30, controlling=told) as terminal:
        terminal.wait_for(READY)

        assert terminal.close() == EXPECTED["HUP"]


def test_an_error_nobody_foresaw_is_one_line_on_a_sane_terminal(project: Path, environment: dict[str, str]):
    argv = [sys.executable, "-m", "tests.tui.scripted", "broken", "app"]
    env = environment | {"PYTHONPATH": str(ROOT)}
    with Terminal(argv, env=env, cwd=project, columns=100, rows=30) as terminal:
        terminal.wait_for("dormant: nothing open")

        terminal.type("hello\r")

        assert terminal.end() == 1
        assert "unforeseen" in terminal.text
        assert terminal.is_sane() == []


def test_without_a_terminal_the_app_says_what_to_use_instead(tmp_path: Path):
    from tests.tui.wakeful import wakeful

    done = wakeful(tmp_path, "app")

    assert done.returncode == 1
    assert "wakeful run PROMPT" in done.stderr
