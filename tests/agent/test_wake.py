from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.wake import Handle, Situation, Stay, Wake, decide, stagnation

WORK = Situation(open=3, actionable=2)


def test_open_work_wakes():
    assert decide(WORK) == Wake(1)


@pytest.mark.parametrize(
    ("change", "state", "reason"),
    [
        ({"held": True}, "idle", "held by you · 3 open"),
        ({"waiting": "awaiting_approval"}, "awaiting_approval", "a tool waits for your approval"),
        ({"failed": "no key for openai"}, "idle", "no key for openai · 3 open"),
        ({"open": 0, "actionable": 0}, "dormant", "nothing open"),
        ({"open": 0, "actionable": 0, "finished": 4}, "dormant", "all done"),
        ({"actionable": 0, "blocked": ("needs a key",)}, "idle", "blocked: needs a key · 3 open"),
        ({"wakes": 25}, "idle", "25/25 wakes used · 3 open"),
        ({"max_wakes": 0}, "idle", "0/0 wakes used · 3 open"),
        (
            {"limit": "60 minutes since your last message"},
            "idle",
            "60 minutes since your last message · 3 open",
        ),
        ({"stagnant": 3}, "idle", "no progress in 3 wakes · 3 open"),
        ({"has_dialect": False}, "idle", "this agent works without todos · 3 open"),
    ],
)
def test_each_reason_to_stay_is_named(change: dict[str, object], state: str, reason: str):
    decision = decide(replace(WORK, **change))  # type: ignore[arg-type]  # fields of Situation

    assert isinstance(decision, Stay)
    assert (decision.state, decision.reason) == (state, reason)


# In the order of the rules: each one hides all that come after it.
RULES: list[tuple[dict[str, object], object]] = [
    ({"held": True}, "held"),
    ({"waiting": "awaiting_human"}, "question"),
    ({"queued": True}, Handle),
    ({"failed": "broken"}, "broken"),
    ({"actionable": 0, "blocked": ("stuck",)}, "stuck"),
    ({"wakes": 25}, "wakes used"),
    ({"stagnant": 3}, "no progress"),
    ({"has_dialect": False}, "without todos"),
]


@pytest.mark.parametrize("first", range(len(RULES)))
def test_the_first_rule_that_matches_wins(first: int):
    together: dict[str, object] = {}
    for change, _ in reversed(RULES[first:]):
        together |= change

    decision = decide(replace(WORK, **together))  # type: ignore[arg-type]  # fields of Situation

    expected = RULES[first][1]
    if isinstance(decision, Stay):
        assert isinstance(expected, str)
        assert expected in decision.reason
    else:
        assert expected is type(decision)


def test_the_status_line_says_why_and_what_would_resume_it():
    decision = decide(replace(WORK, wakes=25))

    assert isinstance(decision, Stay)
    assert decision.line == "idle: 25/25 wakes used · 3 open · type or /wake to continue"


@given(st.builds(Situation))
def test_nothing_wakes_a_session_that_is_held_or_has_nothing_to_do(situation: Situation):
    decision = decide(situation)

    if isinstance(decision, Wake):
        assert not situation.held
        assert not situation.queued
        assert situation.failed is None
        assert situation.waiting is None
        assert situation.actionable
        assert situation.wakes < situation.max_wakes
        assert situation.stagnant < situation.max_stagnant


def test_only_progress_ends_a_stagnation():
    assert stagnation(2, progressed=True) == 0
    assert stagnation(2, progressed=False) == 3
