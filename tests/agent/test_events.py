import json
from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent import events
from agent.events import Event, Notice, TodoUpdated, from_json, to_json
from store.records import Progress
from tests.store.drafts import todo

# The wire names that scripts rely on; they may grow, never change.
KINDS = """session.started session.state session.rewound turn.started turn.ended step.started text.delta
reasoning.delta message.added tool.started tool.output tool.finished todo.updated artifact.updated
question.asked question.answered wake.countdown wake.started retry.waiting context.pruned
context.compacted task.started task.progress task.finished usage.updated notice error""".split()


def test_the_vocabulary_is_the_published_one():
    kinds = [next(f.default for f in fields(member) if f.name == "kind") for member in get_args(Event)]

    assert kinds == KINDS


def events_of(member: type[Event]) -> st.SearchStrategy[Event]:
    json_objects = st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.text(max_size=5))
    named = {field.name: json_objects for field in fields(member) if field.name in ("arguments", "metadata")}
    return st.builds(member, **named)


# Numbers that JSON can carry and times that a calendar can.
st.register_type_strategy(int, st.integers(0, 4_000_000_000_000))
st.register_type_strategy(float, st.floats(0, 1e9))


@pytest.mark.parametrize("member", get_args(Event), ids=lambda member: member.__name__)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_event_survives_the_wire(member: type[Event], data: st.DataObject):
    event = data.draw(events_of(member))

    text = to_json(event)

    assert "\n" not in text
    assert from_json(text) == event


def test_a_line_carries_kind_number_session_and_an_iso_time():
    line = json.loads(to_json(Notice("info", "hello", seq=3, session="S", time=1_700_000_000_123)))

    assert line == {
        "kind": "notice",
        "seq": 3,
        "session": "S",
        "time": "2023-11-14T22:13:20.123Z",
        "level": "info",
        "text": "hello",
    }


def test_a_todo_on_the_wire_has_the_published_field_names():
    event = TodoUpdated((todo("x"),), 5, Progress(0, 1))

    line = json.loads(to_json(event))

    published = """id
    session_id workspace tenant parent_id title notes status blocked_reason blocked_on priority
    depends_on artifact_id sprint_id check position assignee created_by completed_by created_at updated_at
    completed_at""".split()
    assert set(published) <= set(line["todos"][0])
    assert line["progress"] == {"completed": 0, "total": 1}
    assert line["todos"][0]["created_at"] == "1970-01-01T00:00:00.001Z"


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValidationError):
        from_json('{"kind": "todo.exploded"}')


def test_the_vocabulary_is_loaded_without_pydantic():
    import subprocess
    import sys

    code = "import sys, agent.events, agent.bus; assert 'pydantic' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert events.Notice
