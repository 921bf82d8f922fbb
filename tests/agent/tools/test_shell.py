from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent.tools.ask_user import ask_user
from agent.tools.jobs import jobs
from agent.tools.local import Doors, LocalWorkspace
from agent.tools.read import read
from agent.tools.shell import shell
from agent.tools.tool import ToolError


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("echo hi", "hi"),
        ("true", "(no output)"),
        ("false", "(exit code 1)"),
        ("echo oops; exit 4", "oops\n(exit code 4)"),
    ],
)
async def test_the_report_says_what_happened(workspace: LocalWorkspace, command: str, text: str) -> None:
    assert (await shell(workspace, command)).text == text


async def test_a_command_gets_the_variables_that_are_added_for_it(tmp_path: Path) -> None:
    workspace = LocalWorkspace(
        tmp_path, tmp_path / "logs", {"A": "1"}, adding=lambda command: {"ADDED": str(len(command))}
    )

    assert (await shell(workspace, 'echo "$A $ADDED"')).text == "1 16"
    await shell(workspace, 'echo "$ADDED" > "$A"', background=True)
    while not (tmp_path / "1").exists() or not (tmp_path / "1").read_text():
        await asyncio.sleep(0.01)
    assert (tmp_path / "1").read_text() == "20\n"
    await workspace.close()


async def test_the_time_limit_says_what_to_do_instead(workspace: LocalWorkspace) -> None:
    output = await shell(workspace, "echo started; sleep 1e9", timeout=1)

    assert output.text.startswith("started\n(killed after 1 s; ")
    assert "background" in output.text
    assert output.metadata["code"] is None


async def test_the_whole_of_a_long_output_can_be_read(workspace: LocalWorkspace) -> None:
    output = await shell(workspace, "seq 100000")

    part = await read(workspace, output.metadata["log"], offset=50_000, limit=1)

    assert part.text.startswith("50000\t50000\n")


async def test_live_output_reaches_the_door_of_the_call(workspace: LocalWorkspace) -> None:
    seen: list[str] = []

    await shell(workspace.bound(Doors(emit=seen.append)), "echo live")

    assert seen == ["live\n"]


async def test_a_job_is_started_listed_read_and_killed(workspace: LocalWorkspace) -> None:
    started = await shell(workspace, "echo up; sleep 1e9", background=True)

    listed = await jobs(workspace)
    killed = await jobs(workspace, "kill", 1)

    assert started.text.startswith("job 1 started")
    assert listed.startswith("1 (running, 0 s): echo up; sleep 1e9")
    assert killed.startswith("ended: 1 (exit code ")
    assert (await jobs(workspace, "output", 1)).startswith("1 (exit code ")


async def test_a_wrong_job_is_answered_with_those_that_exist(workspace: LocalWorkspace) -> None:
    assert await jobs(workspace) == "no jobs"
    with pytest.raises(ToolError, match="no job 7; there are: none"):
        await jobs(workspace, "output", 7)
    with pytest.raises(ToolError, match="needs the id"):
        await jobs(workspace, "kill")


async def test_a_vanished_root_is_an_error_the_model_can_read(tmp_path: Path) -> None:
    workspace = LocalWorkspace(tmp_path / "gone", tmp_path / "logs", {})

    with pytest.raises(ToolError, match="could not start the command"):
        await shell(workspace, "true")


async def test_a_question_goes_to_the_person_and_back(workspace: LocalWorkspace) -> None:
    async def answer(question: str, choices: tuple[str, ...]) -> str:
        return f"{choices[1]} to {question}"

    output = await ask_user(workspace.bound(Doors(ask=answer)), "Which?", ("one", "two"))

    assert output == "The user answered: two to Which?"


async def test_a_question_with_nobody_there_tells_the_model_to_decide(workspace: LocalWorkspace) -> None:
    with pytest.raises(ToolError, match="decide yourself"):
        await ask_user(workspace, "Which?")
