from dataclasses import replace

from store import todos, workspaces
from store.database import Store
from store.records import Session, Spent
from tests.store.drafts import todo


async def test_a_todo_round_trips_with_every_field(store: Store, session: Session):
    first = await store.write(todos.add, todo("first"))
    full = replace(
        todo("all fields", session_id=session.id),
        parent_id=first.id,
        notes="two\nlines",
        status="blocked",
        blocked_reason="needs a key",
        blocked_on="human",
        priority="high",
        depends_on=(first.id,),
        check="make test",
        assignee="build",
        started_at=3,
        spent=Spent(1, 2, 0.5, 4),
    )

    stored = await store.write(todos.add, full)

    assert await store.read(todos.get, stored.id) == replace(full, id=stored.id)
    changed = replace(stored, depends_on=(), title="fewer", spent=Spent(9, 9, 9.0, 9))
    await store.write(todos.save, changed)
    assert await store.read(todos.get, stored.id) == changed


async def test_ids_are_never_reused(store: Store):
    first = await store.write(todos.add, todo())
    await store.write(todos.remove, first.id)

    second = await store.write(todos.add, todo())

    assert second.id > first.id


async def test_deleting_a_parent_deletes_its_subtasks(store: Store):
    parent = await store.write(todos.add, todo("parent"))
    child = await store.write(todos.add, replace(todo("child"), parent_id=parent.id))

    await store.write(todos.remove, parent.id)

    assert await store.read(todos.get, child.id) is None


async def test_a_session_sees_its_own_and_the_workspace_pool_and_nothing_else(store: Store, session: Session):
    await store.write(workspaces.ensure, "/other")
    own = await store.write(todos.add, todo("own", session_id=session.id))
    shared = await store.write(todos.add, todo("shared"))
    await store.write(todos.add, todo("foreign", workspace="/other"))

    assert await store.read(todos.visible, "/project", session.id) == (own, shared)
    assert await store.read(todos.visible, "/project", None) == (shared,)
