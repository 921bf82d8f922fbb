from __future__ import annotations

import json
from dataclasses import replace

from agent.events import TodoUpdated, to_json
from agent.todos.wire import as_json, detail
from store.records import Progress, Spent
from tests.store.drafts import todo


def test_a_todo_is_written_as_the_event_writes_it() -> None:
    full = replace(
        todo("title"),
        id=14,
        depends_on=(3, 4),
        completed_at=1_700_000_000_123,
        spent=Spent(1, 2, 0.5, 4),
    )
    event = TodoUpdated((full,), 1, Progress(0, 1))

    assert json.loads(json.dumps(as_json(full))) == json.loads(to_json(event))["todos"][0]


def test_the_details_name_what_there_is() -> None:
    full = replace(todo("title"), id=14, notes="two\nlines", check="make", spent=Spent(2500, 10, 0.25, 3))

    assert detail(full).splitlines() == [
        "#14 [pending] title (workspace)",
        "  two",
        "  lines",
        "priority: medium",
        "check: make",
        "created: 1970-01-01T00:00:00.001Z by user",
        "spent: 2 s, 10 tokens, $0.2500, 3 tool calls",
    ]
