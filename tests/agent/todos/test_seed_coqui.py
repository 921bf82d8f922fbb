"""Walks the Coqui document top to bottom in the `standard` dialect. Where the product decides otherwise it is
noted: ids are integers, `blocked` exists, and the list never goes into the system prompt."""

from __future__ import annotations

import json
import re

import pytest

from agent.todos.actors import USER, Actor
from agent.todos.dialects.registry import tools
from agent.todos.drafts import Draft
from agent.todos.errors import AccessError, TodoError
from agent.todos.service import TodoService
from agent.tools.registry import spec
from store.clock import parse_time
from tests.agent.todos.call import Caller
from tests.agent.todos.conftest import EXPLORER, GUEST, PLANNER


@pytest.fixture
def call(service: TodoService) -> Caller:
    return Caller(service)


def test_the_six_tools_and_no_more_fit_in_three_kilobytes() -> None:
    offered = [spec(tool) for tool in tools("standard")]
    wire = [
        {
            "type": "function",
            "function": {"name": s.name, "description": s.description, "parameters": s.parameters},
        }
        for s in offered
    ]

    size = len(json.dumps(wire, separators=(",", ":")))

    print(f"standard dialect: {size} bytes")
    assert [s.name for s in offered] == [
        "todo_add",
        "todo_update",
        "todo_complete",
        "todo_list",
        "todo_get",
        "todo_delete",
    ]
    assert size <= 3_000


async def test_a_single_todo_with_priority_and_notes(call: Caller, service: TodoService) -> None:
    said = await call(
        "todo_add",
        title="Implement email validation",
        priority="high",
        notes="Use filter_var with FILTER_VALIDATE_EMAIL",
    )

    (todo,) = service.snapshot.todos
    assert (todo.title, todo.priority, todo.created_by) == (
        "Implement email validation",
        "high",
        "agent:build",
    )
    assert said.splitlines() == [
        f"Added #{todo.id} Implement email validation.",
        "Progress 0/1. Open:",
        f"#{todo.id} Implement email validation",
    ]


@pytest.mark.parametrize("as_text", [True, False], ids=["JSON text", "array"])
async def test_bulk_create_takes_an_array_or_its_json(
    call: Caller, service: TodoService, as_text: bool
) -> None:
    items = [
        {"title": "Create User model", "priority": "high"},
        {"title": "Add login endpoint", "priority": "high"},
        {"title": "Write integration tests", "priority": "medium"},
    ]

    await call("todo_add", notes="shared", items=json.dumps(items) if as_text else items)

    assert [(todo.title, todo.priority, todo.notes) for todo in service.snapshot.todos] == [
        (item["title"], item["priority"], "shared") for item in items
    ]


async def test_twenty_five_fit_and_one_more_does_not(call: Caller, service: TodoService) -> None:
    await call("todo_add", items=[{"title": f"step {n}"} for n in range(25)])
    for name, more in (
        ("todo_add", {"items": [{"title": "x"}] * 26}),
        ("todo_complete", {"ids": list(range(1, 27))}),
    ):
        with pytest.raises(TodoError, match="at most 25"):
            await call(name, **more)
    with pytest.raises(TodoError, match="at most 25"):
        await call("todo_update", updates=[{"id": 1}] * 26)

    assert len(service.snapshot.todos) == 25


async def test_a_bad_item_is_named_and_nothing_is_written(call: Caller, service: TodoService) -> None:
    for items, words in (
        ([{"title": "a"}, {"titel": "b"}], "item 2: there is no field 'titel'"),
        (
            [{"title": "a"}, {"title": "b"}, {"title": "c", "priority": "urgent"}],
            "item 3: priority: no priority",
        ),
        ([{"title": "a"}, {"title": ""}], "item 2: the title is empty"),
        ([{"title": "a"}, 7], "item"),
    ):
        with pytest.raises(Exception, match=re.escape(words)):
            await call("todo_add", items=items)

    assert (await service.current()).todos == ()


async def test_status_moves_by_update_and_complete(call: Caller, service: TodoService) -> None:
    await call("todo_add", title="build it")
    todo_id = service.snapshot.todos[0].id

    started = await call("todo_update", id=f"#{todo_id}", status="in_progress")
    finished = await call("todo_complete", id=str(todo_id))

    assert f"#{todo_id} build it [in_progress]" in started
    assert finished.splitlines() == [f"Completed #{todo_id} build it.", "Progress 1/1, nothing open."]
    with pytest.raises(TodoError, match="cannot become in_progress; allowed is: pending"):
        await call("todo_update", id=todo_id, status="in_progress")


async def test_subtasks_hang_below_and_are_deleted_with_their_parent(
    call: Caller, service: TodoService
) -> None:
    await call("todo_add", title="Validate")
    parent = service.snapshot.todos[0].id
    await call("todo_add", title="Validate email format", parent_id=str(parent))
    await call("todo_add", title="Check for duplicates", parent_id=parent)

    shown = await call("todo_get", id=parent)
    listed = await call("todo_list")

    assert "Subtasks:" in shown
    assert "Check for duplicates" in shown
    assert "\n  #" in listed
    await call("todo_delete", id=parent)
    assert service.snapshot.todos == ()


async def test_bulk_update_moves_several_at_once(call: Caller, service: TodoService) -> None:
    await call("todo_add", items=["a", "b", "c"])
    a, b, c = (todo.id for todo in service.snapshot.todos)

    await call(
        "todo_update",
        updates=json.dumps(
            [
                {"id": str(a), "status": "completed"},
                {"id": f"#{b}", "status": "in_progress"},
                {"id": c, "status": "cancelled"},
            ]
        ),
    )

    known = service.snapshot.by_id
    assert [known[each].status for each in (a, b, c)] == ["completed", "in_progress", "cancelled"]
    assert known[a].completed_by == "agent:build"


async def test_one_bad_update_leaves_the_others_unwritten(call: Caller, service: TodoService) -> None:
    await call("todo_add", items=["a", "b"])
    a, b = (todo.id for todo in service.snapshot.todos)

    with pytest.raises(TodoError, match=f"item 2: no todo #999; there are #{a}, #{b}"):
        await call("todo_update", updates=[{"id": a, "status": "done"}, {"id": 999, "status": "done"}])

    assert service.snapshot.by_id[a].status == "pending"


def test_each_access_level_is_offered_its_tools() -> None:
    writers = {"todo_list", "todo_get", "todo_add", "todo_update"}

    assert {tool.name for tool in tools("standard", "readonly")} == writers
    assert {tool.name for tool in tools("standard", "readonly-shell")} == writers
    assert {tool.name for tool in tools("standard", "minimal")} == {"todo_list", "todo_get"}


@pytest.mark.parametrize("actor", [PLANNER, EXPLORER, GUEST], ids=str)
async def test_no_spelling_lets_a_lesser_level_complete_or_delete(service: TodoService, actor: Actor) -> None:
    (todo,) = (await service.add(USER, [Draft("keep")])).todos
    call = Caller(service, actor=actor)
    before = service.snapshot

    calls: list[tuple[str, dict[str, object]]] = [
        ("todo_complete", {"id": todo.id}),
        ("todo_complete", {"ids": f'["{todo.id}"]'}),
        ("todo_complete", {"all": True}),
        ("todo_update", {"id": todo.id, "status": "DONE"}),
        ("todo_update", {"updates": [{"id": f"#{todo.id}", "status": " Completed "}]}),
        ("todo_add", {"title": "x", "status": "done"}),
        ("todo_add", {"items": [{"title": "x", "status": "completed"}]}),
        ("todo_delete", {"id": todo.id}),
        ("todo_delete", {"ids": [todo.id]}),
        ("todo_delete", {"scope": "all"}),
    ]
    for name, arguments in calls:
        with pytest.raises(AccessError):
            await call(name, **arguments)

    assert await service.current() == before


async def test_the_list_is_filtered_by_status_and_priority(call: Caller, service: TodoService) -> None:
    await call(
        "todo_add",
        items=[{"title": "a", "priority": "high"}, {"title": "b"}, {"title": "c", "status": "done"}],
    )

    assert "[pending] b" not in await call("todo_list", priority="high")
    assert (await call("todo_list", status="completed")).splitlines()[0].endswith("[completed] c")
    assert len((await call("todo_list", status="open")).splitlines()) == 3
    assert len((await call("todo_list")).splitlines()) == 4


async def test_a_session_is_reset_without_naming_ids(call: Caller, service: TodoService) -> None:
    await call("todo_add", items=["a", "b", {"title": "c", "status": "cancelled"}])

    await call("todo_complete", all=True)
    assert [todo.status for todo in service.snapshot.todos].count("completed") == 2
    await call("todo_add", title="d")
    await call("todo_delete", scope="completed")
    assert [todo.title for todo in service.snapshot.todos] == ["d"]
    await call("todo_delete", scope="all")
    assert service.snapshot.todos == ()


async def test_explicit_batches_of_ids_take_json_text(call: Caller, service: TodoService) -> None:
    await call("todo_add", items=["a", "b", "c"])
    a, b, c = (todo.id for todo in service.snapshot.todos)

    await call("todo_complete", ids=f'["{a}", "#{b}"]')
    await call("todo_delete", ids=[a, str(c)])

    assert [(todo.id, todo.status) for todo in service.snapshot.todos] == [(b, "completed")]


@pytest.mark.parametrize("tool", ["todo_complete", "todo_delete"])
@pytest.mark.parametrize("repeated", [False, True])
async def test_a_bad_id_in_a_batch_is_counted_from_one(
    call: Caller, service: TodoService, tool: str, *, repeated: bool
) -> None:
    await call("todo_add", items=["a", "b"])
    a, b = (todo.id for todo in service.snapshot.todos)
    ids = [a, a, 999] if repeated else [a, 999]

    with pytest.raises(TodoError, match=f"^item {len(ids)}: no todo #999; there are #{a}, #{b}$"):
        await call(tool, ids=ids)

    assert [todo.status for todo in service.snapshot.todos] == ["pending", "pending"]


async def test_errors_name_the_parameters_of_the_call(call: Caller, service: TodoService) -> None:
    await call("todo_add", items=["a"])
    (todo,) = service.snapshot.todos

    with pytest.raises(TodoError, match=r"^item 2: blocked needs a reason; .* in blocked_reason$"):
        await call("todo_add", items=["x", {"title": "y", "status": "blocked"}])
    with pytest.raises(TodoError, match=r"^blocked needs a reason; .* in blocked_reason$"):
        await call("todo_update", id=todo.id, status="blocked")


MOMENT = "2026-11-18T09:30:00.000Z"


async def test_the_time_of_completion_is_stamped_unless_given(call: Caller, service: TodoService) -> None:
    await call("todo_add", items=["open", {"title": "now", "status": "done"}])
    await call("todo_add", title="then", status="done", completed_at=MOMENT)
    first, now, _ = sorted(service.snapshot.todos, key=lambda todo: todo.id)
    await call("todo_update", id=first.id, status="cancelled", completed_at="2026-11-18T10:30:00+01:00")

    times = {todo.title: todo.completed_at for todo in service.snapshot.todos}

    assert times == {"open": parse_time(MOMENT), "then": parse_time(MOMENT), "now": now.created_at}


async def test_a_time_of_completion_must_be_one_and_belong_to_a_closed_todo(call: Caller) -> None:
    with pytest.raises(TodoError, match=r"item 2: completed_at: 'yesterday' is no time; write it as 2026"):
        await call("todo_add", items=["a", {"title": "b", "status": "done", "completed_at": "yesterday"}])
    with pytest.raises(TodoError, match=r"completed_at is for completed and cancelled todos"):
        await call("todo_add", title="a", completed_at=MOMENT)


async def test_a_call_that_says_nothing_or_two_things_is_told_how(call: Caller) -> None:
    calls: list[tuple[str, dict[str, object]]] = [
        ("todo_add", {}),
        ("todo_add", {"title": "a", "items": ["b"]}),
        ("todo_update", {"status": "done"}),
        ("todo_complete", {}),
        ("todo_complete", {"id": 1, "all": True}),
        ("todo_delete", {}),
        ("todo_delete", {"id": 1, "scope": "all"}),
        ("todo_add", {"items": "[{"}),
        ("todo_add", {"items": []}),
    ]
    for name, arguments in calls:
        with pytest.raises(TodoError):
            await call(name, **arguments)
