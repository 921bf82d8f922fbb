"""A key that does nothing says why."""

import pytest

from store.records import TodoStatus
from tests.tui.plan.plans import todo
from tui.plan.refusals import unmoved, unset

FIRST, LAST = "it is the first already", "it is the last already"
ABOVE, BELOW = "what is in progress stands above the others", "what is blocked stands below the others"


@pytest.mark.parametrize(
    ("status", "others", "step", "why"),
    [
        ("pending", ["pending"], -1, FIRST),
        ("pending", ["pending", "blocked"], -1, FIRST),
        ("pending", ["in_progress"], -1, ABOVE),
        ("pending", ["completed"], 1, LAST),
        ("pending", ["in_progress"], 1, LAST),
        ("pending", ["blocked"], 1, BELOW),
        ("in_progress", ["pending"], -1, FIRST),
        ("in_progress", ["pending"], 1, ABOVE),
        ("in_progress", ["blocked"], 1, ABOVE),
        ("blocked", ["pending"], -1, BELOW),
        ("blocked", ["in_progress"], -1, BELOW),
        ("blocked", ["pending", "in_progress"], 1, LAST),
        ("blocked", [], -1, FIRST),
    ],
)
def test_what_cannot_be_moved_is_told_what_is_in_the_way(
    status: TodoStatus, others: list[TodoStatus], step: int, why: str
):
    beside = [todo(number, status=other) for number, other in enumerate(others, 2)]

    assert unmoved(todo(1, status=status), beside, step) == why


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("completed", "in_progress", "what is finished cannot be started; space opens it again"),
        ("completed", "cancelled", "what is finished cannot be cancelled; space opens it again"),
        ("cancelled", "blocked", "what is finished cannot be blocked; space opens it again"),
        ("completed", "pending", ""),
        ("pending", "cancelled", ""),
    ],
)
def test_what_is_finished_can_only_be_opened_again(before: TodoStatus, after: TodoStatus, why: str):
    assert unset(todo(1, status=before), after) == why
