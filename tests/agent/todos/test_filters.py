from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent.todos.errors import TodoError
from agent.todos.filters import Filter, parse_filter
from agent.todos.rules import OPEN
from store.records import Todo
from tests.store.drafts import todo


def item(number: int, **fields: Any) -> Todo:
    values: dict[str, Any] = {"id": number, "title": f"step {number}"} | fields
    return replace(todo(), **values)


TODOS = (
    item(1, status="in_progress", priority="high", title="Fix the login form"),
    item(2, notes="see the login page", artifact_id=7),
    item(3, status="blocked", priority="low", artifact_id=8, sprint_id=2),
    item(4, status="completed", priority="high"),
    item(5, status="cancelled", title="an open question"),
)
ARTIFACTS = {7: "Auth Plan", 8: "Deploy"}
SPRINTS = {2: "Beta", 3: "Gamma"}


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("", [1, 2, 3, 4, 5]),
        ("all", [1, 2, 3, 4, 5]),
        ("open", [1, 2, 3]),
        ("pending", [2]),
        ("PENDING Blocked", [2, 3]),
        ("done", [4]),
        ("canceled", [5]),
        ("high", [1, 4]),
        ("high low", [1, 3, 4]),
        ("open high", [1]),
        ("login", [1, 2]),
        ("login form", [1]),
        ("@auth", [2]),
        ("@8", [3]),
        ("@#8 open", [3]),
        ("@auth high", []),
        ("sprint:bet", [3]),
        ("SPRINT:#2", [3]),
        ("sprint:gamma", []),
        ("sprint:beta high", []),
        ('"open"', [5]),
        ("nothing like it", []),
    ],
)
def test_words_combine(words: str, ids: list[int]) -> None:
    found = parse_filter(words).select(TODOS, ARTIFACTS, SPRINTS)

    assert [each.id for each in found] == ids


def test_a_default_holds_until_a_status_is_named() -> None:
    default = Filter(OPEN)

    assert [each.id for each in parse_filter("high", default=default).select(TODOS)] == [1]
    assert [each.id for each in parse_filter("all high", default=default).select(TODOS)] == [1, 4]
    assert [each.id for each in parse_filter("completed", default=default).select(TODOS)] == [4]


@pytest.mark.parametrize(("words", "missing"), [("@", "an artifact"), ("sprint:", "a sprint")])
def test_an_artifact_and_a_sprint_need_a_name(words: str, missing: str) -> None:
    with pytest.raises(TodoError, match=f"name or number of {missing}"):
        parse_filter(words)
