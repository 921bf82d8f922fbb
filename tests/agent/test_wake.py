from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.todos.journal import Step
from agent.todos.rules import OPEN, STATUSES, actionable
from agent.wake import Limits, Situation, Stay, Wake, all_done, decide, progressed, stagnation, work_of
from store.records import Todo, TodoStatus
from tests.store.drafts import todo


def item(number: int, status: TodoStatus = "pending", **fields: Any) -> Todo:
    values: dict[str, Any] = {"id": number, "status": status, "session_id": "S"} | fields
    if status == "blocked":
        values = {"blocked_reason": "no key", "blocked_on": "human"} | values
    return replace(todo(f"step {number}"), **values)


def situation(*todos: Todo, **fields: Any) -> Situation:
    return Situation(todos, work_of(todos, "S"), **fields)


OPEN_ONE = item(1)
# Every reason to stay, in the order in which they win.
REASONS: list[tuple[dict[str, Any], str]] = [
    ({"held": True}, "idle: held · 1 open · Enter or /wake to continue"),
    ({"waiting": "human"}, "awaiting_human: waiting for your answer · answer to continue"),
    ({"queued": 1}, "running: a message is queued"),
    (
        {"ended": "failed", "failure": "no such model; see /model"},
        "idle: no such model · 1 open · Enter or /wake to try again",
    ),
    ({"wakes": 25}, "idle: 25/25 wakes used · 1 open · Enter or /wake to continue"),
    ({"stagnant": 3}, "idle: 3 wakes without progress · 1 open · Enter or /wake to continue"),
    ({"has_dialect": False}, "idle: this agent works without todos · 1 open · type to continue"),
    (
        {"may_complete": False},
        "idle: this agent may not complete todos · 1 open · /agent chooses one that may, or type to continue",
    ),
    ({"due": False}, "idle: 1 open · Enter or /wake to start"),
]


@pytest.mark.parametrize(("fields", "line"), REASONS, ids=[line.split(" ·")[0] for _, line in REASONS])
def test_every_reason_to_stay_is_said_with_what_would_help(fields: dict[str, Any], line: str) -> None:
    decision = decide(situation(OPEN_ONE, **fields))

    assert isinstance(decision, Stay)
    assert decision.line == line


@pytest.mark.parametrize("first", range(len(REASONS)))
def test_the_first_reason_that_applies_wins(first: int) -> None:
    fields = {name: value for each, _ in REASONS[first:] for name, value in each.items()}

    decision = decide(situation(OPEN_ONE, **fields))

    assert isinstance(decision, Stay)
    assert decision.line == REASONS[first][1]


def test_open_work_wakes_and_counts() -> None:
    assert decide(situation(OPEN_ONE, wakes=4)) == Wake(5, 25)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"tokens": 2_000_000}, "2,000,000/2,000,000 tokens used"),
        ({"minutes": 60.5}, "60/60 minutes used"),
        ({"limits": Limits(max_cycles=0)}, "0/0 wakes used"),
    ],
)
def test_each_limit_ends_in_idle(fields: dict[str, Any], reason: str) -> None:
    decision = decide(situation(OPEN_ONE, **fields))

    assert decision == Stay("idle", f"{reason} · 1 open", "Enter or /wake to continue", deferred=True)


@pytest.mark.parametrize(
    ("fields", "resume"),
    [
        ({"cost": 2.5, "limits": Limits(max_cost=2)}, "raise /budget to continue"),
        (
            {"tokens": 2_000_000, "limits": Limits(max_cost=2, priced=False)},
            "raise wake.max_tokens to continue",
        ),
    ],
)
def test_what_is_spent_is_not_given_back_by_a_message(fields: dict[str, Any], resume: str) -> None:
    decision = decide(situation(OPEN_ONE, **fields))

    assert isinstance(decision, Stay)
    assert (decision.state, decision.resume) == ("idle", resume)


def test_a_hold_offers_to_wake_only_for_what_can_be_done() -> None:
    idle, blocked = (decide(situation(item(1, status), held=True)) for status in ("pending", "blocked"))

    assert isinstance(idle, Stay)
    assert idle.resume == "Enter or /wake to continue"
    assert isinstance(blocked, Stay)
    assert blocked.resume == "type to continue"


def test_several_that_are_blocked_are_named_before_their_reasons() -> None:
    decision = decide(situation(*(item(number, "blocked") for number in range(1, 6))))

    assert isinstance(decision, Stay)
    assert decision.reason == "#1, #2, #3 and 2 more are blocked (no key) · 5 open"


def test_three_open_todos_at_the_end_of_the_budget_read_as_promised() -> None:
    decision = decide(situation(item(1), item(2), item(3, "in_progress"), wakes=25))

    assert isinstance(decision, Stay)
    assert decision.line == "idle: 25/25 wakes used · 3 open · Enter or /wake to continue"


def test_nothing_open_is_dormant_and_blocked_only_waits_with_its_reasons() -> None:
    assert decide(situation(item(1, "completed"))) == Stay("dormant", "nothing open", "type to continue")
    assert decide(situation(begun=False)) == Stay("dormant", "nothing open", "type to begin")
    blocked = decide(situation(item(1, "blocked"), item(2, depends_on=(1,))))

    assert isinstance(blocked, Stay)
    assert blocked.line == "idle: #1 is blocked (no key) · 2 open · unblock it, or type to continue"
    assert blocked.cause == "blocked"


def test_held_with_nothing_open_is_dormant() -> None:
    decision = decide(situation(held=True))

    assert isinstance(decision, Stay)
    assert (decision.state, decision.reason) == ("dormant", "held")


def test_the_shared_pool_wakes_only_whom_it_is_assigned_to() -> None:
    pool = item(1, session_id=None)
    mine = item(2, session_id=None, assignee="S")

    assert work_of((pool, mine), "S") == (mine,)
    assert work_of((pool, mine), "S", workspace=True) == (pool, mine)
    assert work_of((item(3, session_id=None, assignee=None),), None) == ()
    assert isinstance(decide(situation(pool)), Stay)
    assert isinstance(decide(situation(mine)), Wake)


def test_settling_a_todo_is_progress_once() -> None:
    done = Step(5, 1, "in_progress", "completed", "agent:build")
    reopened = Step(6, 1, "completed", "pending", "agent:build")
    again = Step(7, 1, "pending", "completed", "agent:build")

    assert progressed([done], 4, new_results=False)
    assert not progressed([done, reopened], 5, new_results=False)
    assert not progressed([done, reopened, again], 6, new_results=False)


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        ("pending", "in_progress", False),
        ("in_progress", "pending", False),
        (None, "pending", False),
        (None, "completed", False),
        ("pending", None, False),
        ("pending", "cancelled", True),
        ("pending", "blocked", True),
        ("in_progress", "completed", True),
    ],
)
def test_only_reaching_an_end_or_a_block_is_progress(
    before: TodoStatus | None, after: TodoStatus | None, counts: bool
) -> None:
    step = Step(5, 1, before, after, "agent:build")

    assert progressed([step], 4, new_results=False) is counts


def test_a_new_result_of_a_tool_is_progress_and_resets_stagnation() -> None:
    assert progressed([], 0, new_results=True)
    assert (stagnation(2, progress=False), stagnation(2, progress=True)) == (3, 0)


def test_all_done_is_announced_at_the_moment_it_becomes_true() -> None:
    assert all_done([item(1)], [item(1, "completed")])
    assert not all_done([item(1, "completed")], [item(1, "completed")])
    assert not all_done([item(1)], [item(1), item(2, "completed")])


@given(st.data())
def test_a_wake_happens_only_inside_every_limit(data: st.DataObject) -> None:
    statuses = data.draw(st.lists(st.sampled_from(STATUSES), max_size=4))
    now = situation(
        *(item(number, status) for number, status in enumerate(statuses, 1)),
        held=data.draw(st.booleans()),
        queued=data.draw(st.integers(0, 1)),
        wakes=data.draw(st.integers(0, 30)),
        stagnant=data.draw(st.integers(0, 5)),
        tokens=data.draw(st.integers(0, 3_000_000)),
        waiting=data.draw(st.sampled_from([None, "human", "approval", "agent"])),
        ended=data.draw(st.sampled_from(["well", "failed", "aborted"])),
    )

    decision = decide(now)

    if isinstance(decision, Wake):
        assert not now.held
        assert now.waiting is None
        assert (now.queued, now.ended) == (0, "well")
        assert actionable(now.todos)
        assert decision.number <= now.limits.max_cycles
        assert now.stagnant < 3
        assert now.tokens < now.limits.max_tokens
    elif decision.state == "dormant":
        assert not [each for each in now.work if each.status in OPEN]
