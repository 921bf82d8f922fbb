from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent.events import TodoUpdated
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.errors import (
    AccessError,
    CheckError,
    ClaimedError,
    StaleRevisionError,
    TodoError,
    UnknownTodoError,
)
from agent.todos.service import TodoService
from store import messages, sessions
from store.database import Store, open_store
from store.records import Progress, Session, Spent
from tests.agent.todos.conftest import AGENT, EXPLORER, GUEST, PLANNER


async def three(service: TodoService) -> list[int]:
    done = await service.add(USER, [Draft("one"), Draft("two"), Draft("three")])
    return [todo.id for todo in done.todos]


async def test_a_batch_is_one_change_with_one_event_that_carries_the_full_list(
    service: TodoService, events: list[TodoUpdated]
) -> None:
    ids = await three(service)

    (event,) = events
    assert [todo.id for todo in event.todos] == ids
    assert event.change is not None
    assert (event.change.kind, event.change.ids, event.change.actor) == ("todo.added", tuple(ids), "user")
    assert (event.revision, event.progress) == (event.change.seq, Progress(0, 3))


async def test_one_bad_item_writes_nothing_and_is_named(
    service: TodoService, events: list[TodoUpdated]
) -> None:
    with pytest.raises(TodoError, match="item 2: the title is empty"):
        await service.add(USER, [Draft("fine"), Draft(" ")])

    assert (await service.current()).todos == ()
    assert events == []


async def test_setting_the_status_it_has_changes_nothing(
    service: TodoService, events: list[TodoUpdated]
) -> None:
    first, *_ = await three(service)

    done = await service.update(USER, [Edit(first, status="pending")])

    assert done.change is None
    assert len(events) == 1


async def test_completion_is_stamped_and_reopening_clears_it(service: TodoService) -> None:
    first, *_ = await three(service)

    (closed,) = (await service.complete(AGENT, [first])).todos
    (opened,) = (await service.update(USER, [Edit(first, status="pending")])).todos

    assert (closed.completed_by, closed.completed_at) == ("agent:build", closed.updated_at)
    assert (opened.status, opened.completed_by, opened.completed_at) == ("pending", None, None)


async def test_a_time_of_completion_that_is_given_is_kept(service: TodoService) -> None:
    first, second, _ = await three(service)

    done = await service.update(
        USER,
        [Edit(first, status="completed", completed_at=77), Edit(second, status="cancelled", completed_at=78)],
    )

    assert [todo.completed_at for todo in done.todos] == [77, 78]


async def test_blocked_needs_a_reason_and_waits_for_a_person_by_default(service: TodoService) -> None:
    first, *_ = await three(service)

    with pytest.raises(TodoError, match="blocked needs a reason"):
        await service.update(USER, [Edit(first, status="blocked")])
    (stuck,) = (await service.update(USER, [Edit(first, status="blocked", blocked_reason="no key")])).todos
    (again,) = (await service.update(USER, [Edit(first, status="in_progress")])).todos

    assert (stuck.blocked_reason, stuck.blocked_on) == ("no key", "human")
    assert (again.blocked_reason, again.blocked_on) == (None, None)


async def test_a_stale_revision_is_refused(service: TodoService) -> None:
    first, *_ = await three(service)
    seen = service.snapshot.revision
    await service.update(AGENT, [Edit(first, notes="by the agent")])

    with pytest.raises(StaleRevisionError, match="read it again"):
        await service.update(USER, [Edit(first, notes="by the user")], revision=seen)
    await service.update(USER, [Edit(first, notes="by the user")], revision=service.snapshot.revision)


async def test_an_unknown_id_is_answered_with_those_that_exist(service: TodoService) -> None:
    ids = await three(service)

    with pytest.raises(UnknownTodoError) as caught:
        await service.complete(USER, [999])

    assert str(caught.value) == f"no todo #999; there are {', '.join(f'#{each}' for each in ids)}"


@pytest.mark.parametrize("actor", [PLANNER, EXPLORER], ids=str)
async def test_readonly_adds_updates_and_cancels_but_never_completes_or_deletes(
    service: TodoService, actor: Actor
) -> None:
    first, second, _ = await three(service)
    await service.add(actor, [Draft("mine")])
    await service.update(actor, [Edit(first, title="renamed"), Edit(second, status="cancelled")])
    revision = service.snapshot.revision

    for attempt in (
        service.complete(actor, [first]),
        service.complete_all(actor),
        service.update(actor, [Edit(first, status="completed")]),
        service.add(actor, [Draft("born done", status="completed")]),
        service.add(actor, [Draft("a", subtasks=(Draft("b", status="completed"),))]),
        service.delete(actor, [first]),
        service.delete_finished(actor),
        service.delete_all(actor),
        service.undo(actor),
    ):
        with pytest.raises(AccessError):
            await attempt

    assert (await service.current()).revision == revision


async def test_minimal_changes_nothing(service: TodoService) -> None:
    first, *_ = await three(service)

    for attempt in (service.add(GUEST, [Draft("x")]), service.update(GUEST, [Edit(first, title="y")])):
        with pytest.raises(AccessError):
            await attempt


async def test_a_claim_is_refused_while_its_owner_lives(store: Store, session: Session) -> None:
    living = {session.id}
    first = TodoService(store, "/project", session.id, print)
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    second = TodoService(store, "/project", other.id, print, alive=lambda owner: owner in living)
    (todo,) = (await first.add(USER, [Draft("shared", workspace_wide=True)])).todos

    (claimed,) = (await first.update(AGENT, [Edit(todo.id, status="in_progress")])).todos
    with pytest.raises(ClaimedError, match="is being worked on by"):
        await second.update(AGENT, [Edit(todo.id, status="in_progress")])
    living.clear()
    (taken,) = (await second.update(AGENT, [Edit(todo.id, status="in_progress")])).todos

    assert (claimed.assignee, taken.assignee) == (session.id, other.id)


async def test_what_another_works_on_can_be_noted_but_neither_put_back_nor_taken(
    store: Store, service: TodoService, session: Session
) -> None:
    (todo,) = (await service.add(USER, [Draft("shared", workspace_wide=True)])).todos
    await service.update(AGENT, [Edit(todo.id, status="in_progress")])
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    theirs = TodoService(store, "/project", other.id, print)

    (noted,) = (await theirs.update(AGENT, [Edit(todo.id, notes="see the log", priority="high")])).todos
    for status in ("pending", "blocked", "in_progress"):
        with pytest.raises(ClaimedError):
            await theirs.update(AGENT, [Edit(todo.id, status=status, blocked_reason="mine")])

    assert (noted.notes, noted.status, noted.assignee) == ("see the log", "in_progress", session.id)


async def test_a_note_of_an_agent_claims_nothing(service: TodoService) -> None:
    first, *_ = await three(service)
    await service.update(USER, [Edit(first, status="in_progress")])

    (noted,) = (await service.update(AGENT, [Edit(first, notes="looked at it")])).todos

    assert noted.assignee is None


async def test_a_person_who_starts_an_item_does_not_claim_it(service: TodoService, session: Session) -> None:
    first, *_ = await three(service)

    (started,) = (await service.update(USER, [Edit(first, status="in_progress")])).todos
    (claimed,) = (await service.update(AGENT, [Edit(first, status="in_progress")])).todos
    (released,) = (await service.update(AGENT, [Edit(first, status="pending")])).todos

    assert (started.assignee, claimed.assignee, released.assignee) == (None, session.id, None)


async def test_a_second_item_in_progress_is_taken_with_a_warning(service: TodoService) -> None:
    first, second, _ = await three(service)
    alone = await service.update(AGENT, [Edit(first, status="in_progress")])

    both = await service.update(AGENT, [Edit(second, status="in_progress")])

    assert alone.warnings == ()
    assert both.warnings == (
        f"2 todos are in progress at once (#{first}, #{second}); one at a time is clearer",
    )


async def test_deleting_a_parent_deletes_below_and_frees_who_waited(service: TodoService) -> None:
    (parent, child) = (await service.add(USER, [Draft("parent", subtasks=(Draft("child"),))])).todos
    (waiting,) = (await service.add(USER, [Draft("waiting", depends_on=(child.id,))])).todos

    await service.delete(USER, [parent.id])

    (left,) = service.snapshot.todos
    assert (left.id, left.depends_on) == (waiting.id, ())


async def test_undo_brings_a_deleted_family_back_under_its_old_ids(service: TodoService) -> None:
    parent, child = (await service.add(USER, [Draft("parent", subtasks=(Draft("child"),))])).todos
    await service.add(USER, [Draft("waiting", depends_on=(child.id,))])
    before = service.snapshot.todos
    await service.delete(AGENT, [parent.id])

    await service.undo(USER)

    assert service.snapshot.todos == before
    fresh = TodoService(service._store, "/project", service.session_id, print)  # pyright: ignore[reportPrivateUsage] a second view of the same rows
    assert (await fresh.current()).todos == before


async def test_undo_goes_back_step_by_step_and_says_when_nothing_is_left(service: TodoService) -> None:
    first, *_ = await three(service)
    await service.complete(AGENT, [first])
    await service.update(AGENT, [Edit(first, status="pending")])

    for _ in range(3):
        await service.undo(USER)

    assert service.snapshot.todos == ()
    with pytest.raises(TodoError, match="nothing to undo"):
        await service.undo(USER)
    history = await service.history()
    assert [(entry.kind, entry.undone) for entry in history] == [
        ("todo.added", True),
        ("todo.completed", True),
        ("todo.updated", True),
        ("todo.undone", False),
        ("todo.undone", False),
        ("todo.undone", False),
    ]


async def test_history_says_of_an_undo_what_was_undone(service: TodoService) -> None:
    (todo,) = (await service.add(USER, [Draft("one")])).todos

    await service.undo(USER)

    assert (await service.history())[-1].summary == f"undo: added #{todo.id} one"
    assert (await service.history_of(todo.id))[-1].summary == "undo: added"


async def test_history_says_who_did_what(service: TodoService) -> None:
    first, *_ = await three(service)
    await service.complete(AGENT, [first])

    *_, last = await service.history()

    assert (last.actor, last.summary) == ("agent:build", f"#{first} one: pending → completed")


async def test_a_failing_check_refuses_an_agents_completion_with_its_output(
    store: Store, session: Session
) -> None:
    ran: list[str] = []
    passing = False

    async def run_check(command: str) -> tuple[bool, str]:
        ran.append(command)
        return passing, "2 failed"

    service = TodoService(store, "/project", session.id, print, run_check=run_check)
    (todo,) = (await service.add(USER, [Draft("green", check="make test")])).todos

    with pytest.raises(CheckError, match="make test` failed\n2 failed"):
        await service.complete(AGENT, [todo.id])
    with pytest.raises(CheckError):
        await service.update(AGENT, [Edit(todo.id, check="", status="completed")])
    passing = True
    (done,) = (await service.complete(AGENT, [todo.id])).todos

    assert (done.status, ran) == ("completed", ["make test"] * 3)


async def test_all_at_once_by_an_agent_needs_consent(store: Store, session: Session) -> None:
    asked: list[str] = []
    willing = False

    async def consent(question: str) -> bool:
        asked.append(question)
        return willing

    service = TodoService(store, "/project", session.id, print, consent=consent)
    await three(service)

    for attempt in (service.complete_all(AGENT), service.delete_all(AGENT)):
        with pytest.raises(AccessError, match="did not allow"):
            await attempt
    willing = True
    await service.complete_all(AGENT)
    await service.delete_all(USER)

    assert asked == [
        "agent:build wants to complete all open todos. Allow?",
        "agent:build wants to delete all todos. Allow?",
        "agent:build wants to complete all open todos. Allow?",
    ]
    assert service.snapshot.todos == ()


async def test_all_means_the_own_list_and_not_the_workspace_pool(service: TodoService) -> None:
    (shared,) = (await service.add(USER, [Draft("shared", workspace_wide=True)])).todos
    await three(service)

    await service.complete_all(USER)
    await service.delete_finished(USER)

    assert [todo.id for todo in service.snapshot.todos] == [shared.id]


async def test_two_sessions_see_the_pool_and_nothing_else_of_each_other(
    store: Store, session: Session
) -> None:
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    mine = TodoService(store, "/project", session.id, print)
    theirs = TodoService(store, "/project", other.id, print)
    elsewhere = TodoService(store, "/other", None, print)
    await mine.add(USER, [Draft("shared", workspace_wide=True), Draft("private")])

    assert [todo.title for todo in (await theirs.current()).todos] == ["shared"]
    assert (await elsewhere.current()).todos == ()
    private = mine.snapshot.todos[1].id
    for stranger in (theirs, elsewhere):
        with pytest.raises(UnknownTodoError):
            await stranger.delete(USER, [private])


async def test_another_tenant_finds_nothing(store: Store, service: TodoService) -> None:
    first, *_ = await three(service)
    stranger = TodoService(store.for_tenant("acme"), "/project", service.session_id, print)

    with pytest.raises(UnknownTodoError, match="the list is empty"):
        await stranger.delete(USER, [first])


async def test_a_change_by_another_process_is_seen_and_told(
    tmp_path: Path, store: Store, service: TodoService, events: list[TodoUpdated]
) -> None:
    first, *_ = await three(service)
    events.clear()
    async with open_store(store.path) as second:
        other = TodoService(second, "/project", service.session_id, print)
        await other.complete(USER, [first])
        foreign = (await other.history())[-1]

    await service.refresh()
    await service.refresh()

    (event,) = events
    assert event.change is not None
    assert (event.change.seq, event.change.kind) == (foreign.seq, "todo.completed")
    assert event.progress == Progress(1, 3)


async def test_spending_adds_up_and_survives_edits_by_who_does_not_know_it(
    store: Store, service: TodoService
) -> None:
    first, *_ = await three(service)
    stale = TodoService(store, "/project", service.session_id, print)
    await stale.current()

    await service.spend(first, tokens=10, cost=0.5, calls=1, milliseconds=100)
    await stale.update(USER, [Edit(first, notes="x")])
    await service.spend(first, tokens=1)

    fresh = TodoService(store, "/project", service.session_id, print)
    assert (await fresh.current()).by_id[first].spent == Spent(100, 11, 0.5, 1)
    assert service.snapshot.by_id[first].spent.tokens == 11


async def test_a_run_list_leaves_with_its_run(store: Store, service: TodoService) -> None:
    run = await store.write(messages.append, service.session_id or "", "user", "human")
    await service.add(AGENT, [Draft("for now")], run_id=run.id)
    await three(service)

    await service.close_runs(keep=run.id)
    kept = len(service.snapshot.todos)
    await service.close_runs()

    assert (kept, len(service.snapshot.todos)) == (4, 3)


async def test_moving_reorders_and_only_touches_the_one_moved(service: TodoService) -> None:
    first, second, third = await three(service)

    async def order_after(todo_id: int, place: str, other: int = 0) -> list[int]:
        done = await service.move(USER, todo_id, place, other=other)  # pyright: ignore[reportArgumentType] words of the test
        assert done.change is None or done.change.ids == (todo_id,)
        return [todo.id for todo in service.snapshot.todos]

    assert await order_after(third, "top") == [third, first, second]
    assert await order_after(third, "down") == [first, third, second]
    assert await order_after(second, "before", third) == [first, second, third]
    assert await order_after(first, "bottom") == [second, third, first]
    assert await order_after(first, "up") == [second, first, third]
    assert await order_after(second, "up") == [second, first, third]


async def test_many_moves_into_one_gap_renumber_and_keep_the_order(service: TodoService) -> None:
    first, second, third = await three(service)

    for turn in range(30):
        mover, anchor = (second, third) if turn % 2 else (third, second)
        await service.move(USER, mover, "after", other=first)
        assert [todo.id for todo in service.snapshot.todos] == [first, mover, anchor]


async def test_an_order_survives_a_clock_that_was_set_back(service: TodoService) -> None:
    first, second, _ = await three(service)
    future = service.snapshot.latest + 10**9
    known = service.snapshot
    service._mirror.snapshot = replace(known, latest=future)  # pyright: ignore[reportPrivateUsage] as if the clock had been ahead

    await service.complete(USER, [second])
    await service.complete(USER, [first])

    assert [todo.id for todo in service.snapshot.todos][-2:] == [first, second]


async def test_deleting_what_another_session_waits_for_is_told_there_and_undone_everywhere(
    store: Store, service: TodoService
) -> None:
    (shared,) = (await service.add(USER, [Draft("shared", workspace_wide=True)])).todos
    (waiting,) = (await service.add(USER, [Draft("waits", depends_on=(shared.id,))])).todos
    other = await store.write(sessions.create, "/project", agent="build", model="offline")
    theirs = TodoService(store, "/project", other.id, lambda _: None)

    await theirs.delete(USER, [shared.id])
    alone = (await service.current()).by_id[waiting.id].depends_on
    await theirs.undo(USER)
    again = (await service.current()).by_id[waiting.id].depends_on

    assert (alone, again) == ((), (shared.id,))
    assert waiting.id not in (await theirs.current()).by_id
