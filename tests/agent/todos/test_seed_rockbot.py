"""Walks the RockBot document top to bottom in the `tasks` dialect.

Unlike there the list is stored, so a crash does not lose it; it leaves the sight of the session with its run.
"""

from __future__ import annotations

import pytest

from agent.todos import texts
from agent.todos.actors import USER
from agent.todos.dialects.registry import tools
from agent.todos.drafts import Draft
from agent.todos.errors import AccessError, TodoError, UnknownTodoError
from agent.todos.service import TodoService
from store import messages
from store.database import Store
from tests.agent.todos.call import Caller
from tests.agent.todos.conftest import EXPLORER


@pytest.fixture
async def call(store: Store, service: TodoService) -> Caller:
    run = await store.write(messages.append, service.session_id or "", "user", "human")
    return Caller(service, "tasks", run_id=run.id)


def test_there_are_two_tools() -> None:
    assert [tool.name for tool in tools("tasks")] == ["task_create", "task_update"]


async def test_create_appends_unless_told_to_replace(call: Caller, service: TodoService) -> None:
    await call("task_create", items=["a", "b"])
    await call("task_create", items=["c"])
    said = await call("task_create", items=["d"], replace=True)

    assert [(todo.title, todo.status) for todo in service.snapshot.todos if todo.status == "pending"] == [
        ("d", "pending")
    ]
    assert sorted(todo.title for todo in service.snapshot.todos if todo.status == "cancelled") == [
        "a",
        "b",
        "c",
    ]
    assert said.splitlines()[1] == "Progress 0/1. Open:"


@pytest.mark.parametrize("status", ["pending", "in_progress", "completed"])
async def test_update_takes_the_three_statuses(call: Caller, service: TodoService, status: str) -> None:
    await call("task_create", items=["a"])
    (todo,) = service.snapshot.todos

    await call("task_update", id=str(todo.id), status=status)

    assert service.snapshot.todos[0].status == status


async def test_a_task_list_is_of_one_run_and_not_shared(
    store: Store, call: Caller, service: TodoService
) -> None:
    await call("task_create", items=["of this run"])
    (first,) = service.snapshot.todos
    another = await store.write(messages.append, service.session_id or "", "user", "human")
    other = Caller(service, "tasks", run_id=another.id)

    said = await other("task_create", items=["of another run"])

    assert "of this run" not in said
    with pytest.raises(UnknownTodoError):
        await other("task_update", id=first.id, status="completed")


async def test_replacing_the_tasks_leaves_alone_what_the_user_added(
    call: Caller, service: TodoService
) -> None:
    (mine,) = (await service.add(USER, [Draft("of the user")])).todos
    await call("task_create", items=["old"])

    await call("task_create", items=["new"], replace=True)
    await call("task_update", id=mine.id, status="completed")

    assert [(todo.title, todo.status) for todo in service.snapshot.todos] == [
        ("new", "pending"),
        ("of the user", "completed"),
        ("old", "cancelled"),
    ]


async def test_the_list_does_not_outlive_its_run(call: Caller, service: TodoService) -> None:
    await service.add(USER, [Draft("of the session")])
    await call("task_create", items=["of this run"])

    await service.close_runs()

    assert [todo.title for todo in service.snapshot.todos] == ["of the session"]


async def test_what_is_unfinished_at_the_end_is_a_hint(call: Caller, service: TodoService) -> None:
    await call("task_create", items=["a", "b"])
    first, second = (todo.id for todo in service.snapshot.todos)
    await call("task_update", id=first, status="completed")
    await call("task_update", id=second, status="in_progress")

    assert texts.completion_hint(service.snapshot.todos) == (
        f"Still open at the end of this run: #{second} [in_progress] b"
    )


async def test_the_list_is_rendered_fresh_from_the_current_state(call: Caller, service: TodoService) -> None:
    await call("task_create", items=["a"])
    before = texts.context_message(service.snapshot, "tasks")
    await call("task_update", id=service.snapshot.todos[0].id, status="in_progress")

    after = texts.context_message(service.snapshot, "tasks")

    assert before is not None
    assert after is not None
    assert ("[pending] a" in before, "[in_progress] a" in after) == (True, True)


async def test_readonly_may_plan_and_replace_but_not_complete(call: Caller, service: TodoService) -> None:
    reader = Caller(service, "tasks", EXPLORER, call.context.run_id)
    await reader("task_create", items=["a"])
    await reader("task_create", items=["b"], replace=True)

    with pytest.raises(AccessError):
        await reader("task_update", id=service.snapshot.todos[0].id, status="completed")


async def test_a_bad_item_is_counted_as_it_was_sent(call: Caller) -> None:
    await call("task_create", items=["old"])

    with pytest.raises(TodoError, match="item 2: the title is empty"):
        await call("task_create", items=["new", " "], replace=True)


async def test_errors_use_the_words_of_this_dialect(call: Caller, service: TodoService) -> None:
    await call("task_create", items=["plan", "do"])
    first = service.snapshot.todos[0].id

    for word in ("blocked", "stuck"):
        with pytest.raises(
            TodoError, match=f"no status '{word}'; there are pending, in_progress, completed, cancelled$"
        ):
            await call("task_update", id=first, status=word)
    with pytest.raises(TodoError, match=r"item 2: .* is no text; an item is the title of one todo"):
        await call("task_create", items='["fine", {"titel": "b"}]')
