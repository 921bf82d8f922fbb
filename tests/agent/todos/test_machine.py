"""Several actors in three windows do random things to one list; whatever they do, its promises hold."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeVar, get_args

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from agent.events import TodoUpdated
from agent.todos import rules
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.errors import TodoError
from agent.todos.moves import Place
from agent.todos.service import TodoService
from agent.todos.transaction import Changed
from store import sessions
from store.database import open_store
from store.records import Priority, Todo
from tests.agent.todos.conftest import AGENT, EXPLORER, GUEST, PLANNER

ACTORS = st.sampled_from([USER, USER, AGENT, AGENT, PLANNER, EXPLORER, GUEST])
TITLES = st.sampled_from(["a", "b", "write the docs", "日本", "c", "d", "e", "f", "", "two\nlines"])
STATUSES = st.sampled_from(rules.STATUSES)
PLACES = st.sampled_from(get_args(Place))
PRIORITIES: st.SearchStrategy[Priority | None] = st.sampled_from([None, "high", "low"])
# Which of the todos there are is decided when the rule runs; 99 points behind all of them.
PICKS = st.integers(0, 99)
WINDOWS = st.integers(0, 2)
SWEEPS = ["complete_all", "delete_all", "delete_finished"]
# A batch with everything in it is nearly always refused, so most fields are mostly left out.
SELDOM = st.none() | st.none() | st.none()

T = TypeVar("T")


class TodoMachine(RuleBasedStateMachine):
    """Windows 0 and 1 are two processes on one session; window 2 is another session of the workspace."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.events: list[list[TodoUpdated]] = [[], [], []]
        self.born: set[int] = set()
        # The session's list before every change that it saw, the newest last.
        self.past: list[tuple[Todo, ...]] = []
        self.windows = self.run(self.open())

    def run(self, work: Coroutine[object, object, T]) -> T:
        return self.runner.run(work)

    async def open(self) -> list[TodoService]:
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        path = Path(folder) / "wakeful.db"
        stores = [await self.stack.enter_async_context(open_store(path)) for _ in range(3)]
        first = await stores[0].write(sessions.create, "/project", agent="build", model="offline")
        other = await stores[0].write(sessions.create, "/project", agent="build", model="offline")
        owners = [first.id, first.id, other.id]
        return [
            TodoService(store, "/project", owner, events.append)
            for store, owner, events in zip(stores, owners, self.events, strict=True)
        ]

    def teardown(self) -> None:
        self.run(self.stack.aclose())
        self.runner.close()

    def pick(self, window: int, number: int) -> int:
        todos = self.run(self.windows[window].current()).todos
        return todos[number % len(todos)].id if todos and number < 90 else 10_000

    def attempt(self, actor: Actor, work: Coroutine[object, object, Changed]) -> Changed | None:
        """Carry it out, or see that a refusal left everything as it was."""
        before = self.run(self.windows[0].current())
        try:
            done = self.run(work)
        except TodoError:
            assert self.run(self.windows[0].current()) == before
            return None
        after = self.run(self.windows[0].current())
        self.check_access(actor, before.by_id, after.by_id)
        if after.revision != before.revision:
            assert after.revision > before.revision
            self.past.append(before.todos)
        return done

    def check_access(self, actor: Actor, before: Mapping[int, Todo], after: Mapping[int, Todo]) -> None:
        if actor.access == "full":
            return
        assert before.keys() <= after.keys(), "a todo was deleted"
        done = [each for each, todo in after.items() if todo.status == "completed"]
        assert all(each in before and before[each].status == "completed" for each in done), "one was done"
        assert actor.access != "minimal" or before == after

    @rule(
        window=WINDOWS,
        actor=ACTORS,
        titles=st.lists(TITLES, min_size=1, max_size=3),
        status=STATUSES,
        parent=SELDOM | PICKS,
        after=SELDOM | PICKS,
        shared=st.booleans(),
    )
    def add(
        self,
        window: int,
        actor: Actor,
        titles: list[str],
        status: rules.TodoStatus,
        parent: int | None,
        after: int | None,
        shared: bool,
    ) -> None:
        drafts = [
            Draft(
                title,
                status=status,
                blocked_reason="why",
                parent_id=None if parent is None else self.pick(window, parent),
                depends_on=() if after is None else (self.pick(window, after),),
                workspace_wide=shared,
            )
            for title in titles
        ]
        done = self.attempt(actor, self.windows[window].add(actor, drafts))
        if done:
            new = {todo.id for todo in done.todos}
            assert new.isdisjoint(self.born), "an id was used again"
            assert not self.born or min(new) > max(self.born)
            self.born |= new

    @rule(
        window=WINDOWS,
        actor=ACTORS,
        picks=st.lists(PICKS, min_size=1, max_size=3),
        status=st.none() | STATUSES,
        title=SELDOM | TITLES,
        priority=PRIORITIES,
        parent=SELDOM | PICKS,
        after=SELDOM | st.lists(PICKS, max_size=2),
    )
    def update(
        self,
        window: int,
        actor: Actor,
        picks: list[int],
        status: rules.TodoStatus | None,
        title: str | None,
        priority: Priority | None,
        parent: int | None,
        after: list[int] | None,
    ) -> None:
        edits = [
            Edit(
                self.pick(window, each),
                title=title,
                status=status,
                blocked_reason="why",
                priority=priority,
                parent_id=None if parent is None else self.pick(window, parent),
                depends_on=None if after is None else tuple(self.pick(window, other) for other in after),
            )
            for each in picks
        ]
        self.attempt(actor, self.windows[window].update(actor, edits))

    @rule(window=WINDOWS, actor=ACTORS, picks=st.lists(PICKS, min_size=1, max_size=3))
    def complete(self, window: int, actor: Actor, picks: list[int]) -> None:
        ids = [self.pick(window, each) for each in picks]
        self.attempt(actor, self.windows[window].complete(actor, ids))

    @rule(window=WINDOWS, actor=ACTORS, picks=st.lists(PICKS, min_size=1, max_size=2))
    def delete(self, window: int, actor: Actor, picks: list[int]) -> None:
        ids = [self.pick(window, each) for each in picks]
        self.attempt(actor, self.windows[window].delete(actor, ids))

    @rule(window=WINDOWS, actor=ACTORS, what=st.sampled_from(SWEEPS))
    def sweep(self, window: int, actor: Actor, what: str) -> None:
        self.attempt(actor, getattr(self.windows[window], what)(actor))

    @rule(window=WINDOWS, actor=ACTORS, pick=PICKS, place=PLACES, other=PICKS)
    def move(self, window: int, actor: Actor, pick: int, place: Place, other: int) -> None:
        chosen, beside = self.pick(window, pick), self.pick(window, other)
        self.attempt(actor, self.windows[window].move(actor, chosen, place, other=beside))

    @rule(window=st.integers(0, 1))
    def undo(self, window: int) -> None:
        service = self.windows[window]
        if not self.past:
            with pytest.raises(TodoError, match="nothing to undo"):
                self.run(service.undo(USER))
            return
        self.run(service.undo(USER))
        assert self.run(service.current()).todos == self.past.pop()

    @rule(actor=st.sampled_from([AGENT, PLANNER, GUEST]))
    def undo_by_an_agent(self, actor: Actor) -> None:
        assert self.attempt(actor, self.windows[0].undo(actor)) is None

    @invariant()
    def every_window_tells_the_truth(self) -> None:
        for service in self.windows:
            known = self.run(service.refresh())
            fresh = TodoService(service._store, "/project", service.session_id, print)  # pyright: ignore[reportPrivateUsage] a first look at the same rows
            stored = self.run(fresh.current())
            assert known.todos == stored.todos
            assert known.revision == stored.revision
            assert list(known.todos) == sorted(known.todos, key=rules.order)
            assert known.progress == rules.progress(known.todos)
            assert dict(known.by_id) == {todo.id: todo for todo in known.todos}

    @invariant()
    def every_todo_is_sound(self) -> None:
        for todo in self.windows[0].snapshot.todos:
            assert (todo.status == "blocked") == bool(todo.blocked_reason and todo.blocked_on)
            assert (todo.status in rules.TERMINAL) == (todo.completed_at is not None)
            assert 1 <= len(todo.title) <= 200
            by_id = self.windows[0].snapshot.by_id
            rules.check_dependencies(by_id, todo.id, todo.depends_on)

    @invariant()
    def revisions_of_events_grow(self) -> None:
        for events in self.events:
            revisions = [event.revision for event in events]
            assert revisions == sorted(set(revisions))
            for event in events[-1:]:
                assert event.progress == rules.progress(event.todos)


TodoMachine.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=25,
    deadline=None,
    # Shrinking a failure would take minutes; the seed and the steps are printed as they are.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestTodoMachine = TodoMachine.TestCase
