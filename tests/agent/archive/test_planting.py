from dataclasses import replace
from typing import Any

import pytest

from agent.archive.gathering import gather
from agent.archive.planting import fork
from agent.archive.records import Archive, ArchiveError
from agent.context.history import to_chat
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from agent.todos.service import TodoService
from store import artifacts, grants, messages, sessions, todos
from store.database import Store
from tests.agent.archive.sample import WORKSPACE, filled, normal
from tests.provider.strict import complaint


async def test_a_fork_knows_what_was_said_up_to_the_message_and_the_first_stays(store: Store):
    first = await filled(store)
    before = await store.read(gather, first.id)
    said = before.messages

    made = await store.write(fork, first.id, until=said[1].id)

    copied = await store.read(messages.load, made.id)
    assert [message.text for message in copied] == [message.text for message in said[:2]]
    assert [part.kind for part in copied[1].parts] == ["reasoning", "text", "tool", "step"]
    assert complaint({"messages": list(to_chat("s", copied))}) is None
    assert await store.read(gather, first.id) == before


async def test_a_copy_with_open_todos_is_idle_before_anybody_opens_it(store: Store):
    made = await store.write(fork, (await filled(store)).id)

    assert (made.state, made.reason) == ("idle", "held · 3 open")
    assert made.held_at


async def test_a_fork_has_the_plan_with_its_links_inside_and_outside(store: Store):
    first = await filled(store)
    theirs = {todo.title: todo for todo in (await store.read(gather, first.id)).todos}

    made = await store.write(fork, first.id)

    ours = {todo.title: todo for todo in (await store.read(gather, made.id)).todos}
    shared = next(todo for todo in await store.read(todos.visible, WORKSPACE, None))
    assert not {todo.id for todo in ours.values()} & {todo.id for todo in theirs.values()}
    assert ours["fields"].parent_id == ours["Create the model"].id
    assert ours["Create the model"].depends_on == tuple(sorted((ours["Add login"].id, shared.id)))
    assert ours["Add login"].sprint_id == theirs["Add login"].sprint_id
    assert (ours["Add login"].status, ours["Add login"].assignee) == ("in_progress", made.id)
    plan = await store.read(artifacts.get, ours["fields"].artifact_id or 0)
    assert plan is not None
    assert (plan.session_id, plan.title, plan.version) == (made.id, "Auth plan", 2)


async def test_a_fork_has_cost_nothing_waits_and_may_do_no_more_than_a_new_session(store: Store):
    first = await filled(store)
    await store.write(grants.add, WORKSPACE, first.id, "shell", "rm *", "allow")

    made = await store.write(fork, first.id)

    assert (made.cost, made.usage.total, made.max_cost) == (0.0, 0, 2.0)
    assert made.held_at is not None
    assert made.title == "fix the login (fork)"
    assert await store.read(grants.listed, WORKSPACE, made.id) == ()


async def test_a_fork_of_everything_is_equal_but_for_ids_and_price(store: Store):
    first = await filled(store)

    made = await store.write(fork, first.id)

    one, two = normal_for_fork(await store.read(gather, first.id)), await store.read(gather, made.id)
    assert one == normal_for_fork(two)


def normal_for_fork(archive: Archive) -> tuple[Any, ...]:
    inside = {todo.id for todo in archive.todos}
    archive = replace(
        archive,
        todos=tuple(
            replace(todo, depends_on=tuple(each for each in todo.depends_on if each in inside))
            for todo in archive.todos
        ),
        timeline=(),
    )
    found = normal(archive)
    return found.messages, found.todos, found.artifacts, found.sprints


async def test_deleting_the_first_leaves_the_fork_whole(store: Store):
    first = await filled(store)
    made = await store.write(fork, first.id)
    before = await store.read(gather, made.id)

    await store.write(sessions.delete, first.id)

    assert await store.read(gather, made.id) == before


async def test_a_list_of_one_run_goes_where_its_run_goes(store: Store):
    session = await store.write(sessions.create, WORKSPACE, agent="build", model="m")
    runs = [await store.write(messages.append, session.id, "user", "human") for _ in range(2)]
    service = TodoService(store, WORKSPACE, session.id, lambda _: None)
    for number, run in enumerate(runs):
        await service.add(USER, [Draft(f"of run {number}")], run_id=run.id)

    made = await store.write(fork, session.id, until=runs[0].id)

    (todo,) = await store.read(todos.visible, WORKSPACE, made.id)
    (message,) = await store.read(messages.load, made.id)
    assert (todo.title, todo.run_id) == ("of run 0", message.id)


async def test_a_message_of_another_session_is_no_place_to_fork(store: Store):
    first = await filled(store)
    other = await store.write(sessions.create, WORKSPACE, agent="build", model="m")
    strange = await store.write(messages.append, other.id, "user", "human")

    with pytest.raises(ArchiveError, match=f"has no message {strange.id}; `wakeful sessions show`"):
        await store.write(fork, first.id, until=strange.id)
