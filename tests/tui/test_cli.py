from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.wakeful import COMMAND, environment, wakeful
from tui.cli import DOORS, FRONT_DOOR
from tui.parser import door_parser, load_door
from tui.version import VERSION


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version_is_one_line(tmp_path: Path, flag: str) -> None:
    done = wakeful(tmp_path, flag)

    assert (done.returncode, done.stdout, done.stderr) == (0, f"wakeful {VERSION}\n", "")


def test_version_after_a_common_option_still_answers(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "--debug", "--version")

    assert (done.returncode, done.stdout) == (0, f"wakeful {VERSION}\n")


def test_help_names_every_door(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "--help")

    assert done.returncode == 0
    assert all(f"  {name}" in done.stdout and line in done.stdout for name, line in DOORS.items())


@pytest.mark.parametrize("name", DOORS)
def test_every_door_keeps_the_contract(name: str) -> None:
    door = load_door(name)

    help_text = door_parser(name, door).format_help()

    assert door.HELP
    assert callable(door.run)
    assert all(option in help_text for option in ("-C DIR", "--set KEY=VALUE", "--debug"))


def test_the_front_door_is_a_door() -> None:
    assert FRONT_DOOR in DOORS


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["docter"], "wakeful: no command named 'docter'; did you mean doctor?\n"),
        (["zzzzzz"], "wakeful: no command named 'zzzzzz'; see wakeful --help\n"),
        (
            ["docter", "my", "cat"],
            (
                "wakeful: no command named 'docter'; did you mean doctor? "
                '`wakeful "docter my cat"` says it to the agent\n'
            ),
        ),
        (
            ["fix", "the", "test"],
            'wakeful: there is no terminal here; use `wakeful run "fix the test"`\n',
        ),
        (["fix it", "--theme", "dusk"], "wakeful: there is no terminal here; use `wakeful run PROMPT`\n"),
        (["print $HOME now"], "wakeful: there is no terminal here; use `wakeful run PROMPT`\n"),
        (["doctor", "--jsn"], "wakeful: wakeful doctor does not know '--jsn'; did you mean --json?\n"),
        (["doctor", "-C"], "wakeful: argument -C: expected one argument; see wakeful --help\n"),
    ],
)
def test_a_wrong_command_line_exits_2_with_the_nearest_right_one(
    tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    done = wakeful(tmp_path, *arguments)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", complaint)


def test_a_folder_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "doctor", "-C", "nowhere")

    assert done.returncode == 2
    assert done.stderr == "wakeful: cannot work in nowhere: No such file or directory; give -C a folder\n"


def test_an_error_of_a_json_door_is_json(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "doctor", "--json", "--wrong")

    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "usage"


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["doctor"], ["completion", "bash"], ["completion", "fish"]]
)
def test_the_reader_leaving_early_is_not_an_error(tmp_path: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [*COMMAND, *arguments], env=environment(tmp_path), stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (141, b"")


DISPATCH_BAD_DOOR = """
import sys
from types import ModuleType
from tui import cli
from tui.dispatch import dispatch

door = ModuleType("tui.doors.bad")
door.HELP = "fails"
door.arguments = lambda parser: parser.add_argument("--json", action="store_true")
def run(options):
    {body}
door.run = run
sys.modules["tui.doors.bad"] = door
cli.DOORS["bad"] = "fails"
sys.exit(dispatch(["bad", *sys.argv[1:]]))
"""


def run_bad_door(home: Path, body: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", DISPATCH_BAD_DOOR.format(body=body), *arguments],
        env=environment(home, **more),
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_unexpected_error_is_one_line_and_its_traceback_is_in_the_private_log(tmp_path: Path) -> None:
    secret = "canary-4f1c9d7e2b"
    body = f"raise ValueError('lost {secret}')"

    done = run_bad_door(tmp_path, body, MY_API_KEY=secret)

    log = tmp_path / "wakeful.log"
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("wakeful: something went wrong inside (ValueError: lost")
    assert str(log) in done.stderr
    assert "Traceback" in log.read_text()
    assert secret not in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    done = run_bad_door(tmp_path, "raise ValueError('lost')", "--debug")

    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_an_error_inside_a_json_door_is_json_on_stdout(tmp_path: Path) -> None:
    done = run_bad_door(tmp_path, "raise ValueError('lost')", "--json")

    assert (done.returncode, done.stderr) == (1, "")
    assert set(json.loads(done.stdout)["error"]) == {"code", "message", "hint"}


def test_a_home_that_cannot_be_written_changes_nothing_in_the_message(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()

    done = run_bad_door(blocked / "home", "raise ValueError('lost')")

    assert done.returncode == 1
    assert done.stderr.startswith("wakeful: something went wrong inside (ValueError: lost)")
    assert done.stderr.count("\n") == 1


def test_an_interrupt_exits_130_without_a_word(tmp_path: Path) -> None:
    # Tests that a shell started in the background were made deaf to it.
    body = "import os, signal; signal.signal(2, signal.default_int_handler); os.kill(os.getpid(), 2)"

    done = run_bad_door(tmp_path, body)

    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.SIGINT, "", "")


def test_common_options_may_stand_before_and_after_the_door(tmp_path: Path) -> None:
    body = "import os; print(os.getcwd(), options.settings, options.debug)"
    script = DISPATCH_BAD_DOOR.replace(
        '["bad", *sys.argv[1:]]', '["--set", "a=1", "bad", "--set", "b=2", "-C", sys.argv[1], "--debug"]'
    )

    done = subprocess.run(
        [sys.executable, "-c", script.format(body=body), str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        check=False,
    )

    assert done.stdout == f"{os.path.realpath(tmp_path)} ['a=1', 'b=2'] True\n"


def test_what_follows_two_dashes_is_never_an_option_of_ours(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "doctor", "--", "--debug", "-C", "nowhere")

    assert done.returncode == 2
    assert "cannot work in" not in done.stderr
