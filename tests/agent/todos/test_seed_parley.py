"""Walks the AgentParley document top to bottom in the `skills` dialect. Ids are written `#1842` here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.todos import texts
from agent.todos.actors import USER
from agent.todos.dialects.registry import tools
from agent.todos.drafts import Draft
from agent.todos.errors import AccessError, TodoError
from agent.todos.service import TodoService
from agent.wake import Situation, Stay, Wake, decide, work_of
from store import sessions
from store.database import Store
from tests.agent.todos.call import Caller
from tests.agent.todos.conftest import PLANNER

ITEMS = ["Roll back the last payments deploy", "Confirm the queue drained", "Post-mortem note in the wiki"]


@pytest.fixture
def call(service: TodoService) -> Caller:
    return Caller(service, "skills")


def situation(service: TodoService, wakes: int = 0) -> Situation:
    todos = service.snapshot.todos
    return Situation(todos, work_of(todos, service.session_id), wakes=wakes)


def test_there_are_three_skills() -> None:
    assert [tool.name for tool in tools("skills")] == ["todo_write", "todo_list", "todo_update"]


@pytest.mark.parametrize("items", [ITEMS, str(ITEMS).replace("'", '"')], ids=["array", "JSON text"])
async def test_todo_write_adds_items_and_returns_each_id(
    call: Caller, service: TodoService, items: object
) -> None:
    said = await call("todo_write", items=items)

    assert [todo.title for todo in service.snapshot.todos] == ITEMS
    assert all(f"#{todo.id} {todo.title}" in said for todo in service.snapshot.todos)
    assert "Progress 0/3." in said


async def test_todo_list_shows_ids_statuses_and_reasons(call: Caller, service: TodoService) -> None:
    await call("todo_write", items=ITEMS)
    last = service.snapshot.todos[2].id
    await call("todo_update", id=last, status="blocked", reason="waiting on the on-call")

    said = await call("todo_list")

    assert f"#{last} [blocked] {ITEMS[2]} (blocked: waiting on the on-call)" in said.splitlines()


async def test_todo_update_closes_as_done_or_blocked(call: Caller, service: TodoService) -> None:
    await call("todo_write", items=ITEMS)
    first, second, _ = (todo.id for todo in service.snapshot.todos)

    said = await call("todo_update", id=str(first), status="done")
    with pytest.raises(TodoError, match=r"^blocked needs a reason; say what it waits for in reason$"):
        await call("todo_update", id=second, status="blocked")

    assert "Progress 1/3." in said
    assert service.snapshot.by_id[first].status == "completed"


async def test_the_nudge_carries_the_live_list_inline(call: Caller, service: TodoService) -> None:
    await call("todo_write", items=ITEMS)
    first, second, third = (todo.id for todo in service.snapshot.todos)
    await call(
        "todo_update", id=third, status="blocked", reason="waiting on the on-call to confirm root cause"
    )

    nudge, *rest = texts.wake_message(service.snapshot.todos, "skills").splitlines()

    assert nudge.startswith("You still have open todos. Keep working, and close each item")
    assert nudge.endswith('with todo_update(id, "done") as you finish it:')
    assert rest == [
        f"- #{first} [pending] {ITEMS[0]}",
        f"- #{second} [pending] {ITEMS[1]}",
        f"- #{third} [blocked] {ITEMS[2]} (blocked: waiting on the on-call to confirm root cause)",
        "(todo_list shows the full list.)",
    ]


async def test_open_todos_wake_the_session_until_the_budget_is_used(
    call: Caller, service: TodoService
) -> None:
    await call("todo_write", items=ITEMS)

    assert decide(situation(service)) == Wake(1, 25)
    parked = decide(situation(service, wakes=25))

    assert isinstance(parked, Stay)
    assert (parked.state, parked.reason) == ("idle", "25/25 wakes used · 3 open")


async def test_with_nothing_open_the_session_is_dormant(call: Caller, service: TodoService) -> None:
    await call("todo_write", items=ITEMS[:1])
    await call("todo_update", id=service.snapshot.todos[0].id, status="done")

    decision = decide(situation(service))

    assert isinstance(decision, Stay)
    assert decision.state == "dormant"


@pytest.mark.parametrize(
    ("known", "reason"),
    [
        ({"may_complete": False}, "this agent may not complete todos · 3 open"),
        ({"has_dialect": False}, "this agent works without todos · 3 open"),
        ({"due": False}, "3 open"),
    ],
)
async def test_open_todos_wake_nobody_who_cannot_close_them_or_rests(
    call: Caller, service: TodoService, known: dict[str, bool], reason: str
) -> None:
    await call("todo_write", items=ITEMS)

    decision = decide(replace(situation(service), **known))

    assert isinstance(decision, Stay)
    assert (decision.state, decision.reason) == ("idle", reason)


async def test_the_stored_state_follows_the_list_without_a_turn(
    call: Caller, store: Store, service: TodoService
) -> None:
    async def stored() -> tuple[str, str]:
        record = await store.read(sessions.get, service.session_id or "")
        return record.state, record.reason

    await call("todo_write", items=ITEMS[:2])
    first, second = (todo.id for todo in service.snapshot.todos)
    opened = await stored()
    await service.complete(USER, [first, second])

    assert (opened, await stored()) == (("idle", "2 open"), ("dormant", "nothing open"))


async def test_readonly_may_not_close_as_done(service: TodoService) -> None:
    (todo,) = (await service.add(USER, [Draft("one")])).todos
    call = Caller(service, "skills", PLANNER)

    for word in ("done", "DONE", "completed"):
        with pytest.raises(AccessError):
            await call("todo_update", id=todo.id, status=word)


async def test_errors_use_the_words_of_this_dialect(call: Caller, service: TodoService) -> None:
    await call("todo_write", items=ITEMS)

    with pytest.raises(TodoError, match=r"no status 'finished'; there are done, blocked$"):
        await call("todo_update", id=service.snapshot.todos[0].id, status="finished")
    with pytest.raises(TodoError, match=r"item 2: .* is no text; an item is the title of one todo"):
        await call("todo_write", items='["fine", {"titel": "b"}]')
    with pytest.raises(TodoError, match=r"the title has 201 characters; 200 fit, shorten it"):
        await call("todo_write", items=["x" * 201])


async def test_a_batch_is_atomic_and_bounded(call: Caller, service: TodoService) -> None:
    with pytest.raises(TodoError, match="item 2: the title is empty"):
        await call("todo_write", items=["fine", ""])
    with pytest.raises(TodoError, match="at most 25"):
        await call("todo_write", items=["x"] * 26)

    assert service.snapshot.todos == ()
