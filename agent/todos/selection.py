"""The list as a filter shows it, with the names that the filter and its reader need."""

from __future__ import annotations

from collections.abc import Mapping

from agent.todos.filters import Filter
from agent.todos.service import TodoService
from agent.todos.snapshot import Snapshot
from store.frozen import frozen
from store.records import Todo


@frozen
class Selection:
    known: Snapshot
    todos: tuple[Todo, ...]
    artifacts: Mapping[int, str]


async def select(service: TodoService, wanted: Filter) -> Selection:
    known = await service.current()
    artifacts = await service.artifact_titles()
    sprints = await service.sprint_names() if wanted.sprints else {}
    return Selection(known, wanted.select(known.todos, artifacts, sprints), artifacts)
