"""Makes a request fit by force: texts are shortened, calls keep their results, at last the oldest go."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from agent.context import sizes
from agent.context.cuts import cut
from agent.models.loose import as_text
from agent.models.protocol import ChatCall, ChatMessage

MARKER = "[truncated to fit context window]"
_SHORTEST = 200


def trimmed(messages: Sequence[ChatMessage], budget: int) -> tuple[ChatMessage, ...]:
    """At most `budget` tokens by estimate; the first message, the system prompt, and the last stay whole."""
    if sizes.of_chat(messages) <= budget:
        return tuple(messages)
    system, *middle, last = messages
    room = budget - sizes.of_message(system) - sizes.of_message(last)
    shortened = _shortened([without_pictures(message) for message in middle], room)
    return (system, *_newest(shortened, room), last)


def _shortened(messages: Sequence[ChatMessage], room: int) -> list[ChatMessage]:
    """The longest texts are cut to one length, the greatest with which all of them fit."""
    low, high = _SHORTEST, max((sizes.of_message(message) for message in messages), default=0) * sizes.BYTES
    while low < high:
        middle = (low + high + 1) // 2
        fits = sizes.of_chat(_cut(message, middle) for message in messages) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return [_cut(message, low) for message in messages]


def _newest(messages: list[ChatMessage], room: int) -> list[ChatMessage]:
    if sizes.of_chat(messages) <= room:
        return messages
    start, used = len(messages), sizes.tokens(MARKER) * 2
    for at in range(len(messages) - 1, -1, -1):
        used += sizes.of_message(messages[at])
        if used > room:
            break
        if messages[at]["role"] != "tool":
            # A result without its call would be refused.
            start = at
    first: ChatMessage = {"role": "user", "content": MARKER}
    return [first, *messages[start:]]


def _cut(message: ChatMessage, most: int) -> ChatMessage:
    changed = dict(message)
    if isinstance(message.get("content"), str):
        changed["content"] = cut(cast("str", message.get("content")), most, MARKER)
    if "tool_calls" in message:
        changed["tool_calls"] = [_cut_call(call, most) for call in message["tool_calls"]]
    return cast("ChatMessage", cast("object", changed))


def _cut_call(call: ChatCall, most: int) -> ChatCall:
    arguments = call["function"]["arguments"]
    if len(arguments) <= most:
        return call
    shown = json.dumps({"arguments": cut(arguments, most, MARKER)}, ensure_ascii=False)
    return {**call, "function": {**call["function"], "arguments": shown}}


def without_pictures(message: ChatMessage) -> ChatMessage:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    text = "\n".join(_in_words(block) for block in content)
    return {"role": message["role"], "content": text}


def _in_words(block: dict[str, Any]) -> str:
    return as_text(block.get("text")) if block.get("type") == "text" else f"[a picture] {MARKER}"
