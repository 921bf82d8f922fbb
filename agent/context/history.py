"""Turns stored messages into what a provider accepts, whatever state they were left in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from operator import is_not
from typing import Any, cast

from agent.models.assemble import whole
from agent.models.protocol import ChatCall, ChatMessage
from store.records import Message, Part

INTERRUPTED = "[interrupted before it finished]"
PRUNED = "[output dropped to save context; call the tool again if it is needed]"
EMPTY = "(no output)"


def to_chat(system: str, messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
    return Conversation(system).of(messages)


class Conversation:
    """Every call gets exactly one result, every id is unique, and nothing empty is sent.

    Messages before the last no longer change, so that a long history is converted once, not at every step.
    """

    def __init__(self, system: str) -> None:
        self._system: ChatMessage = {"role": "system", "content": system}
        self._settled: list[Message] = []
        self._chat: list[ChatMessage] = []
        self._taken: set[str] = set()

    def of(self, messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
        known = len(self._settled)
        if known > len(messages) or any(map(is_not, self._settled, messages)):
            self._settled, self._chat, self._taken, known = [], [], set(), 0
        for message in messages[known:-1]:
            self._chat.extend(_converted(message, self._taken))
            self._settled.append(message)
        last = _converted(messages[-1], set(self._taken)) if messages else ()
        return (self._system, *self._chat, *last)


def _converted(message: Message, taken: set[str]) -> Iterator[ChatMessage]:
    if message.role == "user":
        yield from _user(message)
        return
    calls = [(part, _call(part, taken)) for part in message.parts if part.kind == "tool"]
    text = message.text
    if not text.strip() and not calls:
        return
    reply: ChatMessage = {"role": "assistant", "content": text if text.strip() else None}
    if calls:
        reply["tool_calls"] = [call for _, call in calls]
    yield reply
    for part, call in calls:
        yield {"role": "tool", "tool_call_id": call["id"], "content": _output(part)}
    pictures = [picture for part in message.parts if (picture := _picture(part))]
    if pictures:
        yield {"role": "user", "content": [{"type": "text", "text": "The images just read:"}, *pictures]}


def _user(message: Message) -> Iterator[ChatMessage]:
    pictures = [picture for part in message.parts if (picture := _picture(part))]
    if pictures:
        yield {
            "role": "user",
            "content": [{"type": "text", "text": message.text or "See the image."}, *pictures],
        }
    elif message.text.strip():
        yield {"role": "user", "content": message.text}


def _call(part: Part, taken: set[str]) -> ChatCall:
    identity = base = part.call_id or "call"
    number = 1
    while identity in taken:
        number += 1
        identity = f"{base}_{number}"
    taken.add(identity)
    return whole(identity, part.tool or "", part.input or "").as_chat()


def _output(part: Part) -> str:
    if part.pruned_at is not None:
        return PRUNED
    if part.status in ("pending", "running", None):
        return INTERRUPTED
    if part.status == "interrupted":
        return f"{part.output}\n{INTERRUPTED}" if part.output else INTERRUPTED
    return part.output or EMPTY


def _picture(part: Part) -> dict[str, Any] | None:
    if part.kind != "file" or part.data is None or part.pruned_at is not None:
        return None
    try:
        data = cast("object", json.loads(part.data))
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    fields = cast("dict[str, object]", data)
    if "media_type" not in fields or "base64" not in fields:
        return None
    return {
        "type": "image_url",
        "image_url": {"url": f"data:{fields['media_type']};base64,{fields['base64']}"},
    }
