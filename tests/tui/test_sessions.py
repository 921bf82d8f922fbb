from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from store.lock import session_lock
from tests.tui.wakeful import wakeful


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("print(1)\n")
    return folder


def sessions(project: Path, *words: str, **more: str) -> CompletedProcess[str]:
    return wakeful(project.parent / "home", "sessions", *words, cwd=project, **more)


def listed(project: Path, *words: str) -> list[dict[str, Any]]:
    return json.loads(sessions(project, "list", "--json", *words).stdout)["sessions"]


def talk(project: Path) -> str:
    wakeful(project.parent / "home", "run", "survey this project", cwd=project)
    return listed(project)[0]["id"]


def test_a_folder_without_sessions_says_how_to_begin(project: Path) -> None:
    done = sessions(project)

    assert (done.returncode, done.stdout) == (0, "no sessions here yet; wakeful run PROMPT begins one\n")


def test_sessions_are_listed_for_this_folder_or_for_all(project: Path) -> None:
    session = talk(project)
    elsewhere = project.parent / "elsewhere"
    elsewhere.mkdir()

    shown = sessions(project).stdout.splitlines()

    assert shown[0].split("  ")[0] == "id"
    assert shown[1].startswith(f"{session}  20")
    assert shown[1].endswith("survey this project")
    assert listed(elsewhere) == []
    assert [each["workspace"] for each in listed(elsewhere, "--all")] == [str(project)]
    assert str(project) in sessions(elsewhere, "list", "--all").stdout


def test_one_is_shown_with_what_was_said_and_its_todos(project: Path) -> None:
    session = talk(project)

    shown = sessions(project, "show", session[:20])
    by_title = json.loads(sessions(project, "--json", "show", "survey").stdout)

    assert shown.returncode == 0
    assert "user: survey this project" in shown.stdout
    assert "assistant: " in shown.stdout
    assert "[completed]" in shown.stdout
    assert by_title["session"]["id"] == session
    assert by_title["session"]["created_at"].endswith("Z")
    assert by_title["messages"][0]["text"] == "survey this project"
    assert {todo["session_id"] for todo in by_title["todos"]} == {session}


def test_escape_sequences_of_a_title_stay_out_of_the_terminal(project: Path) -> None:
    wakeful(project.parent / "home", "run", "hello \x1b]0;owned\x07 there", cwd=project)

    done = sessions(project)

    assert "\x1b" not in done.stdout
    assert "hello" in done.stdout


def test_one_is_deleted_only_after_a_yes(project: Path) -> None:
    session = talk(project)

    refused = sessions(project, "delete", session)
    assert (refused.returncode, len(listed(project))) == (2, 1)
    assert f"session {session} is kept; wakeful sessions delete {session} --yes removes it" in refused.stderr

    deleted = sessions(project, "delete", session, "--yes", "--json")
    assert json.loads(deleted.stdout) == {"deleted": session}
    assert listed(project) == []


def test_one_that_is_open_is_not_deleted(project: Path) -> None:
    session = talk(project)

    with session_lock(project.parent / "home" / "locks", session):
        refused = sessions(project, "delete", session, "--yes")

    assert refused.returncode == 1
    assert f"session {session} is open in process {os.getpid()}; close it there first" in refused.stderr


@pytest.mark.parametrize("verb", ["show", "delete"])
def test_one_that_is_not_there_is_named(project: Path, verb: str) -> None:
    done = sessions(project, verb, "zzz")
    machine = sessions(project, verb, "zzz", "--json")

    assert done.returncode == 1
    assert "no session begins with 'zzz'; wakeful sessions lists them" in done.stderr
    assert json.loads(machine.stdout)["error"]["code"] == "not_found"


def test_shells_complete_the_verbs(project: Path) -> None:
    script = wakeful(project.parent / "home", "completion", "bash", cwd=project).stdout
    ask = 'COMP_WORDS=(wakeful sessions d); COMP_CWORD=2; compopt() { :; }; _wakeful; echo "${COMPREPLY[@]}"'

    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", f"{script}\n{ask}"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["delete"]
