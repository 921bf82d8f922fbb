"""Whole calls out of pieces."""

import json

import pytest

from agent.models.assemble import assemble
from agent.models.protocol import CallDelta


def test_pieces_of_two_calls_are_joined_by_index() -> None:
    deltas = [
        CallDelta(0, "a", "read", '{"pa'),
        CallDelta(1, "b", "grep", ""),
        CallDelta(0, "", "", 'th": 1}'),
        CallDelta(1, "", "", "{}"),
    ]

    calls = assemble(deltas)

    assert [(call.id, call.name, call.input) for call in calls] == [
        ("a", "read", {"path": 1}),
        ("b", "grep", {}),
    ]


def test_missing_and_doubled_ids_become_unique_also_against_the_history() -> None:
    deltas = [CallDelta(0, "", "x", ""), CallDelta(1, "same", "x", ""), CallDelta(2, "same", "x", "")]

    calls = assemble(deltas, taken={"same", "call_2"})

    assert [call.id for call in calls] == ["call_3", "same_2", "same_3"]


@pytest.mark.parametrize("arguments", ['{"a": ', "[1]", "5", "null", '"text"', "[" * 100_000])
def test_unusable_arguments_are_kept_as_text_and_explained(arguments: str) -> None:
    (call,) = assemble([CallDelta(0, "a", "read", arguments)])

    assert call.input is None
    assert call.arguments == arguments
    assert "JSON object" in (call.problem or "")
    assert json.loads(call.as_chat()["function"]["arguments"]) == {"unreadable": arguments}


def test_an_object_encoded_twice_is_understood() -> None:
    (call,) = assemble([CallDelta(0, "a", "read", json.dumps('{"path": "x"}'))])

    assert call.input == {"path": "x"}
    assert json.loads(call.as_chat()["function"]["arguments"]) == {"path": "x"}


def test_no_arguments_are_an_empty_object() -> None:
    (call,) = assemble([CallDelta(0, "a", "todo_list", "")])

    assert call.input == {}
    assert call.as_chat()["function"]["arguments"] == "{}"


def test_a_name_no_provider_accepts_back_is_made_safe() -> None:
    calls = assemble(
        [CallDelta(0, "a", "run it!", ""), CallDelta(1, "b", "", ""), CallDelta(2, "c", "n" * 99, "")]
    )

    assert [call.name for call in calls] == ["run_it_", "unnamed", "n" * 64]
