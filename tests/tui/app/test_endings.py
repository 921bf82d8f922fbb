"""However the app ends, the terminal is what it was before."""

import re
import signal
import sys
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tui.repl.conftest import WAKEFUL, Start
from tests.tui.wakeful import wakeful

ROOT = Path(__file__).parents[3]
CTRL_C, CTRL_D = "\x03", "\x04"
KEYS = {"ctrl+d": CTRL_D, "ctrl+c twice": CTRL_C * 2, "/quit": "/quit\r"}
SIGNALS = {
    "INT": signal.SIGINT,
    "TERM": signal.SIGTERM,
    "HUP": signal.SIGHUP,
    "QUIT": signal.SIGQUIT,
}
WAYS = (*SIGNALS, *KEYS)
EXPECTED = {"ctrl+d": 0, "/quit": 0, "ctrl+c twice": 130, "INT": 130, "TERM": 143, "HUP": 129, "QUIT": 131}
READY = "dormant: nothing open"


@pytest.mark.parametrize("moment", ["idle", "asked", "running"])
@pytest.mark.parametrize("way", WAYS)
def test_the_terminal_is_left_as_it_was(start: Start, way: str, moment: str):
    terminal = start()
    terminal.wait_for(READY)
    if moment == "asked":
        terminal.type("run the tests\r")
        terminal.wait_for("Run this command")
        if way in KEYS:
            # A question has the keys; the user puts it away first.
            terminal.settle(1)
            terminal.type("\x1b")
            terminal.wait_for("held", on_screen=True)
    if moment == "running":
        terminal.type("!echo begun; sleep 1000\r")
        terminal.wait_for(r"\n +begun")

    _go(terminal, way)

    assert terminal.end() == EXPECTED[way]
    assert terminal.is_sane() == []


def test_an_interrupt_while_nothing_runs_is_told_in_passing_and_leaves_no_trace(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.kill(signal.SIGINT)
    terminal.wait_for("again leaves", on_screen=True)
    terminal.wait_for("again leaves", gone=True, on_screen=True)

    _go(terminal, "ctrl+d")

    assert terminal.end() == 0
    assert terminal.is_sane() == []


@pytest.mark.parametrize("late", [CTRL_C, "more\r", "/todo add late\r", "\x1b"], ids=repr)
def test_keys_that_come_while_it_leaves_do_no_harm(start: Start, late: str):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("words")
    terminal.wait_for("▌ words", on_screen=True)
    terminal.type(CTRL_C)
    terminal.wait_for("again leaves", on_screen=True)

    terminal.type(CTRL_C + late)

    assert terminal.end() == EXPECTED["ctrl+c twice"]
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
        before = len(terminal.captured)
        terminal.kill(signal.SIGCONT)
        terminal.type("still here")
        terminal.wait_for("▌ still here", on_screen=True)
        terminal.type("\x7f" * len("still here"))
        terminal.wait_for("▌ message, /", on_screen=True)
        # A shell switches these off when it asks for a line.
        assert all(f"\x1b[?{mode}h".encode() in terminal.captured[before:] for mode in (2004, 1004, 1006))

        _go(terminal, way)

        assert terminal.end() == EXPECTED[way]
        assert terminal.is_sane() == []


def test_all_is_drawn_anew_after_a_stop_that_was_told(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.kill(signal.SIGTSTP)
    while not terminal.is_stopped():
        terminal.read(0.05)
    # What it said before it stopped is there to be read.
    terminal.settle(0.1)
    assert terminal.is_sane() == ["another title"]
    terminal.screen.reset()

    terminal.kill(signal.SIGCONT)

    terminal.wait_for(f"(?s)wakeful.*ctrl.p commands.*{READY}.*message, /", on_screen=True)
    terminal.type(CTRL_D)
    assert terminal.end() == 0
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
        terminal.type("/todo add Water the plants\r")
        terminal.wait_for(r"Water the plants +#1", on_screen=True)

        assert terminal.close() == EXPECTED["HUP"]
        assert not [each for each in _log(environment) if "ERROR" in each]


def test_an_error_nobody_foresaw_is_one_line_on_a_sane_terminal(project: Path, environment: dict[str, str]):
    argv = [sys.executable, "-m", "tests.tui.scripted", "broken", "app"]
    env = environment | {"PYTHONPATH": str(ROOT)}
    with Terminal(argv, env=env, cwd=project, columns=100, rows=30) as terminal:
        terminal.wait_for("dormant: nothing open")

        terminal.type("hello\r")

        assert terminal.end() == 1
        assert "unforeseen" in terminal.text
        assert terminal.is_sane() == []


@pytest.mark.parametrize("words", [[], ["app"], ["-c"], ["-m", "offline"]], ids=" ".join)
def test_without_a_terminal_the_app_says_what_to_use_instead(tmp_path: Path, words: list[str]):
    done = wakeful(tmp_path, *words)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wakeful: there is no terminal here; use `wakeful run PROMPT`")
    assert all(f"`wakeful {door}`" in done.stderr for door in ("repl", "todos", "tour"))


def test_a_terminal_without_a_screen_is_told_to_use_the_repl(start: Start):
    terminal = start(TERM="dumb")

    assert terminal.end() == 2
    assert "`wakeful repl`" in terminal.text
    assert b"\x1b" not in terminal.captured


@pytest.mark.parametrize("way", ["ctrl+d", "ctrl+c twice", "INT", "TERM"])
def test_leaving_says_how_far_the_plan_is_and_how_to_come_back(start: Start, way: str):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("/todo add Water the plants\r")
    terminal.wait_for(r"Water the plants +#1", on_screen=True)

    _go(terminal, way)

    assert terminal.end() == EXPECTED[way]
    assert _last_words(terminal) == "0/1 done · wakeful -c goes on\r\n"
    assert terminal.is_sane() == []


def test_a_session_without_a_plan_is_named_where_the_shell_is_in_another_folder(
    project: Path, environment: dict[str, str]
):
    argv = [WAKEFUL, "-m", "offline", "-C", str(project)]
    env = environment | {"LANG": "C"}
    with Terminal(argv, env=env, cwd=project.parent, columns=100, rows=30) as terminal:
        terminal.wait_for("dormant: nothing open")
        terminal.type("what is this\r")
        terminal.wait_for("dormant: nothing open - type to continue", on_screen=True)

        _go(terminal, "ctrl+d")

        assert terminal.end() == 0
        assert re.fullmatch(r"wakeful -r [0-9A-Z]{26} goes on\r\n", _last_words(terminal))


def test_nothing_is_said_on_leaving_a_session_in_which_nothing_was(start: Start):
    terminal = start()
    terminal.wait_for(READY)
    terminal.type("/todos\r")
    terminal.wait_for("(?s)/todos.*no todos", on_screen=True)

    _go(terminal, "ctrl+d")

    assert terminal.end() == 0
    assert _last_words(terminal) == ""


def _go(terminal: Terminal, way: str) -> None:
    if way in KEYS:
        terminal.type(KEYS[way])
        return
    terminal.kill(SIGNALS[way])
    if way == "INT":
        terminal.wait_for("again leaves|stopped|interrupted|held", on_screen=True)
        terminal.kill(signal.SIGINT)


def _log(environment: dict[str, str]) -> list[str]:
    found = Path(environment["WAKEFUL_HOME"]).rglob("wakeful.log")
    return [line for path in found for line in path.read_text().splitlines()]


def _last_words(terminal: Terminal) -> str:
    """What comes after the title of the window is given back, which is the last of the app."""
    return terminal.captured.rpartition(b"\x1b[23;2t")[2].decode()
