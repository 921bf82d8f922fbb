"""However it ends, the terminal is what it was before."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attacks import attacks
from tests.terminal import Terminal
from tests.tui.repl.conftest import WAKEFUL, Start
from tests.tui.repl.test_conversation import APPROVAL, CTRL_C, CTRL_D, GRACE, READY

ROOT = Path(__file__).parents[3]
# Colours and weights, cursor moves, erasing downwards, and the modes of paste, cursor, wrap and arrow keys.
OURS = re.compile(
    rb"\x1b\[[0-9;]*m|\x1b\[\d*[ABCD]|\x1b\[[JK]|\x1b\[0[JK]|\x1b\[\?(?:1|7|12|25|2004)[hl]|\x1b\[\d+G"
)
KEYS = {"ctrl+d": CTRL_D, "ctrl+c twice": CTRL_C * 2, "/quit": "/quit\r"}
SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}
WAYS = (*SIGNALS, *KEYS)


# Line by line the terminal itself edits what is typed, and turns ctrl+c into its signal.
CASES = [
    *((way, moment, False) for way in WAYS for moment in ("idle", "typing", "asked", "running")),
    *(
        (way, moment, True)
        for way in WAYS
        if way != "ctrl+c twice"
        for moment in ("idle", "asked", "running")
    ),
]


@pytest.mark.parametrize(("way", "moment", "linear"), CASES)
def test_the_terminal_is_left_as_it_was(start: Start, way: str, moment: str, linear: bool):
    terminal = start(*(["--linear"] if linear else []))
    terminal.wait_for("(?i)dormant: nothing open")
    if moment == "typing":
        terminal.type("/to")
        terminal.wait_for(r"› /to\n.*/todos")
        if way in KEYS:
            # These keys mean something else while something is typed.
            terminal.type(CTRL_C)
            terminal.wait_for(r"again leaves")
    if moment == "asked":
        terminal.type("run the tests\r")
        terminal.wait_for(APPROVAL)
        terminal.settle(GRACE)
    if moment == "running":
        terminal.type("!echo begun; sleep 1000\r")
        terminal.wait_for(r"\nbegun")

    if way in KEYS:
        terminal.type(KEYS[way] if (moment, way) != ("typing", "ctrl+c twice") else CTRL_C)
    else:
        terminal.kill(SIGNALS[way])
        if way == "INT":
            terminal.wait_for("again leaves|stopped|interrupted|held")
            terminal.kill(signal.SIGINT)

    expected = {"ctrl+d": 0, "/quit": 0, "ctrl+c twice": 130, "INT": 130, "TERM": 143, "HUP": 129}
    assert terminal.end() == expected[way]
    assert terminal.is_sane() == []


@pytest.mark.parametrize("linear", [False, True], ids=["screen", "linear"])
def test_an_error_nobody_foresaw_leaves_the_terminal_as_it_was(
    project: Path, environment: dict[str, str], linear: bool
):
    argv = [sys.executable, "-m", "tests.tui.scripted", "broken", *(["linear"] if linear else [])]
    env = environment | {"PYTHONPATH": str(ROOT)}
    with Terminal(argv, env=env, cwd=project) as terminal:
        terminal.wait_for("(?i)dormant: nothing open")

        terminal.type("hello\r")

        assert terminal.end() == 1
        assert "unforeseen" in terminal.text
        assert terminal.is_sane() == []


def test_no_sequence_but_ours_reaches_the_terminal(project: Path, environment: dict[str, str]):
    rows = [row.text for row in attacks("escape", "path") if "/" not in row.text and "\0" not in row.text]
    for number, text in enumerate(rows):
        (project / f"{number}.txt").write_bytes(text.encode("utf-8", "replace"))
        name = text.encode("utf-8", "replace")[:100]
        if name not in (b"", b".", b".."):
            (project / os.fsdecode(name)).write_text("named")
    argv = [sys.executable, "-m", "tests.tui.scripted", "hostile"]
    with Terminal(argv, env=environment | {"PYTHONPATH": str(ROOT)}, cwd=project) as terminal:
        terminal.wait_for(READY)

        terminal.type("do it all\r")
        terminal.wait_for(r"Read evil")
        terminal.settle(GRACE)
        terminal.type("y")
        terminal.wait_for(r"type your answer")
        terminal.settle(GRACE)
        terminal.type("1")
        terminal.wait_for(r"(?s)you: .*you: .*▌")
        terminal.settle(GRACE)
        terminal.type("y")
        terminal.wait_for(r"THE END")
        terminal.type("/todos all\r")
        terminal.wait_for(r"› /todos all")
        terminal.type("/todos log\r/todo show 1\r/search named\r/sessions\r")
        terminal.wait_for(r"(?s)› /sessions\n\nSessions of this folder.*chooses")
        for typed in ("/todo done ", "/plan import ", "@"):
            terminal.type(typed)
            terminal.settle(GRACE)
            terminal.type(CTRL_C)
            terminal.wait_for(r"› *\n", on_screen=True)
            # Twice in a row would leave.
            terminal.type(" ")
        terminal.type("@")
        terminal.settle(GRACE)
        terminal.type(f"{CTRL_C}{CTRL_C}")
        terminal.end()

        left = OURS.sub(b"", terminal.captured).decode("utf-8")
        assert {character for character in left if not character.isprintable()} <= {"\n", "\r", "\t"}
        assert terminal.is_sane() == []


def piped(project: Path, environment: dict[str, str], source: str) -> subprocess.CompletedProcess[str]:
    command = [WAKEFUL, "repl"]
    return subprocess.run(
        command, input=source, env=environment, cwd=project, capture_output=True, text=True, check=False
    )


def test_lines_of_a_pipe_are_run_one_after_the_other(project: Path, environment: dict[str, str]):
    done = piped(project, environment, "what are the largest files?\n/todos all\n!echo mine\n")

    assert done.returncode == 0
    assert done.stderr == ""
    places = [done.stdout.index(part) for part in ("largest files?", "README.md", "/todos all", "\nmine\n")]
    assert places == sorted(places)
    assert "\x1b" not in done.stdout


def test_a_pipe_gets_what_is_copied_as_text_and_is_told_once_what_is_left(
    project: Path, environment: dict[str, str]
):
    done = piped(project, environment, "/hold\n/todo add Buy milk\n/copy todos\n/todos all\n/todos high\n")

    assert "- [ ] Buy milk\n" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stdout.count("Still open at the end of this run") == 1


def test_the_notes_of_a_todo_come_through_a_pipe(project: Path, environment: dict[str, str]):
    block = "/todo add Buy milk\ntwo litres\nof the fresh one\n/endtodo\n"

    done = piped(project, environment, f"/hold\n{block}/todo add Buy\\\nbread\\\n/endtodo\n/copy todos\n")

    assert "- [ ] Buy milk\n  > two litres\n  > of the fresh one\n- [ ] Buy\n  > bread\n" in done.stdout
    assert "offline planner" not in done.stdout


def test_a_line_behind_an_added_todo_is_a_prompt_where_no_block_ends(
    project: Path, environment: dict[str, str]
):
    done = piped(project, environment, "/hold\n/todo add Buy milk\nwhat are the largest files?\n")

    assert "#1 [pending] Buy milk" in done.stdout
    assert "› what are the largest files?" in done.stdout


def test_a_pipe_is_never_asked_and_never_taken_for_an_answer(project: Path, environment: dict[str, str]):
    done = piped(project, environment, "run the tests\ny\nalways\n")

    assert "nobody is there to give it" in done.stdout
    assert "all 3 tests passed" not in done.stdout


@pytest.mark.parametrize(("source", "said"), [("lines", "\nfrom a file\n"), ("/dev/null", "")])
def test_a_file_is_input_too(project: Path, environment: dict[str, str], source: str, said: str):
    (project / "lines").write_text("/todos all\n!echo from a file")

    done = subprocess.run(
        ["/bin/sh", "-c", f"{WAKEFUL} repl < {source}"],
        env=environment,
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert said in done.stdout
    assert bool(done.stdout) is bool(said)


@pytest.mark.parametrize("how", ["/new", "/fork all", "/trust yes"])
def test_lines_behind_a_change_of_session_are_for_the_next(
    project: Path, environment: dict[str, str], how: str
):
    done = piped(project, environment, f"/hold\n/todo add Buy milk\n{how}\n!echo still here\n/status\n")

    assert "\nstill here\n" in done.stdout
    assert done.stdout.count("\nsession  ") == 1
