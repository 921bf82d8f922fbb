"""A second `wakeful repl` on a session that the first one runs, both on real terminals."""

import signal
import subprocess
from pathlib import Path

from tests.tui.repl.conftest import WAKEFUL, Start

READY = r"› *\n.*dormant: nothing open"
CTRL_C, CTRL_D = "\x03\x04"
GRACE = 0.8


def test_the_second_window_follows_and_takes_over_when_the_first_ends(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("run the tests\r")
    first.wait_for(r"Run this command\?\s+(?:▌ )?make test")
    first.settle(GRACE)

    second = start("-c")
    second.wait_for(r"following, read-only: PID \d+ · takes over when it ends")
    second.wait_for(r"› run the tests")
    second.type("hello\r")
    second.wait_for(r"read-only: type in the other window")
    first.type("y")
    second.wait_for(r"(?s)Ran make test.*all 3 tests passed")
    second.wait_for(r"dormant: ")
    first.wait_for(READY)
    first.type(CTRL_D)
    first.end()

    second.wait_for(r"(?s)the other process has ended; taking over.*› *\n.*dormant", on_screen=False)
    second.type("what are the largest files?\r")
    second.wait_for(r"(?s)largest files\?.*calc\.py")
    second.type(CTRL_D)
    assert second.end() == 0
    assert second.is_sane() == []


def test_the_second_window_takes_over_from_one_that_was_killed(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("run the tests\r")
    first.wait_for(r"Run this command\?\s+(?:▌ )?make test")

    second = start("-c")
    second.wait_for(r"following, read-only")
    first.kill(signal.SIGKILL)

    second.wait_for(r"(?s)taking over.*the last turn was interrupted")
    second.wait_for(r"› *\n", on_screen=True)


def test_the_second_window_tells_of_every_change_of_the_plan(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("/todo add one\r")
    first.wait_for(r"1 open")
    first.type("/todo add two\r")
    first.wait_for(r"2 open")

    second = start("-c")
    second.wait_for(r"(?s)following, read-only.*○ #2 two")
    first.type("/todo start 2\r")

    second.wait_for("▶ #2 two")


def test_leaving_lets_the_first_go_on(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("what are the largest files?\r")
    first.wait_for(r"(?s)calc\.py.*dormant")

    for key, status in ((CTRL_D, 0), (CTRL_C, 130)):
        second = start("-c")
        second.wait_for(r"following, read-only")
        second.type(key)
        assert second.end() == status
        assert second.is_sane() == []
        second.wait_for("left; the session goes on")

    first.type("what are the largest files?\r")
    first.wait_for(r"(?s)largest files\?.*largest files\?.*calc\.py")


def test_from_a_pipe_the_second_is_refused_with_the_owners_number(
    start: Start, project: Path, environment: dict[str, str]
):
    first = start()
    first.wait_for(READY)
    first.type("what are the largest files?\r")
    first.wait_for(r"(?s)calc\.py.*dormant")

    refused = subprocess.run(
        [WAKEFUL, "repl", "-c"],
        env=environment,
        cwd=project,
        input="hello\n",
        capture_output=True,
        text=True,
        check=False,
    )

    assert refused.returncode == 1
    assert "is open in process" in refused.stderr


def test_the_second_window_shows_and_changes_the_plan_of_the_first(start: Start):
    first = start()
    first.wait_for(READY)
    first.type("/hold\r/todo add Buy milk\r")
    first.wait_for(r"○ #1 Buy milk")
    second = start("-c")
    second.wait_for(r"following, read-only")

    second.type("/todo add Buy bread\r/todo start 2\r")
    first.wait_for(r"▶ #2 Buy bread")
    second.type("/todo done 1\r")
    first.wait_for(r"✓ #1 Buy milk")
    second.type("/todos all\r/todo done 9\r")

    shown = second.wait_for(r"(?s)/todos all.*#2 .*Buy bread.*#1 .*Buy milk.*no todo #9")
    assert "read-only: type in the other window" not in shown
