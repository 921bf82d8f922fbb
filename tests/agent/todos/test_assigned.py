"""The todo policy `assigned`: start, note, block and complete the items that were given, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from agent.todos import texts
from agent.todos.actors import USER, Actor
from agent.todos.dialects import writ
from agent.todos.dialects.registry import DIALECTS, tools
from agent.todos.drafts import Draft
from agent.todos.errors import AccessError
from agent.todos.service import TodoService
from tests.agent.todos.call import Caller
from tests.agent.todos.conftest import AGENT

CHILD = "01CHILDSESSION"
WORKER = Actor("agent:worker", holder=CHILD, assigned=True)

ALLOWED: list[dict[str, Any]] = [
    {"status": "in_progress"},
    {"notes": "found the cause"},
    {"status": "blocked", "blocked_reason": "needs a key"},
    {"status": "completed"},
    {"status": "completed", "completed_at": "2026-11-18T09:30:00Z"},
]
REFUSED: list[dict[str, Any]] = [
    {"status": "cancelled"},
    {"title": "another"},
    {"priority": "high"},
    {"depends_on": [2]},
    {"parent_id": 2},
    {"check": "true"},
    {"assignee": "somebody"},
    {"assignee": ""},
    {"status": "in_progress", "assignee": "somebody"},
]


@pytest.fixture
async def call(service: TodoService) -> Caller:
    """The list is 1 and 2, given to the child and to its agent, then 3 of the parent and 4 of nobody."""
    given = [Draft("given", assignee=CHILD), Draft("named", assignee="worker")]
    await service.add(USER, [*given, Draft("theirs", assignee=service.session_id), Draft("free")])
    return Caller(service, actor=WORKER)


@pytest.mark.parametrize("todo_id", [1, 2])
@pytest.mark.parametrize("fields", ALLOWED, ids=str)
async def test_what_was_given_may_be_worked_on(
    call: Caller, service: TodoService, todo_id: int, fields: dict[str, Any]
) -> None:
    await call("todo_update", id=todo_id, **fields)

    todo = service.snapshot.by_id[todo_id]
    assert todo.status == fields.get("status", "pending")
    assert todo.notes == fields.get("notes")


@pytest.mark.parametrize("fields", REFUSED, ids=str)
async def test_what_was_given_may_not_be_changed_otherwise(
    call: Caller, service: TodoService, fields: dict[str, Any]
) -> None:
    before = service.snapshot

    with pytest.raises(AccessError):
        await call("todo_update", id=1, **fields)

    assert await service.current() == before


@pytest.mark.parametrize("todo_id", [3, 4])
@pytest.mark.parametrize("fields", ALLOWED, ids=str)
async def test_what_was_not_given_stays_as_it_is(
    call: Caller, service: TodoService, todo_id: int, fields: dict[str, Any]
) -> None:
    before = service.snapshot

    with pytest.raises(AccessError, match=f"#{todo_id} was not given to agent:worker; leave it as it is"):
        await call("todo_update", id=todo_id, **fields)

    assert await service.current() == before


@pytest.mark.parametrize(
    ("dialect", "name", "arguments"),
    [
        ("standard", "todo_add", {"title": "x"}),
        ("standard", "todo_add", {"title": "x", "parent_id": 1}),
        ("standard", "todo_add", {"title": "x", "scope": "workspace"}),
        ("standard", "todo_delete", {"id": 1}),
        ("standard", "todo_delete", {"scope": "all"}),
        ("skills", "todo_write", {"items": ["x"]}),
        ("list", "todowrite", {"todos": [{"content": "x"}]}),
        ("tasks", "task_create", {"items": ["x"]}),
    ],
)
async def test_nothing_is_added_or_deleted(
    call: Caller, service: TodoService, dialect: str, name: str, arguments: dict[str, Any]
) -> None:
    before = service.snapshot

    with pytest.raises(AccessError):
        await Caller(service, dialect, WORKER)(name, **arguments)

    assert await service.current() == before
    assert name not in {tool.name for tool in tools(dialect, assigned=True)}


@pytest.mark.parametrize("line", ["/todo add x", "/todo delete 1", "/todo cancel 1", "/todo subject 1: y"])
async def test_written_commands_are_no_way_around(call: Caller, service: TodoService, line: str) -> None:
    before = service.snapshot

    answer = await writ.answer(call.context, line)

    assert answer is not None
    assert "ERR: agent:worker may not" in answer
    assert await service.current() == before


async def test_completing_all_completes_what_was_given(call: Caller, service: TodoService) -> None:
    await call("todo_complete", all=True)

    assert {todo.id for todo in service.snapshot.todos if todo.status == "completed"} == {1, 2}


async def test_an_agent_without_that_policy_is_not_bound_by_it(call: Caller, service: TodoService) -> None:
    await Caller(service, actor=AGENT)("todo_update", id=4, title="another", status="cancelled")

    assert (service.snapshot.by_id[4].title, service.snapshot.by_id[4].status) == ("another", "cancelled")


def test_the_tools_and_the_guidance_are_those_of_the_policy() -> None:
    offered = {dialect: [tool.name for tool in tools(dialect, assigned=True)] for dialect in DIALECTS}

    assert offered == {
        "standard": ["todo_update", "todo_complete", "todo_list", "todo_get"],
        "skills": ["todo_list", "todo_update"],
        "list": ["todoread"],
        "tasks": ["task_update"],
        "writ": [],
    }
    assert all("no others" in texts.guidance(dialect, assigned=True) for dialect in DIALECTS)
    assert "todo_complete(id)" in texts.guidance("standard", assigned=True)
