"""The todo list as the running agent meets it: what it is told of it, and whether it goes on by itself."""

from __future__ import annotations

import fnmatch
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from agent.agents.load import Agent
from agent.config.models import Config
from agent.digests import hashed
from agent.events import Choice, ToolFinished
from agent.gate import Gate
from agent.limits import minutes_used, tokens_used
from agent.questions import Questions
from agent.todos import texts
from agent.todos.actors import Actor, given
from agent.todos.context import TodoContext
from agent.todos.dialects import registry as dialects
from agent.todos.rules import OPEN
from agent.todos.rules import progress as progress_of
from agent.todos.service import TodoService
from agent.tools.local import LocalWorkspace
from agent.tools.shell import TOOL as SHELL
from agent.tools.tool import Target, Tool, ToolError
from agent.wake import Limits, Situation, all_done, progressed, work_of
from store import lock
from store.clock import now
from store.records import Message, Session, SessionState, Stretch, Todo, Usage

_CHECK_SECONDS = 600.0
_EFFECTS = frozenset({"write", "edit", "patch", "shell", "jobs", "fetch"})
_CONSENT = (Choice("yes", "Yes", "y"), Choice("no", "No", "n"))


@dataclass
class Meter:
    """What was used since the item that is in progress was last charged.

    Time is counted from `since` on, while somebody works: not between turns, and not while a person is asked.
    """

    todo_id: int | None = None
    since: int | None = None
    milliseconds: int = 0
    tokens: int = 0
    cost: float = 0.0
    calls: int = 0


class Agenda:
    """`tools` and `guidance` are fixed for a session's life; the list never enters the system prompt."""

    def __init__(
        self,
        service: TodoService,
        actor: Actor,
        *,
        dialect: str,
        limits: Limits,
        countdown: float,
        wakes_on_workspace: bool,
        every_step: bool = False,
    ) -> None:
        self.service = service
        self.actor = actor
        self.dialect = dialect
        self.tools: tuple[Tool, ...] = (
            dialects.tools(dialect, actor.access, assigned=actor.assigned) if dialect else ()
        )
        self.guidance = texts.guidance(dialect, actor.access, assigned=actor.assigned) if dialect else ""
        self.limits = limits
        self.countdown = countdown
        self.run_id: int | None = None
        self._wakes_on_workspace = wakes_on_workspace
        self._every_step = every_step
        self._meter = Meter()
        self._due: list[Meter] = []
        self._in_turn = False
        self._activated = 0
        self._since = 0
        self._before: tuple[Todo, ...] = ()
        self._results: set[bytes] = set()
        self._new_result = False

    @property
    def context(self) -> TodoContext:
        return TodoContext(self.service, self.actor, self.run_id)

    @property
    def todos(self) -> tuple[Todo, ...]:
        return self.service.snapshot.todos

    @property
    def open_count(self) -> int:
        return sum(todo.status in OPEN for todo in self.work)

    @property
    def work(self) -> tuple[Todo, ...]:
        """What counts for this session; the workspace's pool only as far as it is its own."""
        service = self.service
        return work_of(service.snapshot.todos, service.session_id, workspace=self._wakes_on_workspace)

    def situation(self, record: Session, moment: int) -> Situation:
        """What the list and the stored budget say; the session adds what it alone knows."""
        return Situation(
            todos=self.todos,
            work=self.work,
            limits=self.limits,
            wakes=record.wakes,
            stagnant=record.stagnant,
            tokens=tokens_used(self.limits, record),
            cost=record.cost,
            minutes=minutes_used(record, moment),
            has_dialect=bool(self.dialect),
            may_complete=self._may_complete,
        )

    @property
    def _may_complete(self) -> bool:
        """False if the access level lets the agent complete none of what is open."""
        actor = self.actor
        if actor.access != "full":
            return False
        holder = actor.holder or self.service.session_id or actor.name
        return not actor.assigned or any(
            given(actor, holder, todo) for todo in self.work if todo.status in OPEN
        )

    async def standing(self) -> str | None:
        """For the start of a human turn: the list, when something on it is open or others closed it all."""
        await self.service.current()
        return await self._news() if self.dialect and not self._every_step else None

    async def news(self) -> str | None:
        """The list again when somebody else changed it since this agent last saw it."""
        if self._every_step or not self.dialect or not await self.service.sightings.unseen(self.actor):
            return None
        # The list as of that change at least, or it would be told of twice.
        await self.service.refresh()
        return await self._news()

    async def tail(self) -> str | None:
        """The list as the last message of every request, never stored; for those who chose that."""
        if not self._every_step or not self.dialect:
            return None
        await self.service.current()
        return await self._told()

    def spent(self, usage: Usage, cost: float) -> None:
        self._meter.tokens += usage.total
        self._meter.cost += cost

    async def account(self) -> None:
        """Charge what was used since the last time to the item that was in progress meanwhile."""
        self._turn_over()
        due, self._due = self._due, []
        for used in due:
            if used.todo_id is not None and used.todo_id in self.service.snapshot.by_id:
                await self.service.spend(
                    used.todo_id,
                    tokens=used.tokens,
                    cost=used.cost,
                    calls=used.calls,
                    milliseconds=used.milliseconds,
                )

    @property
    def stretch(self) -> Stretch | None:
        """The time of what is being worked on, as far as it is not charged yet."""
        meter = self._meter
        return None if meter.todo_id is None else Stretch(meter.todo_id, meter.milliseconds, meter.since)

    def heed(self, state: SessionState) -> None:
        """Whether somebody works now, or a person is waited for."""
        self._pace(working=self._in_turn and state == "running", moment=now())

    def _turn_over(self) -> None:
        """From here on it counts for what is in progress now."""
        used = self._meter
        self._pace(working=used.since is not None, moment=now())
        self._due.append(used)
        self._meter = Meter(self._active, used.since)

    def _pace(self, *, working: bool, moment: int) -> None:
        meter = self._meter
        meter.milliseconds += 0 if meter.since is None else moment - meter.since
        meter.since = moment if working else None

    @property
    def _active(self) -> int | None:
        """What this agent has claimed; else what the user started and nobody has claimed."""
        session, actor = self.service.session_id, self.actor.name
        running = [todo for todo in self.todos if todo.status == "in_progress"]
        mine = (todo.id for todo in running if todo.assignee in (session, actor))
        free = (todo.id for todo in running if not todo.assignee and todo.session_id == session)
        return next(chain(mine, free), None)

    async def nudge(self) -> str:
        await self.service.current()
        self.service.sightings.saw(self.actor, self.service.snapshot.revision)
        return texts.wake_message(
            self.work,
            self.dialect,
            access=self.actor.access,
            artifacts=await self.service.artifact_titles(),
        )

    async def spoken(self, text: str) -> str | None:
        """What the commands in a reply did to the list, for the dialect that is written as text."""
        if self.dialect != "writ":
            return None
        # Lines of text as commands are rare enough to load when they occur.
        from agent.todos.dialects import writ

        return await writ.answer(self.context, text)

    async def begin_run(self, message_id: int) -> None:
        """Lists of the `tasks` dialect live for one run."""
        if self.dialect == "tasks":
            self.run_id = message_id
            await self.service.close_runs(keep=message_id)

    async def _news(self) -> str | None:
        """The live list, or what others closed that this agent may still take for its open work."""
        unseen = await self.service.sightings.unseen(self.actor)
        closed = [todo for todo in self.work if "status" in unseen.get(todo.id, ())]
        deleted = unseen.keys() - self.service.snapshot.by_id.keys()
        noted = [each for each, names in unseen.items() if "notes" in names]
        told = await self._told(noted)
        return told or texts.closed_message(self.service.snapshot, closed, sorted(deleted))

    async def _told(self, noted: Collection[int] = ()) -> str | None:
        snapshot = self.service.snapshot
        self.service.sightings.saw(self.actor, snapshot.revision)
        return texts.context_message(
            snapshot,
            self.dialect,
            access=self.actor.access,
            artifacts=await self.service.artifact_titles(),
            noted=noted,
        )

    def begin_activation(self) -> None:
        """The user spoke: what counted as progress before counts again."""
        self._results.clear()
        self._activated = self.service.snapshot.revision

    def recall(self, activated: int, replies: Iterable[Message]) -> None:
        """After a restart: where the activation began, and what was said since."""
        self._activated = activated
        parts = (part for reply in replies for part in reply.parts)
        self._results |= {
            _digest(part.tool, part.output or "")
            for part in parts
            if part.tool in _EFFECTS and part.status == "completed"
        }

    async def begin_turn(self) -> None:
        before = await self.service.current()
        self._since, self._before = before.revision, self.work
        if self.dialect == "tasks" and self.run_id is None:
            # After a restart the run that goes on is the one whose list is still in sight.
            self.run_id = max((todo.run_id for todo in self.todos if todo.run_id), default=None)
        self._new_result = False
        self._meter.todo_id, self._in_turn = self._active, True
        self._pace(working=True, moment=now())

    async def end_turn(self) -> None:
        self._in_turn = False
        self._pace(working=False, moment=now())
        await self.account()

    def changed(self) -> None:
        """A plan may be made and finished within one turn; that it was open for a while is what counts.

        What is done in the same breath as a todo is started counts for that one.
        """
        if self._active != self._meter.todo_id:
            self._turn_over()
        if not any(todo.status in OPEN for todo in self._before):
            self._before = self.work

    def noticed(self, event: ToolFinished) -> None:
        """A side effect with a result never seen before is progress; looking around is not."""
        self._meter.calls += 1
        if event.name not in _EFFECTS or event.status != "completed":
            return
        digest = _digest(event.name, event.output)
        self._new_result |= digest not in self._results
        self._results.add(digest)

    async def progressed(self) -> bool:
        steps = await self.service.steps(self._activated)
        return progressed(steps, self._since, new_results=self._new_result)

    async def left_all_as_it_was(self) -> bool:
        """True if the turn changed neither a todo nor anything else, as when it answered a question."""
        return not self._new_result and not await self.service.changed_by(self.actor, self._since)

    def announcement(self) -> str | None:
        """Said once, when the last open item was closed."""
        return self.achieved if all_done(self._before, self.work) else None

    @property
    def achieved(self) -> str | None:
        """`all done · 5/5`, while there is a plan and nothing of it is open."""
        if not self.work or self.open_count:
            return None
        progress = progress_of(self.work)
        return f"all done · {progress.completed}/{progress.total}"


def _digest(tool: str, output: str) -> bytes:
    return hashed(f"{tool}\0{output}".encode(), size=16).digest()


def last_step_note() -> str:
    return (Path(__file__).parent / "prompts" / "last_step.md").read_text("utf-8").strip()


def choose_dialect(agent: Agent, config: Config, model: str) -> str:
    """The user's word for this agent, the agent's own, the user's for this model, then for all."""
    if agent.todos == "none":
        return ""
    chosen = _preferred_dialect(agent, config, model)
    # Who may not write the whole list could close nothing in a dialect that knows no other way.
    return "standard" if (agent.todos, chosen) == ("assigned", "list") else chosen


def _preferred_dialect(agent: Agent, config: Config, model: str) -> str:
    preferred = config.agents.get(agent.name)
    if preferred is not None and preferred.dialect is not None:
        return preferred.dialect
    if agent.dialect:
        return agent.dialect
    for pattern, dialect in config.todos.dialects.items():
        if fnmatch.fnmatchcase(model, pattern):
            return dialect
    return config.todos.dialect


def check_runner(workspace: LocalWorkspace, gate: Gate) -> Callable[[str], Awaitable[tuple[bool, str]]]:
    """Runs a todo's check command, with the same permission a shell call would need."""

    async def run(command: str) -> tuple[bool, str]:
        try:
            permit = await gate.permit(SHELL, (Target("shell", command),))
        except ToolError as error:
            return False, str(error)
        bound = workspace.bound(workspace.doors)
        bound.allowed_by_user = not permit.by_mode
        finished = await bound.run(command, timeout=_CHECK_SECONDS)
        return finished.code == 0, finished.output

    return run


def asking(
    questions: Questions, waiting: Callable[[SessionState], AbstractAsyncContextManager[None]]
) -> Callable[[str], Awaitable[bool]]:
    async def consent(question: str) -> bool:
        async with waiting("awaiting_approval"):
            return (await questions.ask("confirm", question, _CONSENT)).choice == "yes"

    return consent


def owner_lives(locks: Path) -> Callable[[str], bool]:
    """A claim holds while the process that runs its session does."""

    def alive(assignee: str) -> bool:
        return lock.owner(locks, assignee) is not None

    return alive
