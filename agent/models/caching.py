"""Marks what a provider shall cache, for those that cache only what they are told to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from agent.models.protocol import ChatMessage, Request

_MARK = {"type": "ephemeral"}
_SERVERS = ("anthropic/", "bedrock/", "vertex_ai/", "openrouter/", "claude")


def wants_marks(model: str) -> bool:
    """Anthropic's models, whoever serves them; only litellm and OpenRouter pass the marks on."""
    return "claude" in model and model.startswith(_SERVERS)


def mark(request: Request) -> Request:
    """Breakpoints after the system message (tools come before it) and after the last two messages.

    The one before the last is where the previous request ended, so that its cache is found again.
    """
    last = len(request.messages) - 1
    chosen = {at for at in (0, last - 1, last) if at >= 0}
    messages = tuple(
        _marked(message) if at in chosen else message for at, message in enumerate(request.messages)
    )
    return replace(request, messages=messages)


def _marked(message: ChatMessage) -> ChatMessage:
    content = message.get("content")
    if not content:
        return message
    parts: list[dict[str, Any]] = [{"type": "text", "text": content}] if isinstance(content, str) else content
    marked = [*parts[:-1], {**parts[-1], "cache_control": _MARK}]
    return cast("ChatMessage", {**message, "content": marked})
