"""Walks the Arbiter document top to bottom in the `writ` dialect.

Where the product decides otherwise: unscoped todos belong to one workspace, `canceled` reads `cancelled`,
and `blocked` exists.
"""

from __future__ import annotations

import pytest

from agent.todos.actors import USER, Actor
from agent.todos.context import TodoContext
from agent.todos.dialects.registry import tools
from agent.todos.dialects.writ import answer
from agent.todos.drafts import Draft, Edit
from agent.todos.errors import UnknownTodoError
from agent.todos.service import TodoService
from store import artifacts, sessions
from store.database import Store
from store.records import Session
from tests.agent.todos.conftest import AGENT, EXPLORER


@pytest.fixture
def context(service: TodoService) -> TodoContext:
    return TodoContext(service, AGENT)


async def said(context: TodoContext, reply: str) -> str:
    result = await answer(context, reply)
    assert result is not None
    return result


def test_it_needs_no_tool_calls() -> None:
    assert tools("writ") == ()


async def test_a_reply_without_commands_is_left_alone(context: TodoContext) -> None:
    assert await answer(context, "Nothing to do here.\n```\n/todo add x\n```") is None


async def test_the_writ_of_the_document_line_by_line(context: TodoContext, service: TodoService) -> None:
    await said(
        context,
        "/todo add review the deploy status\n"
        "/todo add write the post-mortem\none or more lines\nof detail\n/endtodo\n"
        "/todo list",
    )
    review, post = service.snapshot.todos
    assert (post.title, post.notes) == ("write the post-mortem", "one or more lines\nof detail")
    assert {todo.status for todo in service.snapshot.todos} == {"pending"}
    assert review.created_by == "agent:build"

    await said(context, f"/todo start {review.id}")
    await said(context, f"/todo describe {review.id}: bumped to follow up next sprint")
    await said(context, f"/todo subject {review.id}: review the canary deploy status")
    started = service.snapshot.by_id[review.id]
    assert (started.status, started.title, started.notes) == (
        "in_progress",
        "review the canary deploy status",
        "bumped to follow up next sprint",
    )

    await said(context, f"/todo done {review.id}\n/todo cancel {post.id}")
    done, dropped = service.snapshot.by_id[review.id], service.snapshot.by_id[post.id]
    assert (done.status, dropped.status) == ("completed", "cancelled")
    assert done.completed_at is not None
    assert dropped.completed_at is not None


async def test_the_list_is_framed_with_the_one_in_progress_on_top(
    context: TodoContext, service: TodoService
) -> None:
    await service.add(
        USER,
        [
            Draft("write the post-mortem"),
            Draft("review the canary deploy status"),
            Draft("file the rollback ticket", workspace_wide=True),
            Draft("long gone", status="completed"),
        ],
    )
    post, review, ticket, _ = sorted(todo.id for todo in service.snapshot.todos)
    await service.update(AGENT, [Edit(review, status="in_progress")])

    result = await said(context, "/todo list")

    assert result.splitlines()[:6] == [
        "[/todo list]",
        "3 open (1 in progress, 2 pending):",
        f"▶ #{review} [in_progress] review the canary deploy status",
        f"  #{post} [pending] write the post-mortem",
        f"  #{ticket} [pending] file the rollback ticket (workspace)",
        "[END TODO]",
    ]
    assert "Progress 1/4." in result


async def test_the_list_names_the_artifact_of_a_linked_todo(
    context: TodoContext, service: TodoService, store: Store
) -> None:
    artifact = await store.write(
        artifacts.create,
        "/project",
        service.session_id,
        title="Rollout",
        kind="plan",
        content="1. review",
        actor="user",
    )
    (linked,) = (await service.add(USER, [Draft("review", artifact_id=artifact.id)])).todos

    result = await said(context, "/todo list")

    assert f"  #{linked.id} [pending] review → artifact: Rollout" in result.splitlines()


async def test_a_block_without_its_end_writes_nothing(context: TodoContext, service: TodoService) -> None:
    result = await said(context, "/todo add write the post-mortem\nhalf of the det")

    assert result.splitlines()[:3] == [
        "[/todo add write the post-mortem]",
        "ERR: missing /endtodo terminator",
        "[END TODO]",
    ]
    assert service.snapshot.todos == ()


async def test_an_error_is_framed_and_the_rest_is_carried_out(
    context: TodoContext, service: TodoService
) -> None:
    result = await said(context, "/todo done 99\n/todo add fine")

    (todo,) = service.snapshot.todos
    assert "[/todo done 99]\nERR: no todo #99; the list is empty\n[END TODO]" in result
    assert f"[/todo add fine]\n#{todo.id} [pending] fine\n[END TODO]" in result


async def test_a_skip_from_pending_to_cancelled_is_fine_and_a_given_time_is_kept(
    service: TodoService,
) -> None:
    (todo,) = (await service.add(USER, [Draft("scope changed")])).todos

    (dropped,) = (await service.update(USER, [Edit(todo.id, status="cancelled", completed_at=123)])).todos

    assert dropped.completed_at == 123


async def test_readonly_may_cancel_but_not_finish(service: TodoService) -> None:
    (todo,) = (await service.add(USER, [Draft("one")])).todos
    context = TodoContext(service, EXPLORER)

    for line in (
        f"/todo done {todo.id}",
        "/todo done all",
        f"/todo delete {todo.id}",
        "/todo delete all",
        "/todo undo",
    ):
        assert "ERR: agent:explore may not" in await said(context, line)
    assert service.snapshot.by_id[todo.id].status == "pending"
    await said(context, f"/todo cancel {todo.id}")
    assert service.snapshot.by_id[todo.id].status == "cancelled"


async def test_an_agent_with_given_items_plans_nothing_and_closes_its_own(
    service: TodoService, session: Session
) -> None:
    given, other = (await service.add(USER, [Draft("given", assignee=session.id), Draft("other")])).todos
    context = TodoContext(service, Actor("agent:worker", holder=session.id, assigned=True))

    for line in (f"/todo cancel {given.id}", f"/todo start {other.id}", f"/todo done {other.id}"):
        assert "ERR: " in await said(context, line)
    for line in ("/todo add another", f"/todo delete {given.id}"):
        assert "ERR: " in await said(context, line)
    await said(context, f"/todo start {given.id}\n/todo done {given.id}")

    assert {todo.title: todo.status for todo in service.snapshot.todos} == {
        "given": "completed",
        "other": "pending",
    }


async def test_a_read_in_a_session_sees_pinned_rows_and_the_unscoped_pool(
    store: Store, service: TodoService
) -> None:
    await said(TodoContext(service, AGENT), "/todo add -w shared\n/todo add pinned")
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    elsewhere = TodoService(store, "/project", other.id, print)

    assert [todo.title for todo in service.snapshot.todos] == ["shared", "pinned"]
    assert [todo.title for todo in (await elsewhere.current()).todos] == ["shared"]


async def test_the_list_outlives_the_conversation_and_the_process(store: Store, service: TodoService) -> None:
    await said(TodoContext(service, AGENT), "/todo add left behind")

    later = TodoService(store, "/project", service.session_id, print)

    assert [todo.title for todo in (await later.current()).todos] == ["left behind"]


async def test_a_leaked_id_opens_nothing_to_another_tenant(store: Store, service: TodoService) -> None:
    (todo,) = (await service.add(USER, [Draft("secret")])).todos
    stranger = TodoService(store.for_tenant("acme"), "/project", None, print)

    for attempt in (stranger.update(USER, [Edit(todo.id, title="x")]), stranger.delete(USER, [todo.id])):
        with pytest.raises(UnknownTodoError, match=f"no todo #{todo.id}; the list is empty"):
            await attempt
