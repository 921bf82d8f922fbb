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
    assert shown[0].split() == ["id", "age", "state", "plan", "cost", "title"]
    assert shown[1].startswith(f"{session}  ")
    assert shown[1].split()[3:5] == ["dormant", "5/5"]
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


def test_the_list_for_scripts_has_progress_and_owner(project: Path) -> None:
    session = talk(project)

    with session_lock(project.parent / "home" / "locks", session):
        (row,) = listed(project)

    assert row["progress"] == {"completed": 5, "total": 5}
    assert (row["state"], row["owner"]) == ("dormant", os.getpid())


def test_words_are_found_with_the_places_of_the_matches(project: Path) -> None:
    session = talk(project)

    found = sessions(project, "search", "survey", "proj")
    data = json.loads(sessions(project, "search", "--json", "survey", "proj").stdout)["hits"]
    missing = sessions(project, "search", "nowhere")

    assert found.returncode == 0
    assert "    *survey* this *project*" in found.stdout
    said = data[-1]
    assert (said["kind"], said["session"], said["detail"]) == ("message", session, "user")
    assert [said["snippet"][start:end] for start, end in said["matches"]] == ["survey", "project"]
    assert (missing.returncode, missing.stdout) == (1, "nothing has 'nowhere'\n")


def test_what_is_exported_is_imported_elsewhere(project: Path) -> None:
    session = talk(project)
    elsewhere = project.parent / "elsewhere"
    elsewhere.mkdir()

    printed = sessions(project, "export", session)
    written = sessions(project, "export", session, "-o", "../out.json")
    again = sessions(project, "export", session, "-o", "../out.json")
    page = sessions(project, "export", session, "--format", "html")
    taken = sessions(elsewhere, "import", "../out.json", "--json")

    assert printed.stdout.startswith("# survey this project\n")
    assert "../out.json holds session" in written.stdout
    assert (again.returncode, "is there already; give another name" in again.stderr) == (1, True)
    assert page.stdout.startswith("<!doctype html>")
    made = json.loads(taken.stdout)
    assert made["workspace"] == str(elsewhere)
    assert [each["id"] for each in listed(elsewhere)] == [made["session"]]
    assert "user: survey this project" in sessions(elsewhere, "show", made["session"]).stdout


def test_a_file_that_is_no_export_is_refused(project: Path) -> None:
    refused = sessions(project, "import", "a.py")
    missing = sessions(project, "import", "nothing.json")

    assert refused.returncode == missing.returncode == 1
    assert "a.py is no session that can be imported" in refused.stderr
    assert "nothing.json cannot be read (No such file or directory); name a JSON export" in missing.stderr


def test_one_is_forked_at_a_message_that_show_numbers(project: Path) -> None:
    session = talk(project)
    number = sessions(project, "show", session).stdout.split("[", 1)[1].split("]")[0]

    forked = sessions(project, "fork", session, "--at", number)
    wrong = sessions(project, "fork", session, "--at", "9999")

    newest = listed(project)[0]
    assert f"session {newest['id']} is a fork of {session}, held until you act" in forked.stdout
    assert newest["title"] == "survey this project (fork)"
    assert newest["progress"] == {"completed": 5, "total": 5}
    assert "has no message 9999" in wrong.stderr


def test_one_is_renamed(project: Path) -> None:
    session = talk(project)

    done = sessions(project, "rename", session, "the", "first", "look")
    refused = sessions(project, "rename", session, "a\x1b[1mb")

    assert done.stdout == f"session {session} is called 'the first look'\n"
    assert listed(project)[0]["title"] == "the first look"
    assert refused.returncode == 2


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
