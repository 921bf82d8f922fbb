"""The one way to change todos: every door and dialect goes through here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

from agent.events import TodoChange
from agent.todos import journal, session_state
from agent.todos.actors import SYSTEM, Actor, check_access, given
from agent.todos.drafts import Draft, Edit, Scene
from agent.todos.errors import AccessError, CheckError, StaleRevisionError, TodoError
from agent.todos.mirror import Mirror, Publish
from agent.todos.moves import Place, moved
from agent.todos.rules import OPEN, find, finished
from agent.todos.sightings import Sightings
from agent.todos.snapshot import Snapshot
from agent.todos.transaction import Changed, Plan, Transaction, UnprovenError
from agent.wake import Limits
from store import changes, sprints
from store import todos as rows
from store.clock import now
from store.database import Reader, Store, Writer
from store.records import Change, Spent, Todo

RunCheck = Callable[[str], Awaitable[tuple[bool, str]]]
Consent = Callable[[str], Awaitable[bool]]
Decide = Callable[[Snapshot], Plan]
Proven = frozenset[tuple[int, str]]
_LIMITS = Limits()


def _always(assignee: str) -> bool:
    del assignee
    return True


class TodoService:
    """The todos that one session sees: its own and the workspace-wide ones; without a session the latter.

    `alive` says whether the owner of a claim still runs. Without `run_check` an agent cannot complete a todo
    that has a check; without `consent` nobody is asked, as in headless use. A caller that was cancelled may
    have left a change that nobody was told of: `refresh` tells.
    """

    def __init__(
        self,
        store: Store,
        workspace: str,
        session_id: str | None,
        publish: Publish,
        *,
        alive: Callable[[str], bool] = _always,
        run_check: RunCheck | None = None,
        consent: Consent | None = None,
        limits: Limits = _LIMITS,
    ) -> None:
        self.workspace = workspace
        self.session_id = session_id
        self._store = store
        self._alive = alive
        self._run_check = run_check
        self._consent = consent
        self._limits = limits
        self._mirror = Mirror(store, workspace, session_id, publish)
        self.sightings = Sightings(store, workspace, session_id)

    @property
    def snapshot(self) -> Snapshot:
        """The list as this process knows it; `current` also asks the store."""
        return self._mirror.snapshot

    async def current(self) -> Snapshot:
        return await self._mirror.current()

    async def refresh(self) -> Snapshot:
        """Catch up with the store and publish if anything is new."""
        return await self._mirror.refresh()

    async def apply_foreign(self, foreign: Iterable[Change]) -> None:
        if any(self._mirror.concerns(change) for change in foreign):
            await self.refresh()

    async def add(
        self, actor: Actor, drafts: Sequence[Draft], *, revision: int | None = None, run_id: int | None = None
    ) -> Changed:
        return await self.change(actor, Plan(tuple(drafts)), revision=revision, run_id=run_id)

    async def update(self, actor: Actor, edits: Sequence[Edit], *, revision: int | None = None) -> Changed:
        return await self.change(actor, Plan(tuple(edits)), revision=revision)

    async def complete(self, actor: Actor, ids: Sequence[int], *, revision: int | None = None) -> Changed:
        edits = tuple(Edit(each, status="completed") for each in ids)
        return await self.change(actor, Plan(edits), revision=revision)

    async def complete_all(self, actor: Actor) -> Changed:
        """Everything open in the list's own scope; the workspace pool is not a session's to finish."""
        await self._ask(actor, "complete all open todos")
        return await self.change(
            actor,
            lambda known: Plan(
                tuple(
                    Edit(t.id, status="completed") for t in self._workable(actor, known) if t.status in OPEN
                )
            ),
        )

    async def delete(self, actor: Actor, ids: Sequence[int], *, revision: int | None = None) -> Changed:
        return await self.change(actor, Plan(removed=tuple(ids)), revision=revision)

    async def delete_finished(self, actor: Actor) -> Changed:
        """Completed and cancelled ones, but not where something open is below them."""
        return await self.change(actor, lambda known: Plan(removed=finished(self.own(known))))

    async def delete_all(self, actor: Actor) -> Changed:
        await self._ask(actor, "delete all todos")
        return await self.change(
            actor, lambda known: Plan(removed=tuple(todo.id for todo in self.own(known)))
        )

    async def move(
        self, actor: Actor, todo_id: int, place: Place, *, other: int = 0, revision: int | None = None
    ) -> Changed:
        return await self.change(
            actor,
            lambda known: Plan(moved(known.todos, find(known.by_id, todo_id), place, other)),
            kind="todo.moved",
            revision=revision,
        )

    async def change(
        self,
        actor: Actor,
        plan: Plan | Decide,
        *,
        kind: str | None = None,
        revision: int | None = None,
        run_id: int | None = None,
    ) -> Changed:
        """All of the plan in one transaction and one line of the log, or nothing."""
        decide = _constant(plan) if isinstance(plan, Plan) else plan
        proven: Proven = frozenset()
        while True:
            try:
                changed = await self._store.write(self._write, actor, decide, kind, revision, run_id, proven)
            except UnprovenError as unproven:
                proven |= await self._prove(unproven.todos)
            else:
                return self._done(actor, changed)

    async def undo(self, actor: Actor) -> Changed:
        """Take the newest change back, whoever made it; only a person may."""
        if actor.name != "user" or actor.access != "full":
            raise AccessError(f"{actor.name} may not undo; the user may, with /todos undo")
        return self._done(actor, await self._store.write(self._take_back, actor))

    async def changed_since(self, revision: int) -> tuple[Todo | None, ...]:
        """The session's own todos that differ now, as they were at that revision; None was not there."""
        return tuple((await self._store.read(self._before, revision)).values())

    async def go_back(self, actor: Actor, revision: int) -> Changed:
        """Make the session's own todos what they were at that revision, as one change that can be undone.

        Shared todos stay: other sessions work on them.
        """
        return self._done(actor, await self._store.write(self._go_back, actor, revision))

    async def history(self, limit: int = 50) -> tuple[journal.Entry, ...]:
        """The newest changes, the latest last."""
        return await self._store.read(self._history, limit)

    async def history_of(self, todo_id: int, limit: int = 50) -> tuple[journal.Entry, ...]:
        """The newest changes of one todo, the latest last."""
        return await self._store.read(self._history_of, todo_id, limit)

    async def steps(self, after: int = 0) -> tuple[journal.Step, ...]:
        """Which todos changed status since a revision, in order: what progress is judged by."""
        found = await self._store.read(changes.of_todos, self.workspace, self.session_id, after=after)
        return tuple(step for change in found for step in journal.steps(change))

    async def changed_by(self, actor: Actor, after: int) -> bool:
        """True if this actor changed the list since that revision."""
        found = await self._store.read(changes.of_todos, self.workspace, self.session_id, after=after)
        return any(change.actor == actor.name for change in found)

    async def spend(
        self, todo_id: int, *, tokens: int = 0, cost: float = 0.0, calls: int = 0, milliseconds: int = 0
    ) -> None:
        """Adds to what a todo has taken. Figures are no change of the list: no revision, no log."""
        await self._store.write(rows.spend, todo_id, Spent(milliseconds, tokens, cost, calls))
        known = self.snapshot
        todo = known.by_id.get(todo_id)
        if todo is None:
            return
        spent = Spent(
            todo.spent.milliseconds + milliseconds,
            todo.spent.tokens + tokens,
            todo.spent.cost + cost,
            todo.spent.calls + calls,
        )
        self._mirror.amend(replace(todo, spent=spent))

    async def close_runs(self, keep: int | None = None) -> None:
        """Lists that lived for one run leave the sight of the session, all but `keep`."""
        await self._store.write(self._close_runs, keep)
        await self.refresh()

    async def artifact_titles(self) -> dict[int, str]:
        ids = {todo.artifact_id for todo in self.snapshot.todos if todo.artifact_id}
        return await self._store.read(rows.artifact_titles, ids) if ids else {}

    async def sprint_names(self) -> dict[int, str]:
        found = await self._store.read(sprints.listed, self.workspace)
        return {each.id: each.name for each in found}

    def own(self, known: Snapshot) -> tuple[Todo, ...]:
        return tuple(todo for todo in known.todos if todo.session_id == self.session_id)

    def _workable(self, actor: Actor, known: Snapshot) -> tuple[Todo, ...]:
        """All of the list, or what was given to an actor that may work on nothing else."""
        if not actor.assigned:
            return self.own(known)
        holder = self._scene(actor, known, None).holder
        return tuple(todo for todo in known.todos if given(actor, holder, todo))

    async def _write(
        self,
        writer: Writer,
        actor: Actor,
        decide: Decide,
        kind: str | None,
        revision: int | None,
        run_id: int | None,
        proven: Proven,
    ) -> Changed:
        known, _ = await self._mirror.synced(writer)
        if revision is not None and revision != known.revision:
            raise StaleRevisionError(
                f"the list is at revision {known.revision} now, not {revision}; read it again first"
            )
        transaction = Transaction(writer, self._scene(actor, known, run_id), known)
        done = await transaction.carry_out(decide(known))
        transaction.check_proven(proven)
        snapshot, change = await transaction.finish(kind)
        await self._follow(writer, transaction, snapshot)
        return Changed(done, snapshot, transaction.warnings(), change)

    async def _follow(self, writer: Writer, transaction: Transaction, snapshot: Snapshot) -> None:
        await session_state.follow(writer, snapshot, self.session_id, transaction.changed, self._limits)

    async def _take_back(self, writer: Writer, actor: Actor) -> Changed:
        known, _ = await self._mirror.synced(writer)
        change = await changes.undoable(writer, self.workspace, self.session_id)
        if change is None:
            raise TodoError("there is nothing to undo; every change is taken back already")
        transaction = Transaction(writer, self._scene(actor, known, None), known)
        done = await transaction.undo(change)
        snapshot, entry = await transaction.finish(journal.UNDONE, undoes=change.seq)
        await self._follow(writer, transaction, snapshot)
        if entry is None:
            # The state is the old one already; the line in the log keeps undo from meeting it again.
            seq = await writer.log(
                journal.UNDONE,
                change.entity_id,
                workspace=self.workspace,
                session_id=change.session_id,
                actor=actor.name,
                undoes=change.seq,
            )
            entry = TodoChange(seq, journal.UNDONE, actor.name, journal.split_ids(change.entity_id))
            snapshot = known.changed((), (), seq)
        return Changed(done, snapshot, (), entry, journal.entry(change, frozenset({change.seq}), back=True))

    async def _before(self, reader: Reader, revision: int) -> dict[int, Todo | None]:
        found = await changes.of_todos(reader, self.workspace, self.session_id, after=revision)
        before = journal.earliest(found)
        present = {todo.id: todo for todo in await rows.pick(reader, before)}
        return {
            each: todo
            for each, todo in before.items()
            if not _same(todo, present.get(each)) and self._is_own(todo, present.get(each))
        }

    def _is_own(self, *todos: Todo | None) -> bool:
        return all(todo is None or todo.session_id == self.session_id for todo in todos)

    async def _go_back(self, writer: Writer, actor: Actor, revision: int) -> Changed:
        known, _ = await self._mirror.synced(writer)
        before = await self._before(writer, revision)
        transaction = Transaction(writer, self._scene(actor, known, None), known)
        done = await transaction.take_back(before)
        snapshot, entry = await transaction.finish(journal.REWOUND)
        return Changed(done, snapshot, (), entry)

    async def _history(self, reader: Reader, limit: int) -> tuple[journal.Entry, ...]:
        found = await changes.of_todos(reader, self.workspace, self.session_id, newest=limit)
        undone = await changes.undone(reader, self.workspace, self.session_id)
        return tuple(journal.entry(change, undone) for change in found)

    async def _history_of(self, reader: Reader, todo_id: int, limit: int) -> tuple[journal.Entry, ...]:
        where = self.workspace, self.session_id
        found = await changes.of_todo(reader, *where, todo_id, newest=limit)
        undone = await changes.undone(reader, *where)
        return tuple(journal.entry_of(change, undone, todo_id) for change in found)

    async def _close_runs(self, writer: Writer, keep: int | None) -> None:
        known, _ = await self._mirror.synced(writer)
        ended = [todo for todo in self.own(known) if todo.run_id not in (None, keep)]
        for todo in await rows.pick(writer, [todo.id for todo in ended]):
            await rows.save(writer, replace(todo, archived_at=now()))
        if ended:
            await writer.log(
                "todo.archived",
                journal.join_ids(todo.id for todo in ended),
                workspace=self.workspace,
                session_id=self.session_id,
                actor=SYSTEM.name,
            )

    async def _prove(self, todos: Iterable[Todo]) -> Proven:
        proven: set[tuple[int, str]] = set()
        for todo in todos:
            command = todo.check or ""
            if self._run_check is None:
                raise CheckError(f"#{todo.id} has a check ({command}) that cannot be run here")
            passed, output = await self._run_check(command)
            if not passed:
                raise CheckError(f"#{todo.id} is not done: its check `{command}` failed\n{output}".rstrip())
            proven.add((todo.id, command))
        return frozenset(proven)

    async def _ask(self, actor: Actor, what: str) -> None:
        known = await self.current()
        for todo in self.own(known)[:1]:
            # Whoever may not do it is told so before anyone is bothered.
            check_access(
                actor, todo, None if what.startswith("delete") else replace(todo, status="completed")
            )
        if (
            actor.is_agent
            and self._consent
            and not await self._consent(f"{actor.name} wants to {what}. Allow?")
        ):
            raise AccessError(f"the user did not allow to {what}; name the ids that are meant")

    def _scene(self, actor: Actor, known: Snapshot, run_id: int | None) -> Scene:
        return Scene(
            todos=known.by_id,
            actor=actor,
            # Never before what the list holds, so that the order survives a clock that was set back.
            moment=max(now(), known.latest + 1),
            workspace=self.workspace,
            tenant=self._store.tenant,
            session_id=self.session_id,
            run_id=run_id,
            alive=self._alive,
        )

    def _done(self, actor: Actor, changed: Changed) -> Changed:
        if changed.change:
            self.sightings.wrote(actor, changed.change.seq)
        self._mirror.keep(changed.snapshot)
        self._mirror.tell(changed.change)
        return changed


def _same(before: Todo | None, present: Todo | None) -> bool:
    """Apart from when it was changed and what it took, which no change of the list is about."""
    if before is None or present is None:
        return before is present
    return before == replace(present, spent=before.spent, updated_at=before.updated_at)


def _constant(plan: Plan) -> Decide:
    def decide(known: Snapshot) -> Plan:
        del known
        return plan

    return decide
