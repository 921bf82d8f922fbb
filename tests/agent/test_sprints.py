from __future__ import annotations

import pytest

from agent.events import TodoUpdated
from agent.sprints import SprintError, SprintService
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft
from agent.todos.errors import AccessError, UnknownTodoError
from agent.todos.service import TodoService
from store.database import Store
from store.records import Session

READER = Actor("agent:explore", "readonly")
GUEST = Actor("agent:guest", "minimal")


@pytest.fixture
def events() -> list[TodoUpdated]:
    return []


@pytest.fixture
async def todos(store: Store, session: Session, events: list[TodoUpdated]) -> TodoService:
    return TodoService(store, "/project", session.id, events.append)


@pytest.fixture
async def sprints(store: Store, todos: TodoService) -> SprintService:
    return SprintService(store, "/project", todos)


async def test_sprints_are_created_moved_on_and_listed_by_status(sprints: SprintService):
    first = await sprints.create(USER, " Spring ")
    second = await sprints.create(READER, "Summer")

    active = await sprints.set_status(READER, first.id, "active")

    assert (active.name, active.status) == ("Spring", "active")
    assert await sprints.list() == (active, second)
    assert await sprints.list("planned") == (second,)
    assert await sprints.set_status(USER, first.id, "active") == active


async def test_a_name_is_taken_once_and_fits_in_a_line(sprints: SprintService):
    await sprints.create(USER, "Spring")

    with pytest.raises(SprintError, match="already"):
        await sprints.create(USER, "Spring")
    with pytest.raises(SprintError, match="0 characters"):
        await sprints.create(USER, " ")
    assert len(await sprints.list()) == 1


async def test_todos_join_and_leave_a_sprint_and_lists_are_filtered_by_it(
    sprints: SprintService, todos: TodoService
):
    sprint = await sprints.create(USER, "Spring")
    first, second, third = (await todos.add(USER, [Draft("a"), Draft("b"), Draft("c")])).todos

    await sprints.assign(USER, sprint.id, [first.id, third.id])
    assert [todo.title for todo in await sprints.todos(sprint.id)] == ["a", "c"]
    await sprints.release(USER, [first.id, second.id])

    assert [todo.title for todo in await sprints.todos(sprint.id)] == ["c"]


async def test_a_batch_with_an_unknown_todo_assigns_nothing(sprints: SprintService, todos: TodoService):
    sprint = await sprints.create(USER, "Spring")
    (todo,) = (await todos.add(USER, [Draft("a")])).todos

    with pytest.raises(UnknownTodoError):
        await sprints.assign(USER, sprint.id, [todo.id, 99])
    with pytest.raises(SprintError, match="there are: 1 Spring"):
        await sprints.assign(USER, 99, [todo.id])

    assert await sprints.todos(sprint.id) == ()


async def test_deleting_a_sprint_unlinks_its_todos_and_moves_the_list_on(
    sprints: SprintService, todos: TodoService, events: list[TodoUpdated]
):
    sprint = await sprints.create(USER, "Spring")
    await todos.add(USER, [Draft("a", sprint_id=sprint.id), Draft("b")])
    before = todos.snapshot.revision
    events.clear()

    await sprints.delete(USER, sprint.id)

    (event,) = events
    assert [todo.sprint_id for todo in event.todos] == [None, None]
    assert event.revision > before
    assert event.change is not None
    assert (event.change.kind, len(event.change.ids)) == ("todo.unlinked", 1)
    assert await sprints.list() == ()


async def test_access_levels_and_workspaces_hold_for_sprints(
    store: Store, sprints: SprintService, events: list[TodoUpdated]
):
    sprint = await sprints.create(USER, "Spring")
    elsewhere = TodoService(store, "/elsewhere", None, events.append)
    foreign = SprintService(store, "/elsewhere", elsewhere)

    with pytest.raises(AccessError, match="may not delete"):
        await sprints.delete(READER, sprint.id)
    with pytest.raises(AccessError):
        await sprints.create(GUEST, "x")
    with pytest.raises(AccessError):
        await sprints.set_status(GUEST, sprint.id, "active")
    for attempt in (
        foreign.get(sprint.id),
        foreign.set_status(USER, sprint.id, "active"),
        foreign.delete(USER, sprint.id),
        foreign.todos(sprint.id),
    ):
        with pytest.raises(SprintError, match="there is none yet"):
            await attempt
    assert await sprints.list() == (sprint,)
