"""What the pickiest provider would refuse about a request, so that a damaged history cannot pass unseen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

ROLES = ("system", "user", "assistant", "tool")


def complaint(body: object) -> str | None:
    """Why a strict provider refuses this chat-completions request, or None when it is valid."""
    if not isinstance(body, dict):
        return "the body is not a JSON object"
    messages = cast("dict[str, Any]", body).get("messages")
    if not isinstance(messages, list) or not messages:
        return "messages must be a list that is not empty"
    for at, message in enumerate(cast("list[Any]", messages)):
        found = _message_complaint(message)
        if found:
            return f"messages[{at}]: {found}"
    return _pairing_complaint(cast("list[dict[str, Any]]", messages))


def _message_complaint(message: object) -> str | None:
    if not isinstance(message, dict):
        return "not an object"
    fields = cast("dict[str, Any]", message)
    role, content, calls = fields.get("role"), fields.get("content"), fields.get("tool_calls")
    if role not in ROLES:
        return f"unknown role {role!r}"
    if content is not None and not isinstance(content, str | list):
        return "content is neither text nor a list of parts"
    if calls is not None and (role != "assistant" or not isinstance(calls, list) or not calls):
        return "tool_calls must be a list that is not empty, on an assistant message"
    empty = content is None if role == "tool" else not content and not calls
    return f"an empty {role} message" if empty else None


def _pairing_complaint(messages: Sequence[Mapping[str, Any]]) -> str | None:
    waiting: list[str] = []
    seen: set[str] = set()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            answered = message.get("tool_call_id")
            if answered not in waiting:
                return f"messages[{at}]: a result for {answered!r}, which no call just before asked for"
            waiting.remove(answered)
            continue
        if waiting:
            return f"messages[{at}]: calls {waiting} have no result"
        for call in message.get("tool_calls") or ():
            found = _call_complaint(call, seen)
            if found:
                return f"messages[{at}]: {found}"
            seen.add(call["id"])
            waiting.append(call["id"])
    return f"calls {waiting} have no result" if waiting else None


def _call_complaint(call: object, seen: set[str]) -> str | None:
    if not isinstance(call, dict):
        return "a call is not an object"
    fields = cast("dict[str, Any]", call)
    identity, function = fields.get("id"), fields.get("function")
    if not isinstance(identity, str) or not identity:
        return "a call without an id"
    if identity in seen:
        return f"the call id {identity!r} is used twice"
    if fields.get("type") != "function" or not isinstance(function, dict):
        return "a call that is not a function call"
    named = cast("dict[str, Any]", function)
    if not isinstance(named.get("name"), str) or not named["name"]:
        return "a call without a name"
    return None if isinstance(named.get("arguments"), str) else "arguments are not text"
