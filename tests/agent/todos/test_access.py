"""Every door a readonly or minimal agent could try in order to complete or delete; none opens."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.artifacts import ArtifactService
from agent.events import ArtifactUpdated
from agent.todos.actors import USER, Actor
from agent.todos.context import TodoContext
from agent.todos.dialects import writ
from agent.todos.drafts import Draft
from agent.todos.errors import ClaimedError, TodoError
from agent.todos.service import TodoService
from agent.tools import registry
from agent.tools.artifacts.tools import TOOLS as ARTIFACT_TOOLS
from agent.tools.artifacts.tools import ArtifactContext
from agent.tools.tool import ToolError
from store import sessions
from store.database import Store
from store.records import Session
from tests.agent.todos.call import Caller
from tests.agent.todos.conftest import AGENT, EXPLORER, GUEST, PLANNER

# Spellings of done; the list is 1 a (with subtask 2 b), 3 c (completed), 4 d (cancelled), 5 (workspace).
WORDS = ["completed", "done", "DONE", " Completed ", "Done", "COMPLETED"]
IDS: list[object] = [1, "1", "#1", " #1 ", 5]
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    *[("standard", "todo_update", {"id": 1, "status": word}) for word in WORDS],
    *[("standard", "todo_complete", {"id": each}) for each in IDS],
    *[("standard", "todo_delete", {"id": each}) for each in IDS],
    ("standard", "todo_update", {"updates": [{"id": 2, "notes": "x"}, {"id": 1, "status": "done"}]}),
    ("standard", "todo_update", {"updates": '[{"id": "#1", "status": "DONE"}]'}),
    ("standard", "todo_update", {"updates": '{"id": "1", "status": "completed"}'}),
    ("standard", "todo_update", {"updates": [{"id": 4, "status": "open"}, {"id": 4, "status": "done"}]}),
    ("standard", "todo_update", {"updates": [{"id": 1, "status": "cancelled"}, {"id": 1, "status": "open"},
                                             {"id": 1, "status": "done"}]}),
    ("standard", "todo_complete", {"ids": [1, 2]}),
    ("standard", "todo_complete", {"ids": "[1]"}),
    ("standard", "todo_complete", {"ids": "1,2"}),
    ("standard", "todo_complete", {"all": True}),
    ("standard", "todo_delete", {"ids": '["#3"]'}),
    ("standard", "todo_delete", {"scope": "all"}),
    ("standard", "todo_delete", {"scope": "completed"}),
    ("standard", "todo_add", {"title": "x", "status": "done"}),
    ("standard", "todo_add", {"status": "Completed", "items": ["x", "y"]}),
    ("standard", "todo_add", {"items": [{"title": "x"}, {"title": "y", "status": "done"}]}),
    ("standard", "todo_add", {"title": "x", "status": "done", "parent_id": 1, "scope": "workspace"}),
    *[("skills", "todo_update", {"id": 1, "status": word}) for word in WORDS],
    ("skills", "todo_write", {"items": '[{"title": "x", "status": "done"}]'}),
    *[("tasks", "task_update", {"id": 1, "status": word}) for word in WORDS],
    ("tasks", "task_create", {"items": '[{"title": "x", "status": "done"}]', "replace": True}),
    *[("list", "todowrite", {"todos": [{"id": "1", "content": "a", "status": word}]}) for word in WORDS],
    ("list", "todowrite", {"todos": [{"content": "new", "status": "completed"}]}),
    ("list", "todowrite", {"todos": [{"content": "d", "status": "completed"}]}),
    ("list", "todowrite", {"todos": '[{"content": "A", "status": "done"}]'}),
    ("list", "todowrite", {"todos": []}),
    ("artifacts", "artifact_stage", {"id": 1, "stage": "final"}),
    ("artifacts", "artifact_delete", {"id": 1}),
]  # fmt: skip
LINES = [
    *["/todo done 1", "/todo DONE 1", "/todo done all", "/todo done a", "/todo done 1, 2", "/todo delete 1"],
    *["/todo delete all", "/todo delete completed", "/todo delete a", "/todo undo", "   /todo done 1"],
    *["/todo add x\n/todo done x", "/todo cancel 1\n/todo reopen 1\n/todo done 1"],
]


@pytest.fixture
async def artifacts(store: Store, session: Session, service: TodoService) -> ArtifactService:
    published: list[ArtifactUpdated] = []
    (a,) = (await service.add(USER, [Draft("a")])).todos
    await service.add(
        USER,
        [
            Draft("b", parent_id=a.id),
            Draft("c", status="completed"),
            Draft("d", status="cancelled"),
            Draft("e", workspace_wide=True),
        ],
    )
    keeper = ArtifactService(store, "/project", session.id, service, published.append)
    await keeper.create(USER, "plan", "plan", "- [x] finished long ago\n- [ ] to do")
    return keeper


def finished_and_present(service: TodoService) -> tuple[set[int], set[int]]:
    todos = service.snapshot.todos
    return {todo.id for todo in todos if todo.status == "completed"}, {todo.id for todo in todos}


async def attempt(artifacts: ArtifactService, actor: Actor, dialect: str, name: str, given: Any) -> None:
    if dialect == "artifacts":
        tool = registry.find(ARTIFACT_TOOLS, name)
        checked = registry.validate(tool, json.dumps(given))
        await registry.call(tool, ArtifactContext(artifacts, actor), checked)
    else:
        await Caller(artifacts.todos, dialect, actor)(name, **given)


@pytest.mark.parametrize("actor", [EXPLORER, PLANNER, GUEST], ids=lambda actor: actor.access)
@pytest.mark.parametrize(("dialect", "name", "given"), CALLS, ids=lambda value: str(value)[:60])
async def test_no_call_completes_or_deletes(
    artifacts: ArtifactService, actor: Actor, dialect: str, name: str, given: dict[str, Any]
) -> None:
    service = artifacts.todos
    done, present = finished_and_present(service)
    before = service.snapshot.todos

    try:
        await attempt(artifacts, actor, dialect, name, given)
    except ToolError:
        assert (await service.current()).todos == before

    await service.current()
    assert finished_and_present(service)[0] <= done
    assert finished_and_present(service)[1] >= present
    assert actor is not GUEST or service.snapshot.todos == before


@pytest.mark.parametrize("actor", [EXPLORER, PLANNER, GUEST], ids=lambda actor: actor.access)
@pytest.mark.parametrize("lines", LINES)
async def test_no_line_completes_or_deletes(artifacts: ArtifactService, actor: Actor, lines: str) -> None:
    service = artifacts.todos
    done, present = finished_and_present(service)

    answer = await writ.answer(TodoContext(service, actor), lines)

    assert answer is not None
    assert "ERR: " in answer
    assert finished_and_present(service)[0] == done
    assert finished_and_present(service)[1] >= present


async def test_naming_another_assignee_is_no_way_around_a_claim(store: Store, service: TodoService) -> None:
    (todo,) = (await service.add(USER, [Draft("shared", workspace_wide=True)])).todos
    await Caller(service, actor=AGENT)("todo_update", id=todo.id, status="in_progress")
    rival = await store.write(sessions.create, "/project", agent="build", model="offline")
    theirs = TodoService(store, "/project", rival.id, lambda _: None)

    with pytest.raises(ClaimedError):
        await Caller(theirs)("todo_update", id=todo.id, assignee=rival.id)
    with pytest.raises(ClaimedError):
        await Caller(theirs)("todo_update", id=todo.id, assignee="")


@pytest.mark.parametrize("given", [{"artifact_id": 10**30}, {"depends_on": [10**30]}, {"parent_id": 10**30}])
async def test_a_number_beyond_all_ids_is_refused_in_words(
    service: TodoService, given: dict[str, Any]
) -> None:
    with pytest.raises(TodoError):
        await Caller(service)("todo_add", title="a", **given)


@pytest.mark.parametrize(
    ("name", "given"), [("todo_get", {"id": 2}), ("todo_list", {"status": "completed"}), ("todo_list", {})]
)
async def test_every_answer_says_what_is_still_open(
    service: TodoService, name: str, given: dict[str, Any]
) -> None:
    await service.add(USER, [Draft("a"), Draft("b"), Draft("c", status="completed")])

    said = await Caller(service)(name, **given)

    assert "1/3" in said
    assert "#1 " in said
    assert "#2 " in said
