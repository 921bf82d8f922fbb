from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from store.database import journal_mode, open_store
from tests.tui.wakeful import wakeful
from tui.checks import Check, check_colours, check_database, check_program, check_sqlite
from tui.doors.doctor import render


def test_a_healthy_machine_exits_0_and_names_what_it_stands_on(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "doctor", "--json")

    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"]) == (0, True)
    assert {
        "python",
        "sqlite",
        "database",
        "terminal",
        "colours",
        "encoding",
        "config",
        "sandbox",
        "git",
        "rg",
    } <= {check["name"] for check in report["checks"]}


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


def test_a_theme_that_is_not_there_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('ui.theme = "nosuch"\n')

    done = wakeful(tmp_path, "doctor")

    assert done.returncode == 0
    assert "no theme named 'nosuch'" in done.stdout


def test_a_folder_that_is_not_trusted_is_a_note(tmp_path: Path) -> None:
    (tmp_path / ".wakeful").mkdir()
    (tmp_path / ".wakeful" / "config.toml").write_text("")

    done = wakeful(tmp_path, "doctor")

    assert done.returncode == 0
    assert "is not read: this folder is not trusted" in done.stdout


def test_a_database_that_is_there_is_described(tmp_path: Path) -> None:
    path = tmp_path / "wakeful.db"

    async def create() -> None:
        async with open_store(path):
            pass

    asyncio.run(create())

    check = check_database(path)

    assert check.status == "ok"
    assert check.value.startswith(f"{path}, schema ")
    assert check.value.endswith(f"journal mode {journal_mode()}")


def test_a_database_that_is_not_there_yet_is_left_so(tmp_path: Path) -> None:
    done = wakeful(tmp_path, "doctor")

    assert f"{tmp_path}/wakeful.db (not there yet)" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_home_below_a_file_is_broken_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    done = wakeful(tmp_path / "file" / "home", "doctor", cwd=tmp_path)

    assert done.returncode == 1
    assert "Not a directory" in done.stdout
    assert "set WAKEFUL_HOME to a folder that can be written" in done.stdout


def test_a_file_that_is_no_database_is_broken_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "wakeful.db"
    path.write_bytes(b"not a database at all" * 100)
    before = path.read_bytes()

    check = check_database(path)

    assert check.status == "broken"
    assert path.read_bytes() == before


def test_sqlite_is_named_with_the_journal_mode_it_implies() -> None:
    check = check_sqlite()

    assert check.value.startswith(f"{sqlite3.sqlite_version}, journal mode {journal_mode()}")
