"""What a run without a screen ends with: its exit status, and in words what is behind one that is not 0."""

from __future__ import annotations

from agent.models.choosing import OFFLINE
from agent.opening import Opened
from agent.rounds import Outcome
from agent.turn_failure import cut
from store.frozen import frozen
from tui.oneline import one_line
from tui.plain import in_a_shell


class Stop:
    """What ended the run from outside."""

    interrupted = False
    timed_out = False


@frozen
class Ending:
    status: int
    why: str = ""


def judge(opened: Opened, outcome: Outcome, prompt: str, stop: Stop) -> Ending:
    """The first that applies of interrupted, failed, refused, a limit, open todos."""
    open_left = opened.session.agenda.open_count
    if stop.interrupted:
        return Ending(130)
    if outcome.ending in ("failed", "empty"):
        return Ending(1, in_a_shell(outcome.error or outcome.reason))
    # Whether to go on in circles is a question, and nobody is there to say yes.
    if outcome.ending in ("refused", "repeating"):
        return Ending(4, outcome.error or outcome.reason)
    if opened.gate.refusals and (open_left or opened.gate.last_refused):
        return Ending(4, _refused(opened.gate.refusals, opened.gate.refused))
    if limit := _limit(outcome, stop, opened.model_name):
        return Ending(5, limit)
    if open_left:
        return Ending(3, outcome.reason)
    return Ending(2 if opened.model_name == OFFLINE and _unknown(prompt) else 0)


def _unknown(prompt: str) -> bool:
    # The planner is not loaded for those who have a model.
    from agent.models.planner.recognise import recognises

    return bool(prompt) and not recognises(prompt)


def _refused(count: int, last: str) -> str:
    calls = "a tool call was" if count == 1 else f"{count} tool calls were"
    which = "" if count == 1 else "the last was "
    named = one_line(last, 200)
    return f"{calls} refused with work undone: {which}{named}; --allow RULE or --auto lets more pass"


def _limit(outcome: Outcome, stop: Stop, model: str) -> str:
    if stop.timed_out:
        return "the time of --timeout is over; -c goes on"
    if outcome.limit == "steps":
        return "all steps of the turn are used; -c goes on, --max-steps gives more"
    if outcome.limit:
        return outcome.error or outcome.reason
    if outcome.out_of_wakes:
        return outcome.reason
    if outcome.ending == "length":
        return str(cut(model))
    return ""
