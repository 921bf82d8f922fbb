"""Calls written as text."""

import json

import pytest

from agent.models.spoken import SpokenCall, extract

OFFERED = {"read", "grep"}
CALL = '{"name": "read", "arguments": {"path": "ä.py"}}'
READ = SpokenCall("read", '{"path": "ä.py"}')


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        f"```json\n{CALL}\n```",
        f"```\n{CALL}\n```",
        f"```tool_call\r\n{CALL}\r\n```",
        CALL,
        f"[{CALL}]",
        CALL.replace("arguments", "parameters"),
        '{"type": "function", "function": ' + CALL + "}",
        json.dumps({"name": "read", "arguments": '{"path": "ä.py"}'}),
    ],
)
def test_a_call_is_recognised_in_each_form_small_models_use(text: str):
    assert extract(text, OFFERED) == ("", (READ,))


def test_the_words_around_calls_stay_and_several_calls_keep_their_order():
    other = '{"name": "grep", "arguments": {}}'
    text = f"I look.\n<tool_call>{CALL}</tool_call>\n<tool_call>{other}</tool_call>\nThen I tell."

    remaining, calls = extract(text, OFFERED)

    assert [call.name for call in calls] == ["read", "grep"]
    assert remaining.split() == ["I", "look.", "Then", "I", "tell."]


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        '```json\n{"name": "delete_all", "arguments": {}}\n```',
        '```json\n{"name": "read"}\n```',
        '```json\n{"name": "read", "arguments": [1]}\n```',
        f"```python\n{CALL}\n```",
        "<tool_call>not json</tool_call>",
        f"```json\n[{CALL}, 5]\n```",
        f"write {CALL} yourself",
        '{"name": 5, "arguments": {}}',
        "{" * 9999,
    ],
)
def test_what_is_no_offered_call_stays_text_untouched(text: str):
    assert extract(text, OFFERED) == (text, ())


def test_nothing_is_taken_for_a_call_when_no_tools_were_offered():
    assert extract(f"<tool_call>{CALL}</tool_call>", ()) == (f"<tool_call>{CALL}</tool_call>", ())
