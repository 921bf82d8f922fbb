"""The agent's jobs in the background are not ended without a word, and are named when they end."""

import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.terminal import Terminal
from tests.tui.repl.test_conversation import CTRL_C, CTRL_D

ROOT = Path(__file__).parents[3]
LINEAR = pytest.mark.parametrize("linear", [False, True], ids=["screen", "linear"])
ASKED = r"1 job \(sleep 1000\) would end; ctrl\+d again leaves"
ENDED = r"ended 1 job: sleep 1000"

Serve = Callable[[bool], Terminal]


def argv(*how: str) -> list[str]:
    return [sys.executable, "-m", "tests.tui.scripted", "job", *how]


@pytest.fixture
def serve(project: Path, environment: dict[str, str]) -> Generator[Serve, None, None]:
    """Start the REPL and let the agent begin a job."""
    with ExitStack() as stack:

        def started(linear: bool) -> Terminal:
            how = ["linear"] if linear else []
            env = environment | {"PYTHONPATH": str(ROOT)}
            terminal = stack.enter_context(Terminal(argv(*how), env=env, cwd=project))
            terminal.wait_for("(?i)dormant: nothing open")
            terminal.type("serve\r")
            terminal.wait_for(r"(?is)It runs\..*dormant: nothing open.*1 job runs")
            return terminal

        yield started


@LINEAR
def test_the_second_ctrl_d_leaves_and_the_first_names_the_job(serve: Serve, linear: bool):
    terminal = serve(linear)

    terminal.type(CTRL_D)
    terminal.wait_for(ASKED)
    terminal.type(CTRL_D)

    assert terminal.end() == 0
    terminal.wait_for(ENDED)
    assert terminal.is_sane() == []


@LINEAR
def test_a_line_between_two_ctrl_d_keeps_the_job(serve: Serve, linear: bool):
    terminal = serve(linear)

    terminal.type(CTRL_D)
    terminal.wait_for(ASKED)
    terminal.type("!echo more\r")
    terminal.wait_for(r"\nmore *\n")
    terminal.type(CTRL_D)
    terminal.wait_for(f"(?s){ASKED}.*{ASKED}")
    terminal.type("/quit\r")
    terminal.wait_for(r"1 job runs in the background: sleep 1000\. End them and go\?")
    assert ENDED not in terminal.text


@LINEAR
def test_ctrl_c_names_the_job_before_its_second_press_leaves(serve: Serve, linear: bool):
    terminal = serve(linear)

    terminal.type(CTRL_C)
    terminal.wait_for(r"ctrl\+c again leaves and ends 1 job \(sleep 1000\), or ctrl\+d")
    terminal.type(CTRL_D)

    assert terminal.end() == 0
    terminal.wait_for(ENDED)


@pytest.mark.parametrize("source", ["serve\n", "serve\n/quit\n"])
def test_a_pipe_is_not_asked_and_is_told_which_job_ended(
    project: Path, environment: dict[str, str], source: str
):
    env = environment | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        argv(), input=source, env=env, cwd=project, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("ended 1 job: sleep 1000")
    assert "would end" not in done.stdout
