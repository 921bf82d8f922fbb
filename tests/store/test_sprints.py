from dataclasses import replace

import pytest

from store import changes, sprints, todos
from store.database import Store
from store.errors import ConflictError, MissingError
from tests.store.drafts import todo


async def test_a_sprint_is_created_moved_on_and_listed(store: Store):
    first = await store.write(sprints.create, "/project", "One", actor="user")
    second = await store.write(sprints.create, "/project", "Two", actor="user")

    active = await store.write(sprints.set_status, first.id, "active", actor="user")

    assert (active.name, active.status) == ("One", "active")
    assert await store.read(sprints.listed, "/project") == (active, second)
    assert await store.read(sprints.listed, "/elsewhere") == ()
    kinds = [change.kind for change in await store.read(changes.since, 0)]
    assert kinds == ["sprint.created", "sprint.created", "sprint.status"]


async def test_a_name_is_taken_once_in_a_workspace(store: Store):
    await store.write(sprints.create, "/project", "One", actor="user")

    with pytest.raises(ConflictError):
        await store.write(sprints.create, "/project", "One", actor="user")


async def test_deleting_a_sprint_leaves_its_todos(store: Store):
    sprint = await store.write(sprints.create, "/project", "One", actor="user")
    member = await store.write(todos.add, replace(todo(), sprint_id=sprint.id))
    assert await store.read(sprints.linked, sprint.id) == (member.id,)

    await store.write(sprints.remove, sprint.id, actor="user")

    assert await store.read(todos.get, member.id) == replace(member, sprint_id=None)
    assert await store.read(sprints.get, sprint.id) is None


async def test_a_sprint_of_another_tenant_does_not_exist(store: Store):
    sprint = await store.write(sprints.create, "/project", "One", actor="user")
    guest = store.for_tenant("guest")

    assert await guest.read(sprints.get, sprint.id) is None
    assert await guest.read(sprints.listed, "/project") == ()
    for attempt in (
        guest.write(sprints.set_status, sprint.id, "active", actor="user"),
        guest.write(sprints.remove, sprint.id, actor="user"),
    ):
        with pytest.raises(MissingError):
            await attempt
    assert await store.read(sprints.get, sprint.id) == sprint
