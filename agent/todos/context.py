"""What a todo tool acts on: the list, who is asking, and during which run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent.todos.actors import Actor
from agent.todos.lines import in_standing, report
from agent.todos.service import TodoService
from agent.todos.snapshot import Snapshot
from store.frozen import frozen

_NOTHING: Mapping[int, frozenset[str]] = {}


@frozen
class TodoContext:
    """`run_id` is the message that began the run; lists of the `tasks` dialect live and die with it."""

    service: TodoService
    actor: Actor
    run_id: int | None = None

    async def report(
        self,
        said: str,
        known: Snapshot,
        warnings: Iterable[str] = (),
        *,
        told: Mapping[int, frozenset[str]] = _NOTHING,
    ) -> str:
        """A result with what is open behind it. What it tells, and what `said` told, is no news any more."""
        await self.showed(known, {**in_standing(known), **told})
        return report(said, known, warnings)

    async def showed(self, known: Snapshot, told: Mapping[int, frozenset[str]]) -> None:
        await self.service.sightings.showed(self.actor, known, told)
