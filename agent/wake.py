"""Decides, when a turn has ended, whether the agent goes on by itself, and says why it does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from agent.todos.journal import Step
from agent.todos.rules import OPEN, actionable
from store.frozen import frozen
from store.records import Session, SessionState, Todo

Waiting = Literal["human", "approval", "agent"]
Ended = Literal["well", "failed", "aborted"]
# What a door may want to set apart: only the user can help.
Cause = Literal["", "failed", "blocked"]

_CONTINUE = "Enter or /wake to continue"
_START = "Enter or /wake to start"
_RETRY = "Enter or /wake to try again"
_TYPE = "type to continue"
_OTHER_AGENT = "/agent chooses one that may, or type to continue"
_WAITING: dict[Waiting, tuple[SessionState, str, str]] = {
    "human": ("awaiting_human", "waiting for your answer", "answer to continue"),
    "approval": ("awaiting_approval", "waiting for your approval", "allow or refuse to continue"),
    "agent": ("awaiting_agent", "waiting for a subagent", "it continues when the subagent is done"),
}
AT_REST: tuple[SessionState, ...] = ("idle", "dormant")
# Reaching one of these is what work on a todo is for.
_SETTLED = frozenset({"completed", "cancelled", "blocked"})


@frozen
class Limits:
    max_cycles: int = 25
    max_tokens: int = 2_000_000
    max_minutes: float = 60
    max_cost: float | None = None
    stagnation: int = 3
    priced: bool = True


@frozen
class Situation:
    """Everything the decision looks at; all of it is stored, so a restart decides the same.

    `work` is what counts for this session, see `work_of`; `todos` is all it sees, for dependencies. A wake
    is `due` after a turn, until the session rests; what then changes on the list starts nothing.
    """

    todos: tuple[Todo, ...]
    work: tuple[Todo, ...]
    limits: Limits = Limits()
    held: bool = False
    waiting: Waiting | None = None
    queued: int = 0
    ended: Ended = "well"
    failure: str = ""
    wakes: int = 0
    stagnant: int = 0
    tokens: int = 0
    cost: float = 0.0
    minutes: float = 0.0
    has_dialect: bool = True
    may_complete: bool = True
    begun: bool = True
    due: bool = True


@frozen
class Wake:
    """`number` is the wake about to happen, counted from 1."""

    number: int
    of: int


@frozen
class Stay:
    """`deferred` says that the wake after a turn still comes, once the reason is gone."""

    state: SessionState
    reason: str
    resume: str = ""
    cause: Cause = ""
    deferred: bool = False

    @property
    def line(self) -> str:
        """As the status line says it: `idle: 25/25 wakes used · 3 open · Enter or /wake to continue`."""
        return f"{self.state}: {' · '.join(part for part in (self.reason, self.resume) if part)}"


def decide(situation: Situation) -> Wake | Stay:
    """First match wins."""
    return (
        _stopped(situation)
        or _without_work(situation)
        or _limited(situation)
        or _stagnant(situation)
        or _mute(situation)
        or _at_rest(situation)
        or Wake(situation.wakes + 1, situation.limits.max_cycles)
    )


def work_of(todos: Iterable[Todo], session_id: str | None, *, workspace: bool = False) -> tuple[Todo, ...]:
    """What counts as a session's own work: the shared pool only where it is assigned to it, or all of it."""
    return tuple(
        todo
        for todo in todos
        if (todo.session_id is not None and todo.session_id == session_id)
        or (todo.session_id is None and (workspace or (todo.assignee and todo.assignee == session_id)))
    )


def awaited(state: SessionState) -> Stay:
    """What is said while a turn waits in one of the `awaiting_…` states."""
    return next(Stay(*said) for said in _WAITING.values() if said[0] == state)


def progressed(steps: Iterable[Step], since: int, *, new_results: bool) -> bool:
    """Whether a turn moved anything. `steps` reach back to the activation, the turn began after `since`.

    A todo counts the first time it is settled; finishing and reopening it over and over moves nothing.
    """
    if new_results:
        return True
    settled: set[int] = set()
    for step in steps:
        if step.after not in _SETTLED:
            continue
        # One that is added as finished was never work.
        if step.seq > since and step.before is not None and step.todo_id not in settled:
            return True
        settled.add(step.todo_id)
    return False


def stagnation(stagnant: int, *, progress: bool) -> int:
    """Wakes in a row without progress, after one more of them."""
    return 0 if progress else stagnant + 1


def after_side_question(limits: Limits) -> int:
    """The count that leaves one wake without progress after a turn of the user's that changed nothing."""
    return max(0, limits.stagnation - 1)


def restated(record: Session, situation: Situation) -> Stay | None:
    """The state of a session at rest whose list was changed; None where it stays the same.

    Only the list is news: a session that is held, or whose last turn failed, stays so.
    """
    reason = record.reason
    said = reason.rpartition(" · ")[0] if reason.endswith(" open") else reason
    stay = decide(replace(situation, held=record.held_at is not None, failure=said, due=False))
    if isinstance(stay, Wake) or (stay.state, stay.reason) == (record.state, reason):
        return None
    return stay


def all_done(before: Iterable[Todo], after: Iterable[Todo]) -> bool:
    """The moment to announce it: something was open, and now nothing is."""
    return any(todo.status in OPEN for todo in before) and not any(todo.status in OPEN for todo in after)


def _stopped(situation: Situation) -> Stay | None:
    state = _resting(situation)
    if situation.held:
        return Stay(state, _with_open("held", situation), _resume(situation))
    if situation.waiting:
        return Stay(*_WAITING[situation.waiting], deferred=True)
    if situation.queued:
        count = "a message is" if situation.queued == 1 else f"{situation.queued} messages are"
        return Stay("running", f"{count} queued", "")
    if situation.ended == "aborted":
        return Stay(state, _with_open("interrupted", situation), _resume(situation))
    if situation.ended == "failed":
        # What to do about it was said when it failed.
        said = situation.failure.partition("; ")[0] or "the last turn failed"
        return Stay(state, _with_open(said, situation), _RETRY, "failed")
    return None


def _without_work(situation: Situation) -> Stay | None:
    unfinished = _open(situation)
    if not unfinished:
        return Stay("dormant", "nothing open", _TYPE if situation.begun else "type to begin")
    if _ready(situation):
        return None
    blocked = [todo for todo in unfinished if todo.status == "blocked"]
    said = _blocked(blocked) if blocked else "everything open waits for another todo"
    return Stay("idle", _with_open(said, situation), f"unblock {_one(blocked)}, or {_TYPE}", "blocked")


def _blocked(todos: list[Todo]) -> str:
    """What matters comes first: reasons may be long, and lines are cut."""
    named = ", ".join(f"#{todo.id}" for todo in todos[:3])
    more = f" and {len(todos) - 3} more" if len(todos) > 3 else ""
    reasons = "; ".join(dict.fromkeys(todo.blocked_reason or "" for todo in todos[:3]))
    return f"{named}{more} {'is' if len(todos) == 1 else 'are'} blocked ({reasons})"


def _one(todos: list[Todo]) -> str:
    return "it" if len(todos) == 1 else "one"


def _limited(situation: Situation) -> Stay | None:
    limits = situation.limits
    reached, resume = "", _CONTINUE
    if situation.wakes >= limits.max_cycles:
        reached = f"{situation.wakes}/{limits.max_cycles} wakes used"
    elif situation.tokens >= limits.max_tokens:
        reached = f"{situation.tokens:,}/{limits.max_tokens:,} tokens used"
        if limits.max_cost is not None and not limits.priced:
            # They stand for money, and what is spent stays spent.
            resume = "raise wake.max_tokens to continue"
    elif limits.max_cost is not None and situation.cost >= limits.max_cost:
        reached, resume = f"${situation.cost:.2f}/${limits.max_cost:.2f} spent", "raise /budget to continue"
    elif situation.minutes >= limits.max_minutes:
        reached = f"{situation.minutes:.0f}/{limits.max_minutes:g} minutes used"
    return Stay("idle", _with_open(reached, situation), resume, deferred=True) if reached else None


def _stagnant(situation: Situation) -> Stay | None:
    if situation.stagnant < situation.limits.stagnation:
        return None
    # A side question leaves fewer wakes before this, so that not all of the count are wakes.
    wakes = min(situation.stagnant, situation.wakes or situation.stagnant)
    said = f"{wakes} wake{'' if wakes == 1 else 's'} without progress"
    return Stay("idle", _with_open(said, situation), _CONTINUE)


def _mute(situation: Situation) -> Stay | None:
    if not situation.has_dialect:
        return Stay("idle", _with_open("this agent works without todos", situation), _TYPE)
    if not situation.may_complete:
        return Stay("idle", _with_open("this agent may not complete todos", situation), _OTHER_AGENT)
    return None


def _at_rest(situation: Situation) -> Stay | None:
    return None if situation.due else Stay("idle", f"{len(_open(situation))} open", _START)


def _resume(situation: Situation) -> str:
    """`/wake` is for work that can be done; where there is none it has nothing to go on with."""
    return _CONTINUE if _ready(situation) else _TYPE


def _resting(situation: Situation) -> SessionState:
    return "idle" if _open(situation) else "dormant"


def _ready(situation: Situation) -> bool:
    ready = {todo.id for todo in actionable(situation.todos)}
    return any(todo.id in ready for todo in _open(situation))


def _open(situation: Situation) -> list[Todo]:
    return [todo for todo in situation.work if todo.status in OPEN]


def _with_open(said: str, situation: Situation) -> str:
    count = len(_open(situation))
    return f"{said} · {count} open" if count else said
