"""What stands between an agent and a completed todo: its check command, and the user for whole lists."""

import asyncio
from pathlib import Path

import pytest

from agent.events import QuestionAsked, SessionStateChanged, ToolFinished
from agent.models.scripted import Scripted, said
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from tests.agent.openings import Stage, stage


def outputs(scene: Stage) -> list[str]:
    return [event.output for event in scene.events if isinstance(event, ToolFinished)]


async def test_a_failing_check_refuses_the_completion_and_shows_its_output(tmp_path: Path):
    model = Scripted([said("", ("todo_complete", {"id": 1})), said("not yet")])
    async with stage(tmp_path, model, max_wakes=0, auto=True) as scene:
        await scene.opened.session.agenda.service.add(USER, [Draft("a", check="echo two tests fail; exit 3")])
        await scene.ask("finish")
        (todo,) = scene.opened.session.agenda.todos

    assert todo.status == "pending"
    assert "two tests fail" in outputs(scene)[0]


async def test_a_passing_check_lets_it_through(tmp_path: Path):
    model = Scripted([said("", ("todo_update", {"id": 1, "status": "done"})), said("done")])
    async with stage(tmp_path, model, auto=True) as scene:
        await scene.opened.session.agenda.service.add(USER, [Draft("a", check="test -d .")])
        outcome = await scene.ask("finish")

    assert outcome.state == "dormant"


async def test_a_check_that_nobody_allowed_is_not_run(tmp_path: Path):
    model = Scripted([said("", ("todo_complete", {"id": 1})), said("not yet")])
    async with stage(tmp_path, model, max_wakes=0) as scene:
        await scene.opened.session.agenda.service.add(USER, [Draft("a", check="touch proof")])
        await scene.ask("finish")
        (todo,) = scene.opened.session.agenda.todos

    assert todo.status == "pending"
    assert not (tmp_path / "project" / "proof").exists()
    assert "consent" in outputs(scene)[0]


@pytest.mark.parametrize("choice", ["yes", "no"])
@pytest.mark.parametrize("call", [("todo_complete", {"all": True}), ("todo_delete", {"scope": "all"})])
async def test_a_whole_list_is_closed_only_if_the_user_says_so(
    tmp_path: Path, call: tuple[str, dict[str, object]], choice: str
):
    model = Scripted([said("", call), said("well")])
    async with stage(tmp_path, model, attended=True, max_wakes=0) as scene:
        session = scene.opened.session
        await session.agenda.service.add(USER, [Draft("a"), Draft("b")])
        states: list[str] = []
        with session.subscribe() as events:
            await session.send("close them")
            running = asyncio.ensure_future(session.run(until_idle=True))
            async for event in events:
                if isinstance(event, SessionStateChanged):
                    states.append(event.state)
                if isinstance(event, QuestionAsked):
                    session.answer(event, choice)
                    break
            await running
        left = len(session.agenda.service.snapshot.open)

    assert left == (0 if choice == "yes" else 2)
    assert states[-1] == "awaiting_approval"
