"""Who was shown the list when, so that each is told of what others changed since, and of nothing else."""

from __future__ import annotations

from agent.todos import journal
from agent.todos.actors import Actor
from store import changes
from store.database import Store


class Sightings:
    """For one list in one process. Agents of two sessions may share a name, so names do not tell."""

    def __init__(self, store: Store, workspace: str, session_id: str | None) -> None:
        self._store = store
        self._list = (workspace, session_id)
        self._seen: dict[Actor, int] = {}
        self._written: dict[Actor, set[int]] = {}

    def saw(self, actor: Actor, revision: int) -> None:
        """An agent was shown the list as of this revision."""
        self._seen[actor] = max(revision, self._seen.get(actor, 0))
        self._written[actor] = {seq for seq in self._written.get(actor, ()) if seq > revision}

    def wrote(self, actor: Actor, seq: int) -> None:
        self._written.setdefault(actor, set()).add(seq)

    async def unseen(self, actor: Actor) -> dict[int, frozenset[str]]:
        """Which fields of which todos others changed since this actor was shown the list."""
        written = self._written.get(actor, set())
        seen = self._seen.get(actor)
        if seen is None:
            # After a restart what it wrote last is what it certainly saw.
            before = min(written, default=None)
            seen = await self._store.read(changes.last_by, *self._list, actor.name, before=before)
        touched: dict[int, frozenset[str]] = {}
        for change in await self._store.read(changes.of_todos, *self._list, after=seen):
            if change.seq not in written:
                for each, names in journal.touched(change).items():
                    touched[each] = touched.get(each, frozenset()) | names
        return touched
