from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.todos import texts
from agent.todos.dialects.registry import DIALECTS
from agent.todos.snapshot import Snapshot
from store.records import Todo, TodoStatus
from tests.store.drafts import todo


def item(number: int, status: TodoStatus = "pending", **fields: Any) -> Todo:
    values: dict[str, Any] = {"id": number, "position": number, "status": status, "session_id": "S"} | fields
    return replace(todo(f"step {number}"), **values)


def listed(*todos: Todo) -> Snapshot:
    return Snapshot().changed(todos, (), 1)


def test_an_empty_or_finished_list_gives_no_message() -> None:
    assert texts.context_message(listed(), "standard") is None
    assert texts.context_message(listed(item(1, "completed", completed_at=1)), "standard") is None


def test_the_context_message_says_ids_statuses_reasons_artifacts_and_how_to_close() -> None:
    known = listed(
        item(14, "in_progress", artifact_id=3),
        item(15),
        item(16, "blocked", blocked_reason="no key", blocked_on="external"),
        item(17, session_id=None),
        item(18, "completed", completed_at=1),
    )

    message = texts.context_message(known, "standard", artifacts={3: "Auth Plan"})

    assert message is not None
    assert message.splitlines() == [
        "The todo list as it is now (1/5 done):",
        "- #14 [in_progress] step 14 → artifact: Auth Plan",
        "- #15 [pending] step 15",
        "- #17 [pending] step 17 (workspace)",
        "- #16 [blocked] step 16 (blocked on external: no key)",
        "Close each item with todo_complete(id) as you finish it. (todo_list shows the full list.)",
    ]


def test_at_most_five_active_and_ten_pending_are_shown() -> None:
    known = listed(*(item(n, "in_progress") for n in range(1, 8)), *(item(n) for n in range(8, 30)))

    message = texts.context_message(known, "standard")

    assert message is not None
    lines = message.splitlines()
    assert sum("[in_progress]" in line for line in lines) == 5
    assert sum("[pending]" in line for line in lines) == 10
    assert lines[-2] == "… and 14 more"


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("standard", "todo_complete(id)"),
        ("skills", 'todo_update(id, "done")'),
        ("list", "todowrite"),
        ("tasks", 'task_update(id, "completed")'),
        ("writ", "/todo done ID"),
    ],
)
def test_each_dialect_names_its_own_closing_call(dialect: str, call: str) -> None:
    assert call in (texts.context_message(listed(item(1)), dialect) or "")
    assert call in texts.wake_message([item(1)], dialect)


def test_who_may_not_complete_is_not_told_to() -> None:
    message = texts.context_message(listed(item(1)), "standard", access="readonly")

    assert message is not None
    assert "todo_complete" not in message


@pytest.mark.parametrize("dialect", DIALECTS)
def test_guidance_is_calm_and_says_when_to_leave_it(dialect: str) -> None:
    words = texts.guidance(dialect)

    assert "three or more real steps" in words
    assert "one-step work" in words
    assert not [word for word in ("MUST", "ALWAYS", "NEVER", "IMPORTANT", "!") if word in words]


def test_the_hint_at_the_end_of_a_run_names_what_is_left() -> None:
    assert texts.completion_hint([item(1, "completed", completed_at=1)]) is None
    assert texts.completion_hint([item(1, "in_progress"), item(2)]) == (
        "Still open at the end of this run: #1 [in_progress] step 1; #2 [pending] step 2"
    )
