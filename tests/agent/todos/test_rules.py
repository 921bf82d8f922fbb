from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.todos import rules
from agent.todos.errors import TodoError, UnknownTodoError
from store.records import Progress, Todo, TodoStatus
from tests.store.drafts import todo


def item(number: int, status: TodoStatus = "pending", **fields: object) -> Todo:
    values: dict[str, Any] = {"id": number, "position": number, "status": status} | fields
    return replace(todo(f"step {number}"), **values)


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("open", "pending"),
        ("DONE", "completed"),
        ("canceled", "cancelled"),
        ("Cancelled", "cancelled"),
        ("in_progress", "in_progress"),
        ("In-Progress", "in_progress"),
        (" blocked ", "blocked"),
    ],
)
def test_status_words_are_read_in_any_case_with_their_aliases(word: str, status: TodoStatus) -> None:
    assert rules.parse_status(word) == status


def test_an_unknown_status_names_those_that_exist() -> None:
    with pytest.raises(TodoError, match="no status 'later'; there are pending, in_progress, blocked"):
        rules.parse_status("later")


@pytest.mark.parametrize("value", [14, "14", "#14", " #14 "])
def test_an_id_is_read_in_every_spelling(value: object) -> None:
    assert rules.parse_id(value) == 14


@pytest.mark.parametrize("value", [0, -1, True, 1.5, None, "", "#", "x", "14a", "9" * 40])
def test_what_is_no_id_is_refused(value: object) -> None:
    with pytest.raises(TodoError, match="is not a todo id"):
        rules.parse_id(value)


@pytest.mark.parametrize("title", ["a", "x" * 200, " padded ", "tab\there", "日本語", "→ #14 (x)"])
def test_a_title_of_one_line_is_taken(title: str) -> None:
    assert rules.check_title(title) == title.replace("\t", " ").strip()


@pytest.mark.parametrize(
    "title", ["", "  ", "x" * 201, "two\nlines", "two\u2028lines", "\x1b[31m", "\0", "\ud800"]
)
def test_a_title_that_is_empty_long_or_no_line_is_refused(title: str) -> None:
    with pytest.raises(TodoError):
        rules.check_title(title)


@pytest.mark.parametrize("before", rules.STATUSES)
@pytest.mark.parametrize("after", rules.STATUSES)
def test_open_may_become_anything_and_finished_only_pending(before: TodoStatus, after: TodoStatus) -> None:
    if before in rules.OPEN or after in (before, "pending"):
        rules.check_transition(item(1, before), after)
    else:
        with pytest.raises(TodoError, match="allowed is: pending"):
            rules.check_transition(item(1, before), after)


def test_the_list_has_one_order() -> None:
    todos = [
        item(1, "completed", completed_at=5),
        item(2, "blocked"),
        item(3, "pending", position=9),
        item(4, "in_progress"),
        item(5, "cancelled", completed_at=7),
        item(6, "pending", position=3),
    ]

    assert [each.id for each in sorted(todos, key=rules.order)] == [4, 6, 3, 2, 5, 1]


def test_progress_leaves_cancelled_out() -> None:
    statuses: list[TodoStatus] = ["completed", "cancelled", "pending", "blocked"]

    assert rules.progress(item(n, status) for n, status in enumerate(statuses)) == Progress(1, 3)


def test_actionable_is_what_has_every_dependency_finished() -> None:
    todos = [
        item(1, "completed"),
        item(2, "pending", depends_on=(1,)),
        item(3, "pending", depends_on=(2,)),
        item(4, "blocked"),
        item(5, "in_progress", depends_on=(99,)),
    ]

    assert [each.id for each in rules.actionable(todos)] == [2, 5]


def test_a_cycle_of_dependencies_is_refused_and_shown() -> None:
    todos = {n: item(n, depends_on=after) for n, after in ((1, (2,)), (2, (3,)), (3, ()))}

    with pytest.raises(TodoError, match="#3 → #1 → #2 → #3"):
        rules.check_dependencies(todos, 3, (1,))
    with pytest.raises(TodoError, match="wait for itself"):
        rules.check_dependencies(todos, 3, (3,))


def test_subtasks_go_four_levels_deep() -> None:
    todos = {n: item(n, parent_id=n - 1 or None) for n in range(1, 6)}

    rules.check_parent(todos, 0, 4)
    with pytest.raises(TodoError, match="4 levels deep"):
        rules.check_parent(todos, 0, 5)


def test_moving_a_family_counts_its_own_height() -> None:
    todos = {n: item(n, parent_id=n - 1 or None) for n in range(1, 5)} | {8: item(8), 9: item(9, parent_id=8)}

    with pytest.raises(TodoError, match="4 levels deep"):
        rules.check_parent(todos, 8, 4)
    rules.check_parent(todos, 8, 3)


def test_nothing_becomes_its_own_ancestor() -> None:
    todos = {n: item(n, parent_id=n - 1 or None) for n in range(1, 4)}

    for parent in (1, 2, 3):
        with pytest.raises(TodoError, match="itself or below it"):
            rules.check_parent(todos, 1, parent)


def test_a_todo_is_found_by_a_unique_beginning_of_its_title() -> None:
    todos = [
        replace(item(1), title="Write the test"),
        replace(item(2), title="Write the docs"),
        replace(item(3, "completed"), title="Ship it"),
        replace(item(4), title="Ship"),
    ]

    assert rules.resolve(todos, "#2").id == 2
    assert rules.resolve(todos, "write the t").id == 1
    assert rules.resolve(todos, "ship").id == 4
    with pytest.raises(TodoError, match="2 todos begin with 'write': #1 Write the test, #2 Write the docs"):
        rules.resolve(todos, "write")
    with pytest.raises(UnknownTodoError, match="there are #1, #2, #3, #4"):
        rules.resolve(todos, "sell")


def test_nesting_puts_every_subtask_below_its_parent() -> None:
    todos = [item(3, parent_id=1), item(2), item(1), item(4, parent_id=3), item(5, parent_id=77)]

    assert [(level, each.id) for level, each in rules.nested(todos)] == [
        (0, 2),
        (0, 1),
        (1, 3),
        (2, 4),
        (0, 5),
    ]
