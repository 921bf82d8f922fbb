"""How many tokens things take in a request, by estimate: what a provider counts is known only afterwards."""

from __future__ import annotations

from collections.abc import Iterable

from agent.models.body import tool_objects
from agent.models.loose import as_dict, as_text
from agent.models.protocol import ChatMessage, ToolSpec

BYTES = 4
# What the dearest providers count for a picture of the size they reduce it to.
PICTURE = 1_600
# Role, ids and punctuation.
_FRAME = 8


def tokens(text: str) -> int:
    """About four bytes each; scripts that take more bytes a letter also take more tokens."""
    return -(-byte_count(text) // BYTES)


def byte_count(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def of_chat(messages: Iterable[ChatMessage]) -> int:
    return sum(map(of_message, messages))


def of_message(message: ChatMessage) -> int:
    content = message.get("content")
    blocks = [{"text": content}] if isinstance(content, str) else content or []
    said = sum(tokens(as_text(block.get("text"))) if "text" in block else PICTURE for block in blocks)
    calls = message.get("tool_calls", ())
    asked = sum(tokens(call["function"]["name"] + call["function"]["arguments"]) + _FRAME for call in calls)
    return _FRAME + said + asked


def of_tools(specs: Iterable[ToolSpec]) -> int:
    return sum(tokens(str(as_dict(each["function"]))) + _FRAME for each in tool_objects(tuple(specs)))
