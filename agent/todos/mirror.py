"""The list as one process knows it: caught up with the store in small steps, and told of after each."""

from __future__ import annotations

from collections.abc import Callable

from agent.events import TodoChange, TodoUpdated
from agent.todos import journal
from agent.todos.snapshot import Snapshot
from store import changes
from store import todos as rows
from store.database import Reader, Store
from store.records import Change, Todo

Publish = Callable[[TodoUpdated], None]


class Mirror:
    """Of what one session sees: its own todos and the workspace-wide ones; without a session the latter."""

    def __init__(self, store: Store, workspace: str, session_id: str | None, publish: Publish) -> None:
        self.snapshot = Snapshot()
        self._store = store
        self._workspace = workspace
        self._session_id = session_id
        self._publish = publish
        self._told = -1

    async def current(self) -> Snapshot:
        snapshot, _ = await self._store.read(self.synced)
        self.keep(snapshot)
        return snapshot

    async def refresh(self) -> Snapshot:
        snapshot, last = await self._store.read(self.synced)
        self.keep(snapshot)
        self.tell(last)
        return snapshot

    async def synced(self, reader: Reader) -> tuple[Snapshot, TodoChange | None]:
        """The list inside this transaction: what is known plus what happened since."""
        known = self.snapshot
        where = self._workspace, self._session_id
        if known.revision < 0:
            found = await rows.visible(reader, *where)
            return known.changed(found, (), await rows.revision(reader, *where)), None
        since = await changes.touched(reader, *where, known.revision)
        if not since:
            return known, None
        ids = {each for _, _, joined, _ in since for each in journal.split_ids(joined)}
        seen = [todo for todo in await rows.pick(reader, ids) if self._sees(todo)]
        seq, kind, joined, actor = since[-1]
        snapshot = known.changed(seen, ids - {todo.id for todo in seen}, seq)
        return snapshot, TodoChange(seq, kind, actor, journal.split_ids(joined))

    def keep(self, snapshot: Snapshot) -> None:
        if snapshot.revision > self.snapshot.revision:
            self.snapshot = snapshot

    def amend(self, todo: Todo) -> None:
        """Figures of one todo that are no change of the list."""
        self.snapshot = self.snapshot.changed([todo], (), self.snapshot.revision)
        self._send(None)

    def tell(self, change: TodoChange | None) -> None:
        if self.snapshot.revision > self._told:
            self._send(change)

    def concerns(self, change: Change) -> bool:
        return (
            change.kind.startswith("todo.")
            and change.workspace == self._workspace
            and change.session_id in (None, self._session_id)
        )

    def _send(self, change: TodoChange | None) -> None:
        known = self.snapshot
        self._told = known.revision
        self._publish(TodoUpdated(known.todos, known.revision, known.progress, change))

    def _sees(self, todo: Todo) -> bool:
        return (
            todo.workspace == self._workspace
            and todo.session_id in (None, self._session_id)
            and todo.archived_at is None
        )
