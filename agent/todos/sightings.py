"""Who was shown the list when, so that each is told of what others changed since, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from agent.todos import journal
from agent.todos.actors import Actor
from agent.todos.lines import DETAILED
from agent.todos.rules import OPEN
from agent.todos.snapshot import Snapshot
from store import changes
from store.database import Store
from store.records import Todo


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

    async def showed(self, actor: Actor, known: Snapshot, told: Mapping[int, frozenset[str]]) -> None:
        """A result told these fields of these todos.

        Where that is all the news would say of what others changed, it saw the list; else the news says it
        all, since half of a list is none.
        """
        whole = all(todo.id in told for todo in known.open)
        unseen = await self.unseen(actor, until=known.revision)
        if all(
            _covered(known.by_id.get(each), names, told.get(each), whole=whole, left=bool(known.open))
            for each, names in unseen.items()
        ):
            self.saw(actor, known.revision)

    async def unseen(self, actor: Actor, *, until: int | None = None) -> dict[int, frozenset[str]]:
        """Which fields of which todos others changed since this actor was shown the list.

        What came and went meanwhile it never heard of, and need not.
        """
        written = self._written.get(actor, set())
        seen = self._seen.get(actor)
        if seen is None:
            # After a restart what it wrote last is what it certainly saw.
            before = min(written, default=None)
            seen = await self._store.read(changes.last_by, *self._list, actor.name, before=before)
        touched: dict[int, frozenset[str]] = {}
        born: set[int] = set()
        for change in await self._store.read(changes.of_todos, *self._list, after=seen):
            if change.seq in written or (until is not None and change.seq > until):
                continue
            before, after = journal.read(change.before), journal.read(change.after)
            born |= (after.keys() - before.keys()) - touched.keys()
            for each, names in journal.touched(before, after).items():
                touched[each] = touched.get(each, frozenset()) | names
            for each in born & (before.keys() - after.keys()):
                del touched[each]
        return touched


def _covered(
    todo: Todo | None, changed: frozenset[str], told: frozenset[str] | None, *, whole: bool, left: bool
) -> bool:
    """What is not open any more is told of by its absence, as long as something else is `left`."""
    if todo is None:
        return whole and left
    if todo.status not in OPEN:
        return told is not None or (whole and left)
    if "id" in changed:
        # Of one that is new only what sets it apart is said.
        plain = {"priority": todo.priority == "medium", "artifact_id": todo.artifact_id is None}
        changed -= {name for name, usual in plain.items() if usual}
    changed -= frozenset() if todo.notes else {"notes"}
    return told is not None and changed & DETAILED <= told
