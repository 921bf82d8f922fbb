"""What the session is doing, in one line: why nothing runs and what would resume it, what it has cost."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Literal, NamedTuple

from rich.cells import cell_len

from agent.events import (
    ContextCompacted,
    ContextPruned,
    Event,
    ReasoningDelta,
    RetryWaiting,
    SessionStateChanged,
    StepStarted,
    TextDelta,
    TodoUpdated,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    UsageUpdated,
    WakeCountdown,
    WakeStarted,
)
from store.frozen import frozen
from store.records import Progress, SessionState
from tui.clipping import clipped, flattened
from tui.oneline import one_line
from tui.verbs import is_planning, verb

_NOTHING = Progress(0, 0)


class Retry(NamedTuple):
    """Why a reply is asked for again, as which try and when."""

    reason: str
    attempt: int
    at: float


class Own(NamedTuple):
    """A command of the user's own that runs, and since when."""

    name: str
    command: str
    since: float

    @property
    def doing(self) -> str:
        return one_line(f"{verb('shell', running=True)} {flattened(self.command)}")


@frozen
class Status:
    """`active` are the calls that run, oldest first, `own` the commands of the user's; `wakes_at` is when a
    countdown ends. `jobs` counts the agent's commands in the background.

    `unpriced` is True once the price of a request was unknown. `owner` names the process that runs the
    session when this window only reads it.
    """

    state: SessionState
    reason: str
    resume: str
    wakes: int
    max_wakes: int
    model: str
    agent: str
    cost: float
    context: int = 0
    context_limit: int = 0
    progress: Progress = _NOTHING
    current: str = ""
    active: tuple[tuple[int, str], ...] = ()
    since: float = 0.0
    wakes_at: float | None = None
    owner: str = ""
    cause: Literal["", "failed", "blocked"] = ""
    answering: bool = False
    retry: Retry | None = None
    own: tuple[Own, ...] = ()
    unpriced: bool = False
    jobs: int = 0

    @property
    def money(self) -> str:
        """What was spent; empty where that is nothing."""
        if self.unpriced:
            return f"${self.cost:.2f}+" if self.cost else "price unknown"
        return f"${self.cost:.2f}" if self.cost else ""

    @property
    def in_background(self) -> str:
        """`2 jobs run`; empty without any."""
        return "" if not self.jobs else "1 job runs" if self.jobs == 1 else f"{self.jobs} jobs run"

    @property
    def working(self) -> bool:
        return self.state == "running"

    @property
    def waits_for_you(self) -> bool:
        return self.state in ("awaiting_human", "awaiting_approval")

    @property
    def role(self) -> str:
        """The colour of the sentence: whether the user is needed, or something went wrong."""
        if self.waits_for_you or self.cause == "blocked":
            return "waiting"
        return "error" if self.cause == "failed" else "dim"

    @property
    def sentence(self) -> str:
        """`idle: 25/25 wakes used · 3 open · Enter or /wake to continue`."""
        # A provider's own words may be the reason.
        said = " · ".join(flattened(part) for part in (self._why, self.resume) if part)
        # Whoever waits for the user says so in the reason.
        named = self.state in ("idle", "dormant")
        return f"{self.state}: {said}" if named else said

    def sentence_in(self, room: int, ellipsis: str) -> str:
        return _shortened(self.sentence, self.resume, room, ellipsis)

    @property
    def _why(self) -> str:
        """Of what failed the beginning; the rest stands in the conversation."""
        if self.cause != "failed":
            return self.reason
        said, dot, rest = self.reason.partition(" · ")
        brief = said.partition(" (")[0]
        failed = "the last turn failed"
        return f"{failed if failed in brief else f'{failed}, {brief}'}{dot}{rest}"

    @property
    def context_share(self) -> str:
        return f"{100 * self.context / self.context_limit:.0f} %" if self.context_limit else ""

    def retrying(self, moment: float) -> str:
        """`cannot reach 127.0.0.1:9 · try 2 in 4 s`; empty while nothing is tried again."""
        if self.retry is None:
            return ""
        seconds = ceil(self.retry.at - moment)
        when = f" in {seconds} s" if seconds > 0 else ""
        return f"{flattened(self.retry.reason.partition(' (')[0])} · try {self.retry.attempt}{when}"

    def countdown(self, moment: float) -> int | None:
        """Whole seconds until the agent wakes; None while nothing is counted."""
        return None if self.wakes_at is None else max(0, round(self.wakes_at - moment))


def updated(status: Status, event: Event, moment: float) -> Status:
    match event:
        case SessionStateChanged():
            return replace(
                status,
                state=event.state,
                reason=event.reason,
                resume=event.resume,
                wakes=event.wakes,
                max_wakes=event.max_wakes,
                wakes_at=None,
                cause=event.cause,
            )
        case TextDelta() | ReasoningDelta() | StepStarted() | RetryWaiting():
            return _replying(status, event, moment)
        case TurnStarted():
            return replace(status, since=moment, wakes_at=None)
        case WakeCountdown():
            return replace(status, wakes_at=moment + event.seconds)
        case WakeStarted():
            return replace(status, wakes=event.wake, max_wakes=event.max_wakes, wakes_at=None)
        case ToolStarted() | ToolFinished() | TurnEnded():
            return replace(status, active=_active(status, event), answering=False, retry=None)
        case UsageUpdated() | ContextPruned() | ContextCompacted():
            return _measured(status, event)
        case TodoUpdated():
            current = next((todo for todo in event.todos if todo.status == "in_progress"), None)
            title = one_line(f"#{current.id} {current.title}") if current else ""
            return replace(status, progress=event.progress, current=title)
        case _:
            return status


def _replying(
    status: Status, event: TextDelta | ReasoningDelta | StepStarted | RetryWaiting, moment: float
) -> Status:
    answering = isinstance(event, TextDelta)
    if isinstance(event, RetryWaiting):
        retry = Retry(event.reason, event.attempt + 1, moment + event.seconds)
        return replace(status, answering=False, retry=retry)
    if status.answering == answering and status.retry is None:
        return status
    return replace(status, answering=answering, retry=None)


def _active(status: Status, event: ToolStarted | ToolFinished | TurnEnded) -> tuple[tuple[int, str], ...]:
    match event:
        case ToolStarted():
            return (*status.active, (event.part_id, _doing(event)))
        case ToolFinished():
            return tuple(each for each in status.active if each[0] != event.part_id)
        case TurnEnded():
            return ()


def _doing(event: ToolStarted) -> str:
    if is_planning(event.name) and event.name != "task":
        # Its arguments are for the model; what moved is on the plan.
        return "Updating the plan"
    return one_line(f"{verb(event.name, running=True)} {event.title}")


def _measured(status: Status, event: UsageUpdated | ContextPruned | ContextCompacted) -> Status:
    spent = (event.cost or 0.0) if isinstance(event, UsageUpdated) else 0.0
    unpriced = status.unpriced or (isinstance(event, UsageUpdated) and event.cost is None)
    context = event.after if isinstance(event, ContextCompacted) else event.context
    return replace(
        status,
        cost=status.cost + spent,
        unpriced=unpriced,
        context=context,
        context_limit=event.context_limit,
    )


def toolbar(status: Status, width: int, moment: float, *, unicode: bool) -> tuple[str, str]:
    """Left what happens, right what it runs on; figures give way while the left has less than most of it."""
    seconds = status.countdown(moment)
    left, resume = status.retrying(moment) or status.sentence, status.resume
    if seconds is not None:
        left, resume = f"wakes in {seconds} s · any key holds it", ""
    plan = f"{status.progress.completed}/{status.progress.total}" if status.progress.total else ""
    figures = [
        status.in_background,
        f"todo {plan}" if plan else "",
        f"wakes {status.wakes}/{status.max_wakes}",
        status.context_share,
        status.money,
        status.model,
        status.agent,
    ]
    right = [figure for figure in figures if figure]
    separator = " · " if unicode else " | "
    wanted = min(cell_len(left), width * 3 // 5)
    while right and wanted + 3 + cell_len(separator.join(right)) > width:
        right.pop()
    said = separator.join(right)
    room = width - (cell_len(said) + 3 if said else 0)
    return _shortened(left, resume, room, "…" if unicode else "."), said


def _shortened(sentence: str, resume: str, room: int, ellipsis: str) -> str:
    """A long reason loses its end before it is left unsaid what would resume the work."""
    ending = f" · {resume}" if resume else ""
    if cell_len(sentence) > room > 2 * cell_len(ending) and sentence.endswith(ending):
        kept = sentence.removesuffix(ending)
        return clipped(kept, room - cell_len(ending), ellipsis) + ending
    return clipped(sentence, room, ellipsis)
