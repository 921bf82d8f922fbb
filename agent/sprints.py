"""Named groups of a workspace's todos, by which lists can be filtered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.links import log_unlinked
from agent.todos.actors import Actor
from agent.todos.drafts import Edit
from agent.todos.errors import AccessError
from agent.todos.rules import TITLE, check_title
from agent.todos.service import TodoService
from agent.todos.transaction import Changed
from agent.tools.tool import ToolError
from store import sprints as rows
from store import todos as todo_rows
from store.database import Reader, Store, Writer
from store.records import Sprint, SprintStatus, Todo


class SprintError(ToolError):
    """Nothing was written."""


def in_sprint(todos: Iterable[Todo], sprint_id: int) -> tuple[Todo, ...]:
    return tuple(todo for todo in todos if todo.sprint_id == sprint_id)


class SprintService:
    """The sprints of one workspace; todos join and leave them through the list of one session."""

    def __init__(self, store: Store, workspace: str, todos: TodoService) -> None:
        self.workspace = workspace
        self._store = store
        self._todos = todos

    async def create(self, actor: Actor, name: str) -> Sprint:
        _check_access(actor)
        name = name.strip()
        if not 1 <= len(name) <= TITLE:
            raise SprintError(f"the name has {len(name)} characters; name the sprint in 1 to {TITLE}")
        return await self._store.write(self._create, check_title(name), actor)

    async def list(self, status: SprintStatus | None = None) -> tuple[Sprint, ...]:
        found = await self._store.read(rows.listed, self.workspace)
        return tuple(each for each in found if status in (None, each.status))

    async def get(self, sprint_id: int) -> Sprint:
        return await self._store.read(self._find, sprint_id)

    async def set_status(self, actor: Actor, sprint_id: int, status: SprintStatus) -> Sprint:
        _check_access(actor)
        sprint = await self.get(sprint_id)
        if sprint.status == status:
            return sprint
        return await self._store.write(rows.set_status, sprint_id, status, actor=actor.name)

    async def delete(self, actor: Actor, sprint_id: int) -> Sprint:
        """Its todos stay, without the link."""
        _check_access(actor, deleting=True)
        sprint = await self._store.write(self._remove, actor, sprint_id)
        await self._todos.refresh()
        return sprint

    async def assign(self, actor: Actor, sprint_id: int, todo_ids: Sequence[int]) -> Changed:
        await self.get(sprint_id)
        return await self._todos.update(actor, [Edit(each, sprint_id=sprint_id) for each in todo_ids])

    async def release(self, actor: Actor, todo_ids: Sequence[int]) -> Changed:
        return await self._todos.update(actor, [Edit(each, sprint_id=0) for each in todo_ids])

    async def todos(self, sprint_id: int) -> tuple[Todo, ...]:
        """Those that the list sees, in its order."""
        await self.get(sprint_id)
        return in_sprint((await self._todos.current()).todos, sprint_id)

    async def _create(self, writer: Writer, name: str, actor: Actor) -> Sprint:
        if any(each.name == name for each in await rows.listed(writer, self.workspace)):
            raise SprintError(f"there is a sprint {name!r} already; choose another name")
        return await rows.create(writer, self.workspace, name, actor=actor.name)

    async def _remove(self, writer: Writer, actor: Actor, sprint_id: int) -> Sprint:
        await self._find(writer, sprint_id)
        linked = await todo_rows.pick(writer, await rows.linked(writer, sprint_id))
        sprint = await rows.remove(writer, sprint_id, actor=actor.name)
        await log_unlinked(writer, linked, actor=actor.name)
        return sprint

    async def _find(self, reader: Reader, sprint_id: int) -> Sprint:
        sprint = await rows.get(reader, sprint_id)
        if sprint is None or sprint.workspace != self.workspace:
            known = await rows.listed(reader, self.workspace)
            names = ", ".join(f"{each.id} {each.name}" for each in known[-20:])
            raise SprintError(
                f"no sprint {sprint_id}; " + (f"there are: {names}" if names else "there is none yet")
            )
        return sprint


def _check_access(actor: Actor, *, deleting: bool = False) -> None:
    if actor.access == "minimal":
        raise AccessError(f"{actor.name} may list and read sprints, not change them")
    if deleting and actor.access != "full":
        raise AccessError(f"{actor.name} may not delete sprints; leave that to an agent with full access")
