"""What a `/todo` command answers is what the list shows."""

import pytest

from agent.todos import commands
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from agent.todos.grammar import Move, SetStatus
from agent.todos.moves import Place
from agent.todos.service import TodoService


@pytest.fixture
async def plan(service: TodoService) -> TodoService:
    """#1 and #2 are pending, #3 and #4 wait for something."""
    waiting = [Draft(title, status="blocked", blocked_reason=f"why {title}") for title in ("c", "d")]
    await service.add(USER, [Draft("a"), Draft("b"), *waiting])
    return service


@pytest.mark.parametrize(
    ("todo", "place", "answer"),
    [
        (2, "top", "moved to the top: #2"),
        (1, "bottom", "moved to the bottom of those pending, what is blocked stands below the others: #1"),
        (4, "top", "moved to the top of those blocked, what is blocked stands below the others: #4"),
        (3, "top", "not moved, what is blocked stands below the others: #3"),
        (3, "up", "not moved, what is blocked stands below the others: #3"),
        (4, "bottom", "not moved, it is the last already: #4"),
        (4, "up", "moved up: #4"),
        (1, "up", "not moved, it is the first already: #1"),
    ],
)
async def test_a_move_says_where_the_todo_is_now(plan: TodoService, todo: int, place: Place, answer: str):
    found = await commands.execute(plan, USER, Move(str(todo), place))

    assert found.text.startswith(answer)


async def test_a_move_that_moves_nothing_is_no_change(plan: TodoService):
    before = (await plan.current()).revision

    await commands.execute(plan, USER, Move("1", "top"))

    assert (await plan.current()).revision == before


@pytest.mark.parametrize("status", ["in_progress", "pending", "completed"])
async def test_the_reason_that_goes_with_a_block_is_named_and_kept_in_the_history(
    plan: TodoService, status: str
):
    found = await commands.execute(plan, USER, SetStatus(("3",), status))  # type: ignore[arg-type]  # a status

    assert "#3 was blocked: why c" in found.text
    assert (await plan.history_of(3))[-1].summary == f"blocked (why c) → {status}"
    await plan.undo(USER)
    assert (await plan.current()).by_id[3].blocked_reason == "why c"


async def test_why_something_was_blocked_stays_in_the_history(plan: TodoService):
    await commands.execute(plan, USER, SetStatus(("1",), "blocked", "no key"))

    assert (await plan.history_of(1))[-1].summary == "pending → blocked (no key)"
