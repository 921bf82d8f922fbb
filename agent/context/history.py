"""Turns stored messages into what a provider accepts, whatever state they were left in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import is_not

from agent.context import sizes
from agent.context.attachments import blocks
from agent.context.compaction import visible
from agent.context.cuts import cut_output
from agent.models.assemble import whole
from agent.models.loose import as_dict, parse
from agent.models.protocol import ChatCall, ChatMessage
from store.records import Message, Part

INTERRUPTED = "[interrupted before it finished]"
NOT_RUN = "[interrupted before it began, so it was not run]"
PRUNED = "[output dropped to save context; call the tool again if it is needed]"
EMPTY = "(no output)"
# Only a damaged history begins or ends with the assistant, and not every provider takes that.
BEGUN: ChatMessage = {"role": "user", "content": "(The beginning of this conversation is lost.)"}
GO_ON: ChatMessage = {"role": "user", "content": "Continue."}

# The shortest limit and the smallest alphabet that any provider has for ids.
_ID = 40
_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
# litellm keeps what Gemini wants back inside the id, and takes it out itself for everybody else.
_SIGNED = "__thought__"


def to_chat(system: str, messages: Sequence[Message], *, pictures: bool = True) -> tuple[ChatMessage, ...]:
    return Conversation(system, pictures=pictures).of(messages)


def weight(message: Message) -> int:
    """Its tokens in a request, by estimate."""
    return sizes.of_chat(_converted(message, set()))


class Conversation:
    """Every call gets exactly one result, every id is unique, and nothing empty is sent.

    Messages before the last no longer change, so that a long history is converted once, not at every step.
    `weight` is the estimate for what was last asked for; `pictures` says that the model can look at them.
    """

    def __init__(self, system: str, *, pictures: bool = True) -> None:
        self._pictures = pictures
        self._system: ChatMessage = {"role": "system", "content": system}
        self._settled: list[Message] = []
        self._chat: list[ChatMessage] = []
        self._taken: set[str] = set()
        self._settled_weight = sizes.of_message(self._system)
        self.weight = self._settled_weight

    def of(self, messages: Sequence[Message]) -> tuple[ChatMessage, ...]:
        shown = visible(messages)
        if len(self._settled) > len(shown) or any(map(is_not, self._settled, shown)):
            self._settled, self._chat, self._taken = [], [], set()
            self._settled_weight = sizes.of_message(self._system)
        begin = len(self._settled)
        for message, following in zip(shown[begin:-1], shown[begin + 1 :], strict=True):
            if not _void(message, following):
                self._add(_converted(message, self._taken, pictures=self._pictures))
            self._settled.append(message)
        last = list(_converted(shown[-1], set(self._taken), pictures=self._pictures)) if shown else []
        self.weight = self._settled_weight + sizes.of_chat(last)
        return tuple(_whole([self._system, *self._chat, *last]))

    def _add(self, chat: Iterator[ChatMessage]) -> None:
        for message in chat:
            self._chat.append(message)
            self._settled_weight += sizes.of_message(message)


def _whole(chat: list[ChatMessage]) -> list[ChatMessage]:
    if len(chat) > 1 and chat[1]["role"] == "assistant":
        chat.insert(1, BEGUN)
    if chat[-1]["role"] == "assistant":
        chat.append(GO_ON)
    return chat


def _void(message: Message, following: Message) -> bool:
    """True for a failed reply that was asked for again. It stays in the history where a person answers it."""
    return message.finish in ("failed", "refused") and following.origin not in ("human", "peer")


def _converted(message: Message, taken: set[str], *, pictures: bool = True) -> Iterator[ChatMessage]:
    parts = (part for part in message.parts if part.kind == "file")
    files = [block for part in parts for block in blocks(part, seen=pictures)]
    if message.role == "user":
        yield from _user(message.text, files)
        return
    calls = [(part, _call(part, taken)) for part in message.parts if part.kind == "tool"]
    text = message.text
    if text.strip() or calls:
        reply: ChatMessage = {"role": "assistant", "content": text if text.strip() else None}
        if calls:
            reply["tool_calls"] = [call for _, call in calls]
        yield reply
    for part, call in calls:
        yield {"role": "tool", "tool_call_id": call["id"], "content": _output(part)}
    if files:
        yield from _user("The files just read:", files)


def _user(text: str, files: list[dict[str, object]]) -> Iterator[ChatMessage]:
    if files:
        said = text if text.strip() else "See the attached file."
        yield {"role": "user", "content": [{"type": "text", "text": said}, *files]}
    elif text.strip():
        yield {"role": "user", "content": text}


def _call(part: Part, taken: set[str]) -> ChatCall:
    identity = base = _identity(part.call_id)
    number = 1
    while identity in taken:
        number += 1
        ending = f"_{number}"
        identity = f"{base if _SIGNED in base else base[: _ID - len(ending)]}{ending}"
    taken.add(identity)
    return whole(identity, part.tool or "", part.input or "").as_chat()


def _identity(identity: str | None) -> str:
    if identity and _SIGNED in identity:
        return identity
    return _FOREIGN.sub("_", identity or "")[:_ID] or "call"


def _output(part: Part) -> str:
    if part.pruned_at is not None:
        shown = cut_output(part) or ""
        return PRUNED if not shown or shown.isspace() else shown
    if part.status in ("pending", "running", None):
        return INTERRUPTED
    if part.status == "interrupted" and not _begun(part):
        return NOT_RUN
    output = "" if part.output is None or part.output.isspace() else part.output
    if part.status == "interrupted":
        return f"{output.rstrip()}\n{INTERRUPTED}" if output else INTERRUPTED
    return output or EMPTY


def _begun(part: Part) -> bool:
    try:
        data = as_dict(parse(part.data or "{}"))
    except ValueError:
        return True
    return as_dict(data.get("metadata")).get("begun") is not False
