from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

import pytest

from store import todos, workspaces
from store.database import Reader, Store
from store.records import Session, Spent
from store.trip import Row, Value
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


class Planning(Reader):
    """Answers with nothing, and keeps how SQLite would have gone about it."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(reader._trip, reader.tenant)  # pyright: ignore[reportPrivateUsage]
        self.steps: list[str] = []

    async def all(self, sql: str, *values: Value) -> list[Row]:
        self.steps += [row[3] for row in await super().all(f"EXPLAIN QUERY PLAN {sql}", *values)]
        return []


@pytest.mark.parametrize("question", [todos.pick, todos.dependents, todos.artifact_titles])
async def test_a_few_are_found_without_looking_at_all(
    store: Store, question: Callable[[Reader, Iterable[int]], Awaitable[object]]
):
    async def plan(reader: Reader) -> list[str]:
        planning = Planning(reader)
        await question(planning, [1, 2])
        return planning.steps

    steps = await store.read(plan)

    assert any("INTEGER PRIMARY KEY" in step for step in steps)
    assert not any("(tenant=?)" in step for step in steps)


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
