"""What the pickiest provider would refuse about a request, so that a damaged history cannot pass unseen.

The rules of OpenAI's chat completions, and those of Anthropic for what a request becomes on its way there.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

ROLES = ("system", "user", "assistant", "tool")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,(.+)", re.DOTALL)
_MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff", "gif": b"GIF8", "webp": b"RIFF"}


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
    sound = cast("list[dict[str, Any]]", messages)
    return _pairing_complaint(sound) or _order_complaint(sound)


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
    if content is None and not calls:
        return f"an empty {role} message"
    return _content_complaint(role, cast("object", content))


def _content_complaint(role: str, content: object) -> str | None:
    if content is None:
        return None
    blocks = cast("list[Any]", content) if isinstance(content, list) else [{"type": "text", "text": content}]
    if not blocks:
        return f"an empty {role} message"
    return next((found for block in blocks if (found := _block_complaint(role, block))), None)


def _block_complaint(role: str, block: object) -> str | None:
    fields = cast("dict[str, Any]", block) if isinstance(block, dict) else {}
    if fields.get("type") == "text":
        text = fields.get("text")
        if not isinstance(text, str):
            return "text that is no text"
        # A system prompt is ours; everything else must say something.
        return None if text.strip() or role == "system" else f"a {role} message of blanks"
    if fields.get("type") != "image_url" or role != "user":
        return f"a block of type {fields.get('type')!r} in a {role} message"
    picture = _PICTURE.fullmatch(str(cast("dict[str, Any]", fields.get("image_url") or {}).get("url", "")))
    if picture is None:
        return "a picture of a kind nobody takes"
    try:
        data = binascii.a2b_base64(picture[2].encode(), strict_mode=True)
    except ValueError as error:
        return f"a picture that is no base64: {error}"
    return None if data.startswith(_MAGIC[picture[1]]) else f"a picture that is no {picture[1]}"


def _order_complaint(messages: Sequence[Mapping[str, Any]]) -> str | None:
    """Anthropic takes the system prompt apart, wants the user to begin, and writes the next turn itself."""
    roles = [message["role"] for message in messages]
    if "system" in roles[1:]:
        return "a system message in the middle"
    talk = roles[1:] if roles[0] == "system" else roles
    if talk[:1] == ["assistant"]:
        return "the assistant speaks first"
    return "the assistant speaks last" if talk[-1:] == ["assistant"] else None


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
    if not isinstance(identity, str) or not _ID.fullmatch(identity):
        return f"a call with the id {identity!r}"
    if identity in seen:
        return f"the call id {identity!r} is used twice"
    if fields.get("type") != "function" or not isinstance(function, dict):
        return "a call that is not a function call"
    named = cast("dict[str, Any]", function)
    name, arguments = named.get("name"), named.get("arguments")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return f"a call of {name!r}"
    return _arguments_complaint(arguments)


def _arguments_complaint(arguments: object) -> str | None:
    if not isinstance(arguments, str):
        return "arguments are not text"
    try:
        value = json.loads(arguments, parse_constant=_refused)
    except ValueError as error:
        return f"arguments that are no JSON: {error}"
    return None if isinstance(value, dict) else "arguments that are no JSON object"


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")
