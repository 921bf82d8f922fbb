from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.tui.wakeful import wakeful


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def run(project: Path, *words: str, **more: str) -> CompletedProcess[str]:
    return wakeful(project.parent / "home", "run", *words, cwd=project, **more)


def test_a_command_prints_its_result_and_acts_on_the_newest_session(project: Path) -> None:
    added = run(project, "/todo add write the docs")
    listed = run(project, "/todos open")

    assert (added.returncode, added.stdout) == (0, "#1 [pending] write the docs\n")
    assert (listed.returncode, listed.stdout) == (
        0,
        "░░░░░░░░░░░░░░░░░░░░ 0/1 · 1 pending\n  #1 [pending] write the docs\n",
    )
    sessions = json.loads(wakeful(project.parent / "home", "sessions", "--json", cwd=project).stdout)
    assert len(sessions["sessions"]) == 1


def test_a_terminal_without_unicode_gets_plain_letters(project: Path) -> None:
    run(project, "/todo add write")
    listed = run(project, "/todos", PYTHONIOENCODING="ascii")

    assert listed.stdout == "-------------------- 0/1, 1 pending\n  #1 [pending] write\n"


def test_json_holds_the_todos_that_were_asked_for(project: Path) -> None:
    run(project, "/todo add one")
    run(project, "/todo done 1")
    run(project, "/todo add two")

    report = json.loads(run(project, "--output", "json", "/todos completed").stdout)

    assert (report["exit"], [todo["title"] for todo in report["todos"]]) == (0, ["one"])
    assert set(report) == {"session", "result", "state", "reason", "todos", "usage", "cost", "exit"}


def test_the_event_stream_carries_the_result(project: Path) -> None:
    events = [
        json.loads(line) for line in run(project, "--output", "stream-json", "/help").stdout.splitlines()
    ]

    assert [(event["kind"], "/todos [FILTER]" in event["text"]) for event in events] == [("notice", True)]


def test_a_conversation_is_summarised_and_back_again(project: Path) -> None:
    run(project, "survey this project")

    done = run(project, "--output", "stream-json", "/compact")
    back = run(project, "/compact undo")

    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [event["kind"] for event in events]
    assert (done.returncode, kinds[-2:]) == (0, ["context.compacted", "notice"])
    assert events[-1]["text"].startswith("compacted, put together without a model: ")
    assert (back.returncode, back.stdout.startswith("the summary is taken back: ")) == (0, True)


@pytest.mark.parametrize(
    ("line", "status", "complaint"),
    [
        ("/todoss", 2, "wakeful: no command /todoss; did you mean /todos?"),
        ("/todos log many", 2, "wakeful: 'many' is no COUNT; write /todos log [COUNT]"),
        ("/todo done 9", 1, "wakeful: no todo #9"),
        ("/plan import gone.md", 1, "gone.md: No such file or directory; check the path and try again"),
    ],
)
def test_a_bad_command_is_one_line_and_a_status(
    project: Path, line: str, status: int, complaint: str
) -> None:
    done = run(project, line)

    assert done.returncode == status
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_bad_command_is_told_to_machines(project: Path) -> None:
    done = run(project, "--output", "json", "/todo done 9")

    error = json.loads(done.stdout)["error"]
    assert (error["code"], error["message"]) == ("refused", "no todo #9")


def test_what_needs_a_yes_is_shown_and_not_done(project: Path) -> None:
    asked = run(project, "/trust")
    answered = run(project, "/trust yes")

    assert asked.returncode == 2
    assert asked.stdout.rstrip().endswith(f"Trust {project}? To do it: /trust yes")
    assert (answered.returncode, answered.stdout) == (0, f"{project} is trusted\n")


def test_wake_lets_the_agent_work_on_what_is_open(project: Path) -> None:
    run(project, "/todo add nothing that the offline model knows")

    done = run(project, "--output", "stream-json", "--max-wakes", "1", "/wake")

    kinds = [json.loads(line)["kind"] for line in done.stdout.splitlines()]
    assert "wake.started" in kinds
    assert done.returncode in (3, 5)


def test_a_command_of_ones_own_is_a_prompt_in_a_new_session(project: Path) -> None:
    home = project.parent / "home"
    (home / "commands").mkdir(parents=True)
    (home / "commands" / "tour.md").write_text("survey $ARGUMENTS project")
    run(project, "/rename before")

    done = run(project, "/tour this")

    listed = json.loads(wakeful(home, "sessions", "--json", cwd=project).stdout)["sessions"]
    assert done.returncode == 0
    assert [each["title"] for each in listed] == ["survey this project", "before"]


def test_a_path_is_a_prompt(project: Path) -> None:
    done = run(project, "/etc/hosts is odd")

    assert done.returncode == 2
    assert "no command" not in done.stderr


def test_a_command_that_asks_no_model_needs_no_key_and_keeps_the_model(project: Path) -> None:
    home = project.parent / "home"
    added = run(project, "-m", "openai/gpt-4o", "/todo add one")
    run(project, "-m", "offline", "/todo done 1")
    listed = run(project, "/todos")
    woken = run(project, "/wake")

    (session,) = json.loads(wakeful(home, "sessions", "--json", cwd=project).stdout)["sessions"]
    assert (added.returncode, added.stderr) == (0, "")
    assert (listed.returncode, "#1 [completed] one" in listed.stdout) == (0, True)
    assert (session["model"], session["state"], session["reason"]) == (
        "openai/gpt-4o",
        "dormant",
        "nothing open",
    )
    assert (woken.returncode, "no key for openai" in woken.stderr) == (1, True)
