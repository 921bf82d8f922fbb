"""Between sidebar and session: carries out what the user does to the plan and says what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Protocol

from agent.events import ArtifactUpdated, Event, TodoUpdated, ToolFinished
from agent.todos import commands
from agent.todos.actors import USER
from agent.todos.grammar import Add, Command, Delete, SetStatus, Undo
from agent.todos.journal import UNDONE, Entry
from agent.todos.lines import names
from agent.todos.rules import descendants
from agent.todos.service import TodoService
from agent.tools.tool import Jobs, ToolError
from store.errors import StoreError
from store.records import Stretch, Todo
from tui.plan.rows import Names
from tui.plan.work import Work

Start = Callable[[Coroutine[object, object, None]], object]
# How often what runs in the background is looked at; nobody tells when it ends.
_PACE = 1.0


class Board(Protocol):
    """What the sidebar offers to be told."""

    def show_work(self, work: Work) -> None: ...
    def time(self, stretch: Stretch | None) -> None: ...
    def learn(self, names: Names) -> None: ...
    def say(
        self, text: str, *, failed: bool = False, about: int | None = None, undoable: bool = False
    ) -> None: ...
    def tell(self, todo_id: int, history: tuple[Entry, ...]) -> None: ...


def _none() -> None:
    return None


def _uncounted(jobs: int) -> None:
    del jobs


class PlanControl:
    """`start` owns what takes a while, `stir` lets the agent look at the plan again.

    In a window that only follows there are neither jobs nor an agent.
    """

    def __init__(
        self,
        service: TodoService,
        board: Board,
        start: Start,
        *,
        jobs: Jobs | None = None,
        stretch: Callable[[], Stretch | None] = _none,
        stir: Callable[[], object] = _none,
        counted: Callable[[int], object] = _uncounted,
    ) -> None:
        self._service = service
        self._jobs = jobs
        self._stretch = stretch
        self._stir = stir
        self._counted = counted
        self._board = board
        self._start = start
        self._work = Work()
        self._names = Names()
        self._watching = False
        self._warned = 0

    def heard(self, event: Event) -> None:
        self._show(self._work.heard(event))
        self._board.time(self._stretch())
        match event:
            case TodoUpdated():
                linked = {todo.artifact_id for todo in event.todos} - {None, *self._names.artifacts}
                sprints = {todo.sprint_id for todo in event.todos} - {None, *self._names.sprints}
                if linked or sprints:
                    self._start(self._name())
            case ArtifactUpdated() if event.artifact_id in self._names.artifacts:
                self._start(self._name())
            case ToolFinished() if event.name in ("shell", "jobs") and self._jobs and not self._watching:
                self._watching = True
                self._start(self._watch(self._jobs))
            case _:
                pass

    def begin(self) -> None:
        """Nothing of the session before is left, and the names that this one's list begins with are there."""
        self._board.show_work(self._work)
        self._start(self._name())

    def change(self, command: Command) -> None:
        self._start(self._change(command))

    def look_up(self, todo_id: int) -> None:
        self._start(self._look_up(todo_id))

    async def _change(self, command: Command) -> None:
        service = self._service
        if isinstance(command, Undo) and await self._warn():
            return
        before = service.snapshot.by_id
        try:
            done = await commands.execute(service, USER, command)
        except (ToolError, StoreError) as error:
            self._board.say(str(error), failed=True)
            return
        self._stir()
        about = done.todos[0].id if done.todos and isinstance(command, Add | Undo) else None
        said = _said(command, done, before)
        undoable = isinstance(command, Delete) or (bool(said) and isinstance(command, SetStatus))
        self._board.say(said, about=about, undoable=undoable)

    async def _warn(self) -> bool:
        """What somebody else did is not taken back by one key too many: the user is told of it first."""
        history = await self._service.history()
        own = (each for each in reversed(history) if not (each.undone or each.kind == UNDONE))
        newest = next(own, None)
        if newest is None or newest.actor == USER.name or newest.seq == self._warned:
            return False
        self._warned = newest.seq
        actor = newest.actor.removeprefix("agent:")
        self._board.say(f"{actor} did this: {newest.summary}", undoable=True)
        return True

    async def _look_up(self, todo_id: int) -> None:
        self._board.tell(todo_id, await self._service.history_of(todo_id))

    async def _name(self) -> None:
        service = self._service
        self._names = Names(await service.artifact_titles(), await service.sprint_names())
        self._board.learn(self._names)

    async def _watch(self, jobs: Jobs) -> None:
        try:
            while True:
                self._show(self._work.running(jobs.list()))
                if not self._work.jobs:
                    return
                await asyncio.sleep(_PACE)
        finally:
            self._watching = False

    def _show(self, work: Work) -> None:
        if work != self._work:
            if len(work.jobs) != len(self._work.jobs):
                self._counted(len(work.jobs))
            self._work = work
            self._board.show_work(work)


def _said(command: Command, done: commands.Answer, before: Mapping[int, Todo]) -> str:
    """What the list does not show by itself."""
    match command:
        case Undo():
            return done.text
        case Delete():
            below = len(descendants(before, [todo.id for todo in done.todos]))
            more = f" and {below} subtask{'' if below == 1 else 's'}" if below else ""
            return f"deleted {names(done.todos)}{more}"
        case _:
            # Behind the line about the todo itself come what was dropped, and warnings.
            return done.text.partition("\n")[2]
