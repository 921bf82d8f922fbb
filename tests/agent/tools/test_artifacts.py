from __future__ import annotations

import json

import pytest

from agent.artifacts import ArtifactError, ArtifactService
from agent.events import ArtifactUpdated, TodoUpdated
from agent.todos.actors import Actor
from agent.todos.errors import AccessError
from agent.todos.service import TodoService
from agent.tools import registry
from agent.tools.artifacts.tools import TOOLS, ArtifactContext
from agent.tools.tool import ToolError
from store.database import Store
from store.records import Session

PLAN = "1. Create the model\n   - fields\n2. Add login\n"


class Caller:
    """Calls an artifact tool the way the loop does."""

    def __init__(self, service: ArtifactService, actor: Actor) -> None:
        self.context = ArtifactContext(service, actor)

    async def __call__(self, name: str, **arguments: object) -> str:
        tool = registry.find(TOOLS, name)
        checked = registry.validate(tool, json.dumps(arguments))
        assert tool.title(checked)
        assert tool.targets(checked) == ()
        return (await registry.call(tool, self.context, checked)).text


@pytest.fixture
def service(store: Store, session: Session) -> ArtifactService:
    events: list[ArtifactUpdated | TodoUpdated] = []
    todos = TodoService(store, "/project", session.id, events.append)
    return ArtifactService(store, "/project", session.id, todos, events.append)


@pytest.fixture
def call(service: ArtifactService) -> Caller:
    return Caller(service, Actor("agent:build"))


def test_the_tools_are_the_six_of_the_contract_and_not_offered_by_default():
    names = [tool.name for tool in TOOLS]

    assert names == [f"artifact_{word}" for word in "create update list get stage delete".split()]
    assert {tool.on for tool in TOOLS} == {"artifacts"}
    assert not set(names) & {tool.name for tool in registry.DEFAULTS}
    assert {tool.name for tool in TOOLS if tool.safe} == {"artifact_list", "artifact_get"}


def test_every_tool_describes_itself_and_names_the_words_it_takes():
    specs = {tool.name: registry.spec(tool) for tool in TOOLS}

    assert all(spec.description for spec in specs.values())
    create = specs["artifact_create"].parameters
    assert create["required"] == ["title", "type", "content"]
    assert create["properties"]["type"]["enum"] == ["plan", "code", "document", "config", "data", "other"]
    assert specs["artifact_stage"].parameters["properties"]["stage"]["enum"] == ["draft", "review", "final"]


async def test_an_artifact_lives_through_all_six_tools(call: Caller):
    assert await call("artifact_list") == "No artifacts."
    created = await call("artifact_create", title="Auth", type="plan", content="one")
    assert created == "Created artifact 1 [plan, draft, version 1] Auth."

    updated = await call("artifact_update", id="#1", content=PLAN, title="Auth plan", version=1)
    assert updated == "Artifact 1 [plan, draft, version 2] Auth plan."
    with pytest.raises(ArtifactError, match="at version 2 now, not 1"):
        await call("artifact_update", id=1, content="mine", version=1)
    assert await call("artifact_get", id=1) == f"1 [plan, draft, version 2] Auth plan\n\n{PLAN}"
    assert (await call("artifact_get", id="1", version=1)).endswith("one")
    assert (
        await call("artifact_stage", id=1, stage="review")
        == "Artifact 1 [plan, review, version 2] Auth plan."
    )
    assert await call("artifact_list", type="plan", stage="review") == "1 [plan, review, version 2] Auth plan"
    assert await call("artifact_list", type="code") == "No artifacts."
    assert await call("artifact_delete", id=1) == "Deleted artifact 1 Auth plan."
    assert await call("artifact_list") == "No artifacts."


async def test_a_final_plan_answers_with_the_todos_it_became_and_what_is_open(call: Caller):
    await call("artifact_create", title="Auth", type="plan", content=PLAN)

    said = await call("artifact_stage", id=1, stage="final")
    again = await call("artifact_stage", id=1, stage="final")

    assert "Added #1 Create the model, #2 fields, #3 Add login." in said
    assert "Progress 0/3. Open:" in said
    assert "became todos before" in again


async def test_a_changed_plan_without_new_steps_says_so(call: Caller):
    await call("artifact_create", title="Auth", type="plan", content=PLAN)
    await call("artifact_stage", id=1, stage="final")
    await call("artifact_update", id=1, content=PLAN + "\nThat is all.\n")

    assert "All its steps were added before." in await call("artifact_stage", id=1, stage="final")


async def test_a_plan_without_a_list_asks_the_model_for_its_steps(call: Caller):
    await call("artifact_create", title="Auth", type="plan", content="Build, then ship.")

    assert "add them to the todo list yourself" in await call("artifact_stage", id=1, stage="final")


async def test_steps_that_do_not_fit_are_counted(call: Caller):
    await call(
        "artifact_create", title="Long", type="plan", content="\n".join(f"- step {n}" for n in range(27))
    )

    assert "2 more steps were left out" in await call("artifact_stage", id=1, stage="final")


async def test_bad_arguments_come_back_as_words_the_model_can_act_on(call: Caller):
    with pytest.raises(ToolError, match="type"):
        await call("artifact_create", title="x", type="poem", content="x")
    with pytest.raises(ToolError, match="stage"):
        await call("artifact_stage", id=1, stage="done")
    with pytest.raises(ArtifactError, match="is not an artifact id"):
        await call("artifact_get", id="plan")
    with pytest.raises(ArtifactError, match="no artifact 5; there is none yet"):
        await call("artifact_get", id=5)
    with pytest.raises(ArtifactError, match="give the new content"):
        await call("artifact_update", id=1)


async def test_no_tool_lets_a_readonly_agent_delete_or_a_minimal_one_change(service: ArtifactService):
    planner, guest = (
        Caller(service, Actor("agent:p", "readonly-shell")),
        Caller(service, Actor("agent:g", "minimal")),
    )
    await planner("artifact_create", title="Auth", type="plan", content="- [x] one")

    said = await planner("artifact_stage", id=1, stage="final")
    assert "Warning: agent:p may not complete todos" in said
    with pytest.raises(AccessError):
        await planner("artifact_delete", id=1)
    for name, arguments in {
        "artifact_create": {"title": "x", "type": "plan", "content": "x"},
        "artifact_update": {"id": 1, "content": "x"},
        "artifact_stage": {"id": 1, "stage": "draft"},
        "artifact_delete": {"id": 1},
    }.items():
        with pytest.raises(AccessError):
            await guest(name, **arguments)
    assert await guest("artifact_list") == "1 [plan, final, version 1] Auth"
