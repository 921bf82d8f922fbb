"""The stored state of a session follows its list, whichever process changes that."""

from __future__ import annotations

from typing import Any

import pytest

from agent.todos.actors import USER
from agent.todos.drafts import Draft, Edit
from agent.todos.service import TodoService
from store import messages, sessions
from store.database import Store
from store.records import Session, SessionState, Usage


async def stored(store: Store, session: Session) -> tuple[str, str]:
    record = await store.read(sessions.get, session.id)
    return record.state, record.reason


async def test_adding_and_closing_without_a_turn_is_stored(
    store: Store, session: Session, service: TodoService
) -> None:
    await service.add(USER, [Draft("a"), Draft("b")])
    added = await stored(store, session)
    await service.update(USER, [Edit(1, status="blocked", blocked_reason="no key")])
    await service.complete(USER, [2])
    blocked = await stored(store, session)
    await service.complete(USER, [1])
    closed = await stored(store, session)
    await service.undo(USER)
    undone = await stored(store, session)

    assert added == ("idle", "2 open")
    assert blocked == ("idle", "#1 is blocked (no key) · 1 open")
    assert closed == ("dormant", "nothing open")
    assert undone == blocked


@pytest.mark.parametrize(
    ("state", "reason", "columns", "closed"),
    [
        ("idle", "held · 2 open", {"held_at": 1}, ("dormant", "held")),
        ("idle", "no such model · 2 open", {"finish": "failed"}, ("dormant", "no such model")),
        ("idle", "25/25 wakes used · 2 open", {"wakes": 25}, ("dormant", "nothing open")),
        ("running", "working", {}, ("running", "working")),
        (
            "awaiting_approval",
            "waiting for your approval",
            {},
            ("awaiting_approval", "waiting for your approval"),
        ),
    ],
)
async def test_what_stopped_the_session_still_counts(
    store: Store,
    session: Session,
    service: TodoService,
    state: SessionState,
    reason: str,
    columns: dict[str, Any],
    closed: tuple[str, str],
) -> None:
    await service.add(USER, [Draft("a"), Draft("b")])
    if "finish" in columns:
        reply = await store.write(messages.append, session.id, "assistant", "agent")
        await store.write(
            messages.end, session.id, reply.id, usage=Usage(), cost=0.0, finish="failed", ended_at=1
        )
    if "held_at" in columns:
        await store.write(sessions.hold, session.id, held=True)
    for _ in range(columns.get("wakes", 0)):
        await store.write(sessions.count_wake, session.id, stagnant=0)
    await store.write(sessions.set_state, session.id, state, reason)

    await service.complete(USER, [1])
    one = await stored(store, session)
    await service.complete(USER, [2])

    assert one == (state, reason.replace("2 open", "1 open"))
    assert await stored(store, session) == closed


async def test_an_item_of_the_workspace_counts_for_the_session_it_is_assigned_to(
    store: Store, session: Session, service: TodoService
) -> None:
    shared = TodoService(store, "/project", None, lambda _: None)
    (todo,) = (await shared.add(USER, [Draft("shared", assignee=session.id)])).todos
    assigned = await stored(store, session)
    await shared.complete(USER, [todo.id])

    assert (assigned, await stored(store, session)) == (("idle", "1 open"), ("dormant", "nothing open"))
