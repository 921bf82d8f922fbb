"""Decides, when a turn has ended, whether the agent goes on by itself; a pure function of what is stored."""

from __future__ import annotations

from dataclasses import dataclass

from store.records import SessionState

_TYPE = "type to continue"
_TYPE_OR_WAKE = "type or /wake to continue"


@dataclass(frozen=True, slots=True)
class Situation:
    """What the decision rests on. `waiting` names what the session waits for and `failed` why a turn broke.

    `limit` is another limit than the wakes in words, once it is reached; `blocked` are the reasons of
    blocked todos, `finished` counts what was completed.
    """

    open: int = 0
    actionable: int = 0
    finished: int = 0
    blocked: tuple[str, ...] = ()
    held: bool = False
    waiting: SessionState | None = None
    queued: bool = False
    failed: str | None = None
    wakes: int = 0
    max_wakes: int = 25
    limit: str | None = None
    stagnant: int = 0
    max_stagnant: int = 3
    has_dialect: bool = True


@dataclass(frozen=True, slots=True)
class Wake:
    """Go on with the list; `number` is the wake that this will be."""

    number: int


@dataclass(frozen=True, slots=True)
class Handle:
    """A message of the user comes first."""


@dataclass(frozen=True, slots=True)
class Stay:
    """`reason` says why nothing runs, `resume` what would change that."""

    state: SessionState
    reason: str
    resume: str

    @property
    def line(self) -> str:
        return (
            f"{self.state}: {self.reason} · {self.resume}" if self.resume else f"{self.state}: {self.reason}"
        )


Decision = Wake | Handle | Stay


def decide(situation: Situation) -> Decision:
    """The first rule that matches wins."""
    rest: SessionState = "idle" if situation.open else "dormant"
    if situation.held:
        return Stay(rest, _counted("held by you", situation), _TYPE_OR_WAKE)
    if situation.waiting is not None:
        return Stay(situation.waiting, _WAITING[situation.waiting], "answer to continue")
    if situation.queued:
        return Handle()
    if situation.failed is not None:
        return Stay(rest, _counted(situation.failed, situation), _TYPE_OR_WAKE if situation.open else _TYPE)
    if situation.actionable == 0:
        return _nothing_to_do(situation)
    if reason := _used_up(situation):
        return Stay("idle", _counted(reason, situation), _TYPE_OR_WAKE)
    if not situation.has_dialect:
        return Stay("idle", _counted("this agent works without todos", situation), _TYPE)
    return Wake(situation.wakes + 1)


def stagnation(before: int, *, progressed: bool) -> int:
    """Wakes in a row that brought nothing forward."""
    return 0 if progressed else before + 1


_WAITING: dict[SessionState, str] = {
    "awaiting_human": "a question waits for your answer",
    "awaiting_approval": "a tool waits for your approval",
    "awaiting_agent": "a subagent is still working",
    "running": "working",
    "idle": "waiting",
    "dormant": "waiting",
}


def _nothing_to_do(situation: Situation) -> Stay:
    if situation.open == 0:
        return Stay("dormant", "all done" if situation.finished else "nothing open", _TYPE)
    if situation.blocked:
        reasons = "; ".join(situation.blocked[:3]) + ("; …" if len(situation.blocked) > 3 else "")
        return Stay("idle", _counted(f"blocked: {reasons}", situation), "unblock an item or type to continue")
    return Stay("idle", _counted("what is open waits for other items", situation), _TYPE)


def _used_up(situation: Situation) -> str | None:
    if situation.wakes >= situation.max_wakes:
        return f"{situation.wakes}/{situation.max_wakes} wakes used"
    if situation.limit is not None:
        return situation.limit
    if situation.stagnant >= situation.max_stagnant:
        return f"no progress in {situation.stagnant} wakes"
    return None


def _counted(reason: str, situation: Situation) -> str:
    return f"{reason} · {situation.open} open" if situation.open else reason
