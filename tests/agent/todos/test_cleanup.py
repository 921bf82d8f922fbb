from __future__ import annotations

from agent.todos.actors import USER
from agent.todos.cleanup import clean_up
from agent.todos.drafts import Draft, Edit
from agent.todos.service import TodoService
from store import sessions
from store.clock import now
from store.database import Store, Writer
from store.records import Session

DAY = 24 * 60 * 60 * 1000


async def leave(writer: Writer, session_id: str, days: int) -> None:
    writer.run("UPDATE sessions SET updated_at = ? WHERE id = ?", now() - days * DAY, session_id)


async def finished(service: TodoService, days: int) -> int:
    (todo,) = (await service.add(USER, [Draft(f"finished {days} days ago")])).todos
    await service.update(USER, [Edit(todo.id, status="completed", completed_at=now() - days * DAY)])
    return todo.id


async def test_what_was_finished_long_ago_in_a_session_nobody_uses_is_archived(
    store: Store, session: Session, service: TodoService
) -> None:
    old, recent = await finished(service, 31), await finished(service, 29)
    (unfinished,) = (await service.add(USER, [Draft("open")])).todos
    assert await clean_up(store) == (0, 0)
    await store.write(leave, session.id, 8)

    assert await clean_up(store) == (0, 1)

    await service.refresh()
    assert set(service.snapshot.by_id) == {recent, unfinished.id}
    assert old not in service.snapshot.by_id
    assert (await service.history())[-1].kind == "todo.archived"


async def test_a_finished_parent_of_open_work_stays(
    store: Store, session: Session, service: TodoService
) -> None:
    parent = await finished(service, 99)
    await service.add(USER, [Draft("below", parent_id=parent)])
    await store.write(leave, session.id, 99)

    assert await clean_up(store) == (0, 0)


async def test_the_shared_pool_is_archived_when_no_session_of_the_folder_is_in_use(
    store: Store, session: Session
) -> None:
    pool = TodoService(store, "/project", None, print)
    await finished(pool, 31)
    assert await clean_up(store) == (0, 0)
    await store.write(leave, session.id, 8)

    assert await clean_up(store) == (0, 1)


async def test_housekeeping_is_not_what_undo_takes_back(
    store: Store, session: Session, service: TodoService
) -> None:
    await finished(service, 31)
    await service.add(USER, [Draft("newest")])
    await store.write(leave, session.id, 8)
    await clean_up(store)

    await service.undo(USER)

    assert service.snapshot.todos == ()


async def test_deleting_a_session_deletes_its_todos(
    store: Store, session: Session, service: TodoService
) -> None:
    await service.add(USER, [Draft("private"), Draft("shared", workspace_wide=True)])

    await store.write(sessions.delete, session.id)

    left = TodoService(store, "/project", None, print)
    assert [todo.title for todo in (await left.current()).todos] == ["shared"]
