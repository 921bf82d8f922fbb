import asyncio
from pathlib import Path

import pytest

from agent.agents.load import AgentError
from agent.models.protocol import Request, Text
from agent.models.scripted import Answer, Scripted, said
from store import sessions
from tests.agent.openings import stage


def system(request: Request) -> str:
    return str(request.messages[0].get("content"))


async def test_another_model_takes_over_with_the_same_bytes_before_it(tmp_path: Path):
    model = Scripted([said("one"), said("two")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("first")
        await scene.opened.switch(model="ollama/other")
        await scene.ask("second")
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)

    before, after = model.requests
    assert (before.model, after.model) == ("scripted", "ollama/other")
    assert after.tools == before.tools
    assert after.messages[: len(before.messages)] == before.messages
    assert (record.model, scene.opened.model_name) == ("ollama/other", "ollama/other")


async def test_another_agent_takes_over_with_its_prompt_tools_and_permissions(tmp_path: Path):
    model = Scripted([said("one"), said("two")])
    async with stage(tmp_path, model) as scene:
        await scene.ask("first")
        await scene.opened.switch(agent="plan")
        await scene.ask("second")
        record = await scene.opened.store.read(sessions.get, scene.opened.session.id)

        assert record.agent == "plan"
        assert scene.opened.gate.policy.mode == "plan"
        assert scene.opened.session.agenda.actor.name == "agent:plan"
        assert system(model.requests[1]) != system(model.requests[0])


async def test_an_agent_that_is_not_there_changes_nothing(tmp_path: Path):
    async with stage(tmp_path, Scripted([])) as scene:
        with pytest.raises(AgentError, match="did you mean plan"):
            await scene.opened.switch(agent="plann")

        assert scene.opened.workshop.agent.name == "build"


async def test_a_switch_waits_for_the_turn_that_runs(tmp_path: Path):
    reached, go_on = asyncio.Event(), asyncio.Event()

    def answer(request: Request) -> Answer:
        reached.set()
        return [Text("thinking"), go_on, *said("done")] if request.model == "scripted" else said("ok")

    async with stage(tmp_path, Scripted(answer)) as scene:
        async with asyncio.TaskGroup() as group:
            group.create_task(scene.ask("first"))
            await reached.wait()
            await scene.opened.switch(agent="plan")
            await scene.opened.switch(model="ollama/other")
            during = (scene.opened.model_name, scene.opened.session.agenda.actor.name)
            go_on.set()

        assert during == ("scripted", "agent:build")
        assert (scene.opened.model_name, scene.opened.session.agenda.actor.name) == (
            "ollama/other",
            "agent:plan",
        )


async def test_the_key_of_a_provider_that_is_switched_to_is_hidden_from_commands(tmp_path: Path):
    environment = {"WAKEFUL_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin", "ODD_API_KEY": "secret"}
    async with stage(tmp_path, Scripted([]), environment=environment) as scene:
        workspace = scene.opened.workshop.workspace
        before = "ODD_API_KEY" in workspace.environment
        await scene.opened.switch(model="odd/one")

        assert (before, "ODD_API_KEY" in workspace.environment) == (True, False)
