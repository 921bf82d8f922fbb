from dataclasses import replace

import pytest
from rich.cells import cell_len

from agent.events import (
    ContextCompacted,
    ContextPruned,
    ReasoningDelta,
    RetryWaiting,
    SessionStateChanged,
    StepStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
    UsageUpdated,
    WakeCountdown,
    WakeStarted,
)
from store.records import Usage
from tui.status import Status, toolbar, updated

START = Status("dormant", "nothing open", "type to continue", 0, 25, "offline", "build", 0.0)


def test_the_line_says_why_nothing_runs_and_what_would_resume_it():
    event = SessionStateChanged("idle", "25/25 wakes used · 3 open", 25, 25, "type or /wake to continue")

    status = updated(START, event, 0)

    left, right = toolbar(status, 120, 0, unicode=True)
    assert left == "idle: 25/25 wakes used · 3 open · type or /wake to continue"
    assert right == "wakes 25/25 · offline · build"


def test_the_line_counts_jobs_in_the_background():
    status = replace(START, jobs=2)

    assert toolbar(status, 120, 0, unicode=True)[1] == "2 jobs run · wakes 0/25 · offline · build"
    assert toolbar(status, 60, 0, unicode=True)[1] == "2 jobs run"


def test_a_reason_in_the_words_of_others_is_text():
    event = SessionStateChanged("idle", "refused: \x1b]2;x\x07\x9b2Jno\nway", 0, 25, "type to continue")

    assert updated(START, event, 0).sentence == "idle: refused: no way · type to continue"


def test_who_waits_for_the_user_says_so_once():
    event = SessionStateChanged("awaiting_approval", "waiting for your approval", 0, 25, "allow or refuse")

    assert updated(START, event, 0).sentence == "waiting for your approval · allow or refuse"


def test_a_turn_that_failed_is_said_to_have_without_all_the_words():
    reason = "x/y failed (status 500: try later) · 2 open"

    status = updated(START, SessionStateChanged("idle", reason, 0, 25, "type", "failed"), 0)

    assert status.sentence == "idle: the last turn failed, x/y failed · 2 open · type"
    assert status.role == "error"


def test_what_only_the_user_can_unblock_waits_for_them():
    event = SessionStateChanged("idle", "#1 is blocked (no key) · 1 open", 0, 25, "unblock it", "blocked")

    assert updated(START, event, 0).role == "waiting"
    assert START.role == "dim"


def test_another_try_is_counted_down_until_something_comes():
    waiting = updated(START, RetryWaiting(1, 4.2, "cannot reach localhost:9 (no such name)"), 10)

    assert waiting.retrying(10) == "cannot reach localhost:9 · try 2 in 5 s"
    assert waiting.retrying(13.5) == "cannot reach localhost:9 · try 2 in 1 s"
    assert waiting.retrying(15) == "cannot reach localhost:9 · try 2"
    assert toolbar(waiting, 80, 10, unicode=True)[0] == "cannot reach localhost:9 · try 2 in 5 s"
    assert updated(waiting, TextDelta(1, 1, "so"), 16).retrying(16) == ""


def test_it_answers_while_text_comes_and_thinks_before_and_after():
    events = (StepStarted(1, 1), ReasoningDelta(1, 1, "hm"), TextDelta(1, 2, "so"), StepStarted(2, 2))

    status, seen = START, list[bool]()
    for event in events:
        status = updated(status, event, 0)
        seen.append(status.answering)

    assert seen == [False, False, True, False]


def test_the_countdown_is_shown_until_the_wake():
    counting = updated(START, WakeCountdown(2, 1, 25), 10)

    assert toolbar(counting, 80, 11, unicode=True)[0] == "wakes in 1 s · any key holds it"
    assert updated(counting, WakeStarted(1, 25), 12).wakes_at is None


def test_cost_adds_up_and_context_is_a_share():
    status = updated(START, UsageUpdated(Usage(), 0.25, 50, 200), 0)
    status = updated(status, UsageUpdated(Usage(), 0.5, 100, 200), 0)

    assert "50 % · $0.75" in toolbar(status, 120, 0, unicode=True)[1]


def test_a_pruning_and_a_summary_show_at_once_in_the_share():
    full = updated(START, UsageUpdated(Usage(), 0.25, 190, 200), 0)
    pruned = updated(full, ContextPruned(3, 90, 100, 200), 0)
    compacted = updated(pruned, ContextCompacted(7, 100, 20, automatic=True, context_limit=200), 0)

    shares = [toolbar(status, 120, 0, unicode=True)[1] for status in (full, pruned, compacted)]

    assert [share in shown for share, shown in zip(("95 %", "50 %", "10 %"), shares, strict=True)] == [
        True
    ] * 3
    assert compacted.cost == 0.25


def test_what_runs_is_known_until_it_has_finished():
    running = updated(START, ToolStarted(1, 7, "c", "shell", {}, "make"), 0)

    assert running.active == ((7, "Running make"),)
    assert updated(running, ToolFinished(1, 7, "c", "shell", "completed", "", 1), 0).active == ()


def test_a_change_of_the_plan_is_said_without_its_arguments():
    running = updated(START, ToolStarted(1, 7, "c", "todo_update", {}, "1 in_progress"), 0)

    assert running.active == ((7, "Updating the plan"),)


def test_a_long_reason_leaves_room_for_the_figures_and_for_what_would_resume_it():
    reason = "blocked: " + "waiting for 漢字 " * 20
    status = updated(START, SessionStateChanged("idle", reason, 3, 25, "unblock one, or type"), 0)

    left, right = toolbar(status, 100, 0, unicode=True)

    assert left.endswith("… · unblock one, or type")
    assert right == "wakes 3/25 · offline · build"
    assert cell_len(left) + cell_len(right) + 2 <= 100


@pytest.mark.parametrize("width", [1, 20, 40, 80, 200])
def test_the_line_never_breaks(width: int):
    left, right = toolbar(START, width, 0, unicode=True)

    assert len(left) + (len(right) + 2 if right else 0) <= max(width, len(left))
    assert len(left) <= width


def test_what_has_no_known_price_is_no_amount_of_money():
    first = updated(START, UsageUpdated(Usage(input=10), None, 10, 100), 0)
    then = updated(first, UsageUpdated(Usage(input=10), 0.5, 10, 100), 0)

    assert (START.money, first.money, then.money) == ("", "price unknown", "$0.50+")
