from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import IO, Any

import pytest

from store import sessions
from store.database import open_store
from tests.tui.wakeful import COMMAND, environment, wakeful


def open_session(home: Path, workspace: Path) -> str:
    async def create() -> str:
        async with open_store(home / "wakeful.db") as store:
            session = await store.write(
                sessions.create, str(workspace.resolve()), agent="build", model="offline"
            )
            return session.id

    return asyncio.run(create())


def listed(home: Path, *words: str) -> list[tuple[int, str, str]]:
    report = json.loads(wakeful(home, "todos", "--json", *words).stdout)
    return [(todo["id"], todo["status"], todo["title"]) for todo in report["todos"]]


def test_add_prints_the_id_and_the_list_has_it(tmp_path: Path) -> None:
    first = wakeful(tmp_path, "todo", "add", "review", "the", "deploy")
    second = wakeful(tmp_path, "todo", "add", "write docs")

    assert (first.stdout, second.stdout) == ("#1\n", "#2\n")
    assert listed(tmp_path) == [(1, "pending", "review the deploy"), (2, "pending", "write docs")]


def test_a_list_is_plain_text_in_any_locale(tmp_path: Path) -> None:
    wakeful(tmp_path, "todo", "add", "wi\u202ede \u6f22")

    shown = wakeful(tmp_path, "todos").stdout + wakeful(tmp_path, "todo", "list").stdout
    plain = wakeful(tmp_path, "todos", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")

    assert "\u202e" not in shown
    assert shown.count("wi\u27e8U+202E\u27e9de \u6f22") == 2
    assert plain.stdout == "-------------------- 0/1\n#1 [pending] wi<U+202E>de ? (workspace)\n"


def test_every_verb_works_by_id_or_title(tmp_path: Path) -> None:
    for words in (
        "add one",
        "add two",
        "add three",
        "add four",
        "start one",
        "done #2",
        "cancel thr",
        "block 4: no key",
        "reopen 2",
        "describe 2: in full",
        "subject 2: second",
        "priority four high",
        "move 2 top",
    ):
        done = wakeful(tmp_path, "todo", *words.split(" "))
        assert (done.returncode, done.stderr) == (0, ""), words

    assert listed(tmp_path, "all") == [
        (1, "in_progress", "one"),
        (2, "pending", "second"),
        (4, "blocked", "four"),
        (3, "cancelled", "three"),
    ]
    assert wakeful(tmp_path, "todo", "show", "four").stdout.startswith(
        "todo: #4 four\nstatus: blocked: no key\npriority: high\nscope: workspace\n"
    )
    wakeful(tmp_path, "todo", "delete", "4")
    undone = wakeful(tmp_path, "todo", "undo").stdout
    assert undone.startswith("undone: removed #4 four (user, ")
    assert len(listed(tmp_path, "open")) == 3


def test_the_json_has_the_list_its_progress_and_its_revision(tmp_path: Path) -> None:
    wakeful(tmp_path, "todo", "add", "one")
    wakeful(tmp_path, "todo", "done", "1")

    report = json.loads(wakeful(tmp_path, "todos", "all", "--json").stdout)

    assert report["progress"] == {"completed": 1, "total": 1}
    assert report["revision"] > 0
    assert (report["todos"][0]["status"], report["todos"][0]["completed_by"]) == ("completed", "user")


def test_the_plain_list_shows_a_bar_and_all_todos(tmp_path: Path) -> None:
    for words in ("add one", "add two", "done 1"):
        wakeful(tmp_path, "todo", *words.split())

    assert wakeful(tmp_path, "todos").stdout.splitlines() == [
        "██████████░░░░░░░░░░ 1/2",
        "#2 [pending] two (workspace)",
        "#1 [completed] one (workspace)",
    ]
    assert wakeful(tmp_path, "todos", "two").stdout.splitlines()[1:] == ["#2 [pending] two (workspace)"]


def test_a_session_list_is_changed_by_name_and_shown_as_the_newest(tmp_path: Path) -> None:
    session = open_session(tmp_path, tmp_path)
    wakeful(tmp_path, "todo", "add", "shared")
    wakeful(tmp_path, "todo", "--session", session, "add", "private")
    wakeful(tmp_path, "todo", "add", "--session", session, "-w", "shared", "too")

    assert [title for *_, title in listed(tmp_path)] == ["shared", "private", "shared too"]
    assert wakeful(tmp_path, "todo", "done", "2").stdout == "#2 [completed] private\n"
    assert wakeful(tmp_path, "todo", "reopen", "2", f"--session={session}").returncode == 0
    assert wakeful(tmp_path, "todo", "done", "all").stdout.count("completed") == 2
    assert wakeful(tmp_path, "todo").stdout == "1 open (1 pending):\n  #2 [pending] private\n"


def test_another_folder_has_another_list(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    wakeful(tmp_path, "todo", "add", "here")

    assert listed(tmp_path, "-C", "other") == []


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (["ad", "x"], 2, "no command 'ad'; did you mean add?"),
        (["start"], 2, "start needs a todo; write /todo start ID"),
        (["done", "99"], 1, "no todo #99; the list is empty"),
        (["undo"], 1, "nothing to undo"),
        (["add", "--session", "nope", "x"], 1, "no session nope"),
        (["add", "x" * 201], 1, "200 fit"),
    ],
)
def test_what_goes_wrong_is_one_line_with_a_way_out(
    tmp_path: Path, words: list[str], status: int, error: str
) -> None:
    done = wakeful(tmp_path, "todo", *words)

    assert done.returncode == status
    assert error in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_watching_prints_every_change_of_another_process(tmp_path: Path) -> None:
    wakeful(tmp_path, "todo", "add", "one")
    with subprocess.Popen(
        [*COMMAND, "todos", "--watch", "--json"],
        env=environment(tmp_path),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = next_report(process.stdout)
        wakeful(tmp_path, "todo", "done", "1")
        second = next_report(process.stdout)
        process.terminate()

    assert [todo["status"] for todo in first["todos"]] == ["pending"]
    assert [todo["status"] for todo in second["todos"]] == ["completed"]
    assert second["progress"]["completed"] == 1


def next_report(lines: IO[str]) -> dict[str, Any]:
    return json.loads(lines.readline())
