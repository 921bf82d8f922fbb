"""A foreign id behaves as if it did not exist, whichever function it is given to."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from store import changes, messages, sessions, todos
from store.database import Store, Writer
from store.errors import ConflictError, MissingError, StoreError
from store.records import Part, Session, Todo, Usage
from tests.store.drafts import text, todo

Attempt = Callable[[Writer, Session, Part], Awaitable[object]]

ATTEMPTS: dict[str, Attempt] = {
    "append a message": lambda writer, session, _: messages.append(writer, session.id, "user", "human"),
    "add a part": lambda writer, session, part: messages.add_part(
        writer, session.id, text(part.message_id, "x")
    ),
    "save a part": lambda writer, session, part: messages.save_part(
        writer, session.id, replace(part, text="stolen")
    ),
    "remove a part": lambda writer, session, part: messages.remove_part(writer, session.id, part),
    "end a message": lambda writer, session, part: messages.end(
        writer, session.id, part.message_id, usage=Usage(), cost=0, finish="stolen"
    ),
    "rename a session": lambda writer, session, _: sessions.rename(writer, session.id, "stolen"),
    "delete a session": lambda writer, session, _: sessions.delete(writer, session.id),
    "adopt a session": lambda writer, session, _: sessions.create(
        writer, "/project", agent="build", model="m", parent_id=session.id
    ),
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS.keys())
async def test_nothing_of_another_tenant_is_touched(store: Store, session: Session, attempt: Attempt):
    message = await store.write(messages.append, session.id, "user", "human")
    part = await store.write(messages.add_part, session.id, text(message.id, "mine"))
    await store.write(messages.end, session.id, message.id, usage=Usage(1), cost=1, finish="stop")
    before = await store.read(messages.load, session.id), await store.read(changes.since, 0)

    with pytest.raises((MissingError, ConflictError)):
        await store.for_tenant("stranger").write(attempt, session, part)

    assert (await store.read(messages.load, session.id), await store.read(changes.since, 0)) == before
    assert await store.for_tenant("stranger").read(changes.since, 0) == ()


async def test_a_todo_is_written_only_under_the_tenant_of_its_writer(store: Store):
    mine = await store.write(todos.add, todo())
    stranger = store.for_tenant("stranger")

    with pytest.raises(MissingError):
        await stranger.write(todos.add, todo("slipped in"))
    with pytest.raises(MissingError):
        await store.write(todos.save, replace(mine, tenant="stranger"))

    assert await store.read(todos.get, mine.id) == mine


@pytest.mark.parametrize("tenant", ["local", "stranger"], ids=["another workspace", "another tenant"])
@pytest.mark.parametrize("link", ["session_id", "parent_id", "depends_on"])
async def test_a_todo_cannot_point_out_of_its_workspace(
    store: Store, session: Session, link: str, tenant: str
):
    target = await store.write(todos.add, todo("target", session_id=session.id))
    workspace = "/other" if tenant == "local" else "/project"
    links: dict[str, object] = {
        "session_id": session.id,
        "parent_id": target.id,
        "depends_on": (target.id,),
    }
    writer = store.for_tenant(tenant)
    plain = replace(todo("plain", workspace=workspace), tenant=tenant)
    stored = await writer.write(todos.add, plain)

    reasons = [
        await refusal(writer, todos.add, replace(plain, **{link: links[link]})),
        await refusal(writer, todos.save, replace(stored, **{link: links[link]})),
    ]

    missing: dict[str, object] = {"session_id": "0" * 26, "parent_id": 10**6, "depends_on": (10**6,)}
    assert set(reasons) == {await refusal(writer, todos.add, replace(plain, **{link: missing[link]}))}
    assert await writer.read(todos.get, stored.id) == stored


async def refusal(store: Store, write: Callable[[Writer, Todo], Awaitable[object]], item: Todo) -> str:
    with pytest.raises(StoreError) as refused:
        await store.write(write, item)
    return str(refused.value)
