from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.wakeful import wakeful
from tui.checks import Check, check_colours, check_program
from tui.doors.doctor import render


def test_a_healthy_machine_exits_0_and_names_what_it_stands_on(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "doctor", "--json")

    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"]) == (0, True)
    assert {"python", "terminal", "colours", "encoding", "config", "sandbox", "git", "rg"} <= {
        check["name"] for check in report["checks"]
    }


def test_bare_wakeful_opens_the_front_door(tmp_path: Path) -> None:
    done = wakeful(tmp_path)

    assert done.returncode == 0
    assert "python" in done.stdout


@pytest.mark.parametrize(
    ("environment", "value"),
    [
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, "none (NO_COLOR is set)"),
        ({"COLORTERM": "24bit", "TERM": "xterm"}, "16 million"),
        ({"TERM": "screen-256color"}, "256"),
        ({"TERM": "linux"}, "16"),
        ({"TERM": "dumb"}, "none"),
        ({}, "none"),
    ],
)
def test_colours_follow_the_environment(environment: dict[str, str], value: str) -> None:
    assert check_colours(environment).value == value


def test_a_missing_program_is_a_note_with_a_way_out() -> None:
    check = check_program("no-such-program", "for fun")

    assert check == Check("no-such-program", "note", "not found", "install it for fun")


def test_a_program_that_fails_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho first >&2\necho 'out of luck' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    check = check_program("broken", "for fun")

    assert (check.status, check.value) == ("note", f"{program} fails (out of luck)")


def test_a_hint_stands_below_its_check() -> None:
    text = render([Check("a", "ok", "fine"), Check("longer", "broken", "bad", "mend it")])

    assert text.splitlines()[1:] == [
        "ok      a       fine",
        "broken  longer  bad",
        "                -> mend it",
    ]


def test_a_broken_config_is_listed_problem_by_problem_and_exits_1(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("ui.thme = 1\nwake.stagnation = 0\n")

    done = wakeful(tmp_path, "doctor", "--json")

    report = json.loads(done.stdout)
    broken = [(check["value"], check["hint"]) for check in report["checks"] if check["status"] == "broken"]
    assert (done.returncode, report["ok"]) == (1, False)
    assert broken == [
        (f"{file}:1: unknown key ui.thme", "did you mean ui.theme?"),
        (f"{file}:2: bad value for wake.stagnation: should be greater than 0, not 0", ""),
    ]


def test_a_folder_that_is_not_trusted_is_a_note(tmp_path: Path) -> None:
    (tmp_path / ".wakeful").mkdir()
    (tmp_path / ".wakeful" / "config.toml").write_text("")

    done = wakeful(tmp_path, "doctor")

    assert done.returncode == 0
    assert "is not read: this folder is not trusted" in done.stdout
