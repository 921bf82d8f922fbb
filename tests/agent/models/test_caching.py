"""Cache breakpoints."""

import pytest

from agent.models.caching import mark, wants_marks
from agent.models.direct import Direct, Endpoint
from agent.models.protocol import ChatMessage
from tests.agent.models.conversation import ask, request, user
from tests.provider.reply import Reply
from tests.provider.server import Provider

MARK = {"type": "ephemeral"}


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("anthropic/claude-x", True),
        ("openrouter/anthropic/claude-x", True),
        ("bedrock/anthropic.claude-x", True),
        ("openai/gpt-x", False),
        ("ollama/claude-imitation", False),
    ],
)
def test_only_those_that_need_marks_get_them(model: str, expected: bool):
    assert wants_marks(model) is expected


def test_the_system_message_and_the_last_two_are_marked_and_the_request_is_left_alone():
    parts = [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "data:"}}]
    asked = request(user("one"), user("two"), {"role": "user", "content": parts}, user("last"))
    before = repr(asked)

    messages = mark(asked).messages

    assert messages[0].get("content") == [{"type": "text", "text": "You are terse.", "cache_control": MARK}]
    assert messages[1:3] == asked.messages[1:3]
    assert messages[3].get("content") == [parts[0], {**parts[1], "cache_control": MARK}]
    assert messages[4].get("content") == [{"type": "text", "text": "last", "cache_control": MARK}]
    assert repr(asked) == before


def test_a_message_without_content_is_not_marked():
    empty: ChatMessage = {"role": "assistant", "content": None, "tool_calls": []}

    assert mark(request(empty)).messages[1] == empty


async def test_openrouter_is_sent_the_marks_for_a_claude_only():
    async with Provider([Reply(text="a"), Reply(text="b")]) as provider:
        model = Direct(Endpoint(provider.url, prefix="openrouter/"))
        await ask(model, request(model="openrouter/anthropic/claude-x"))
        await ask(model, request(model="openrouter/openai/gpt-x"))
        await model.close()

    assert [b"cache_control" in received.body for received in provider.requests] == [True, False]
