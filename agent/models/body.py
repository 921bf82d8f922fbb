"""Writes a request as bytes in one fixed order, so that consecutive requests share the longest prefix."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from agent.models.protocol import ChatMessage, Request, ToolSpec

_KEYS = ("role", "content", "tool_calls", "tool_call_id")


def encode(request: Request, name: str, *, output_field: str = "max_tokens") -> bytes:
    """The JSON body: everything that stays the same first, the growing list of messages last."""
    body: dict[str, Any] = {"model": name, "stream": True, "stream_options": {"include_usage": True}}
    if request.max_output is not None:
        body[output_field] = request.max_output
    if request.tools:
        body["tools"] = tool_objects(request.tools)
    body["messages"] = message_objects(request.messages)
    # Half a surrogate pair in a tool's output must not make the whole conversation unsendable.
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def tool_objects(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in tools
    ]


def message_objects(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    return [{key: message.get(key) for key in _KEYS if key in message} for message in messages]
