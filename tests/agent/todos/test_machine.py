"""Several actors in three windows do random things to one list; whatever they do, its promises hold."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, get_args

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from agent.events import TodoUpdated
from agent.todos import rules
from agent.todos.actors import USER, Actor
from agent.todos.drafts import Draft, Edit
from agent.todos.errors import TodoError
from agent.todos.moves import Place
from agent.todos.service import TodoService
from agent.todos.snapshot import Snapshot
from agent.todos.transaction import Changed
from store import sessions
from store.database import Store, open_store
from store.records import Priority, Todo
from tests.agent.todos.conftest import AGENT, EXPLORER, GUEST, PLANNER

ACTORS = st.sampled_from([USER, USER, AGENT, AGENT, AGENT, PLANNER, GUEST])
MASTERS = st.sampled_from([USER, AGENT])
LIMITED = st.sampled_from([PLANNER, EXPLORER, GUEST])
TITLES = st.sampled_from(["a", "b", "write the docs", "日本", "c", "d", "e", "f", "", "two\nlines"])
STATUSES = st.sampled_from(rules.STATUSES)
PLACES = st.sampled_from(get_args(Place))
PRIORITIES = st.sampled_from(get_args(Priority))
# Which of the todos there are is decided when the rule runs; 99 is none of them.
PICKS = st.sampled_from([*range(12), 99])
WINDOWS = st.integers(0, 2)
SWEEPS = ["complete_all", "delete_all", "delete_finished"]
# A batch with everything in it is nearly always refused, so most fields are mostly left out.
SELDOM = st.none() | st.none()
# Where a todo stands in its list: the next one's parent, what it waits for, its status, whether it is shared.
SEEDS = st.tuples(SELDOM | PICKS, SELDOM | PICKS, STATUSES, st.booleans())

T = TypeVar("T")


class TodoMachine(RuleBasedStateMachine):
    """Windows 0 and 1 are two processes on one session; window 2 is another session of the workspace.

    A window learns of the others' changes when it acts or is looked at, so that it is often behind.
    """

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.events: list[list[TodoUpdated]] = [[], [], []]
        self.born: set[int] = set()
        # The session's list before every change that it saw, the newest last.
        self.past: list[tuple[Todo, ...]] = []
        self.store, self.windows = self.run(self.open())

    def run(self, work: Coroutine[object, object, T]) -> T:
        return self.runner.run(work)

    async def open(self) -> tuple[Store, list[TodoService]]:
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        path = Path(folder) / "wakeful.db"
        stores = [await self.stack.enter_async_context(open_store(path)) for _ in range(3)]
        first = await stores[0].write(sessions.create, "/project", agent="build", model="offline")
        other = await stores[0].write(sessions.create, "/project", agent="build", model="offline")
        owners = [first.id, first.id, other.id]
        return stores[0], [
            TodoService(store, "/project", owner, events.append)
            for store, owner, events in zip(stores, owners, self.events, strict=True)
        ]

    def teardown(self) -> None:
        try:
            for window in range(3):
                self.look(window)
        finally:
            self.run(self.stack.aclose())
            self.runner.close()

    def truth(self, window: int = 0) -> Snapshot:
        """The list as a new process reads it."""
        return self.run(TodoService(self.store, "/project", self.windows[window].session_id, print).current())

    def pick(self, window: int, number: int) -> int:
        """Of the list as it is, whether or not the window knows it yet."""
        known = sorted(self.truth(window).by_id)
        return known[number % len(known)] if known and number < 99 else 10_000

    def attempt(self, actor: Actor, work: Coroutine[object, object, Changed]) -> Changed | None:
        """Carry it out, or see that a refusal left everything as it was."""
        before = self.truth()
        try:
            done = self.run(work)
        except TodoError:
            assert self.truth() == before
            return None
        after = self.truth()
        self.check_access(actor, before.by_id, after.by_id)
        check_sound(after.by_id)
        for each in before.by_id.keys() & after.by_id.keys():
            check_step(before.by_id[each], after.by_id[each])
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

    def plant(self, window: int, actor: Actor, drafts: list[Draft]) -> None:
        done = self.attempt(actor, self.windows[window].add(actor, drafts))
        if done:
            new = {todo.id for todo in done.todos}
            assert new.isdisjoint(self.born), "an id was used again"
            assert not self.born or min(new) > max(self.born)
            self.born |= new

    @initialize(seeds=st.lists(SEEDS, min_size=8, max_size=12))
    def begin(self, seeds: Sequence[tuple[int | None, int | None, rules.TodoStatus, bool]]) -> None:
        """Something of everything, so that the first step already meets parents, dependencies and ends."""
        for number, (parent, after, status, shared) in enumerate(seeds):
            self.add(number % 3, USER, [(f"seed {number}", status, shared)], parent, after)

    @rule(
        window=WINDOWS,
        actor=ACTORS,
        items=st.lists(st.tuples(TITLES, STATUSES, st.booleans()), min_size=1, max_size=3),
        parent=SELDOM | PICKS,
        after=SELDOM | PICKS,
    )
    def add(
        self,
        window: int,
        actor: Actor,
        items: list[tuple[str, rules.TodoStatus, bool]],
        parent: int | None,
        after: int | None,
    ) -> None:
        plain = Draft(
            "",
            blocked_reason="why",
            parent_id=None if parent is None else self.pick(window, parent),
            depends_on=() if after is None else (self.pick(window, after),),
        )
        drafts = [
            replace(plain, title=title, status=status, workspace_wide=shared)
            for title, status, shared in items
        ]
        self.plant(window, actor, drafts)

    @rule(window=WINDOWS, actor=ACTORS, picks=st.lists(PICKS, min_size=1, max_size=2), status=STATUSES)
    def set_status(self, window: int, actor: Actor, picks: list[int], status: rules.TodoStatus) -> None:
        edits = [Edit(self.pick(window, each), status=status, blocked_reason="why") for each in picks]
        self.attempt(actor, self.windows[window].update(actor, edits))

    @rule(
        window=WINDOWS,
        actor=ACTORS,
        pick=PICKS,
        title=SELDOM | TITLES,
        priority=st.none() | PRIORITIES,
        parent=SELDOM | PICKS,
    )
    def edit(
        self,
        window: int,
        actor: Actor,
        pick: int,
        title: str | None,
        priority: Priority | None,
        parent: int | None,
    ) -> None:
        edit = Edit(
            self.pick(window, pick),
            title=title,
            priority=priority,
            parent_id=None if parent is None else self.pick(window, parent),
        )
        self.attempt(actor, self.windows[window].update(actor, [edit]))

    @rule(window=WINDOWS, actor=MASTERS, pick=PICKS, others=st.lists(PICKS, max_size=2))
    def depend(self, window: int, actor: Actor, pick: int, others: list[int]) -> None:
        ids = tuple(self.pick(window, each) for each in others)
        edit = Edit(self.pick(window, pick), depends_on=ids)
        self.attempt(actor, self.windows[window].update(actor, [edit]))

    @rule(window=WINDOWS, order=st.permutations(range(6)))
    def chain(self, window: int, order: list[int]) -> None:
        """Each below the next and waiting for it, the last for the first: too deep, and round in a circle."""
        before = self.truth(window).by_id.keys()
        self.plant(window, USER, [Draft(f"link {number}") for number in order])
        ids = sorted(self.truth(window).by_id.keys() - before, key=lambda each: order[each % 6])
        for each, other in zip(ids, [*ids[1:], ids[0]], strict=True):
            for edit in (Edit(each, parent_id=other), Edit(each, depends_on=(other,))):
                self.attempt(USER, self.windows[window].update(USER, [edit]))
            self.look(window)
        # Undone, so that later steps meet a list of a size at which they still hit something.
        while window < 2 and self.past and self.truth().by_id.keys() - before:
            self.undo(window)

    @rule(window=WINDOWS, actor=MASTERS, picks=st.lists(PICKS, min_size=1, max_size=2))
    def complete(self, window: int, actor: Actor, picks: list[int]) -> None:
        ids = [self.pick(window, each) for each in picks]
        self.attempt(actor, self.windows[window].complete(actor, ids))

    @rule(window=WINDOWS, actor=MASTERS, picks=st.lists(PICKS, min_size=1, max_size=2))
    def delete(self, window: int, actor: Actor, picks: list[int]) -> None:
        ids = [self.pick(window, each) for each in picks]
        self.attempt(actor, self.windows[window].delete(actor, ids))

    @rule(window=WINDOWS, actor=MASTERS, what=st.sampled_from(SWEEPS))
    def sweep(self, window: int, actor: Actor, what: str) -> None:
        self.attempt(actor, getattr(self.windows[window], what)(actor))
        # A list that was emptied has little left to go wrong.
        self.undo(0)

    @rule(window=WINDOWS, actor=LIMITED)
    def trespass(self, window: int, actor: Actor) -> None:
        """Everything a limited agent may not do, to everything there is."""
        service = self.windows[window]
        for each in self.truth(window).by_id:
            self.attempt(actor, service.complete(actor, [each]))
            self.attempt(actor, service.delete(actor, [each]))
        self.attempt(actor, service.add(actor, [Draft("x", status="completed")]))
        for what in SWEEPS:
            self.attempt(actor, getattr(service, what)(actor))
        assert self.attempt(actor, service.undo(actor)) is None

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
        assert self.truth().todos == self.past.pop()

    @rule(window=WINDOWS)
    def look(self, window: int) -> None:
        known, stored = self.run(self.windows[window].refresh()), self.truth(window)
        assert known.todos == stored.todos
        assert known.revision == stored.revision
        assert known.progress == stored.progress == progress(known.todos)
        assert list(known.todos) == sorted(known.todos, key=place)
        assert dict(known.by_id) == {todo.id: todo for todo in known.todos}
        events = self.events[window]
        revisions = [event.revision for event in events]
        assert revisions == sorted(set(revisions))
        for event in events[-1:]:
            assert (event.todos, event.revision) == (known.todos, known.revision)
        events[:-1] = []


def check_sound(todos: Mapping[int, Todo]) -> None:
    for todo in todos.values():
        assert (todo.status == "blocked") == bool(todo.blocked_reason and todo.blocked_on)
        assert (todo.status in rules.TERMINAL) == (todo.completed_at is not None)
        assert 1 <= len(todo.title) <= 200
        line = [todo]
        while line[-1].parent_id is not None:
            line.append(todos[line[-1].parent_id])
        assert len(line) <= rules.DEPTH + 1
        waits_for, waiting = set[int](), list(todo.depends_on)
        while waiting:
            each = waiting.pop()
            if each not in waits_for:
                waits_for.add(each)
                waiting.extend(todos[each].depends_on)
        assert todo.id not in waits_for


def check_step(before: Todo, after: Todo) -> None:
    if before.status in rules.TERMINAL:
        assert after.status in (before.status, "pending")
    assert (before.created_at, before.created_by) == (after.created_at, after.created_by)


def progress(todos: Sequence[Todo]) -> rules.Progress:
    done = sum(todo.status == "completed" for todo in todos)
    return rules.Progress(done, len(todos) - sum(todo.status == "cancelled" for todo in todos))


def place(todo: Todo) -> tuple[int, int, int]:
    """In progress, pending, blocked, each by position; then what is finished, the latest first."""
    rank = ["in_progress", "pending", "blocked"].index(todo.status) if todo.status in rules.OPEN else 3
    return (3, -(todo.completed_at or 0), -todo.id) if rank == 3 else (rank, todo.position, todo.id)


TodoMachine.TestCase.settings = settings(
    max_examples=30,
    stateful_step_count=20,
    # Shrinking a failure would take minutes; the seed and the steps are printed as they are.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestTodoMachine = TodoMachine.TestCase
