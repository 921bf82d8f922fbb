"""Where a conversation was summarised: a mark beside the summary, so that nothing stored is ever changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict

from agent.context.pages import page
from agent.models.loose import as_count, as_dict, as_text, parse
from store.frozen import frozen
from store.records import Message, Part


@frozen
class Mark:
    """The data of a `compaction` part, beside the text of a message of origin `summary`.

    `kept` is how many messages directly before it are still sent as they are; all others are not.
    `local` says that no model wrote it.
    """

    kept: int
    before: int
    after: int
    automatic: bool
    focus: str = ""
    local: bool = False
    undone: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)


def mark_of(message: Message) -> Mark | None:
    if message.origin != "summary":
        return None
    part = mark_part(message)
    try:
        fields = as_dict(parse(part.data or "")) if part else {}
    except ValueError:
        return None
    if "kept" not in fields:
        return None
    return Mark(
        kept=as_count(fields["kept"]),
        before=as_count(fields.get("before")),
        after=as_count(fields.get("after")),
        automatic=fields.get("automatic") is True,
        focus=as_text(fields.get("focus")),
        local=fields.get("local") is True,
        undone=fields.get("undone") is True,
    )


def mark_part(message: Message) -> Part | None:
    return next((part for part in message.parts if part.kind == "compaction"), None)


def told(message: Message) -> str:
    """The summary that a message of origin `summary` holds, without what is said around it to a model."""
    return message.text.removeprefix(page("summary").partition("{summary}")[0])


def newest(messages: Sequence[Message]) -> int | None:
    """Where the summary that counts stands; those that were undone do not."""
    for at in range(len(messages) - 1, -1, -1):
        mark = mark_of(messages[at])
        if mark is not None and not mark.undone:
            return at
    return None


def visible(messages: Sequence[Message]) -> Sequence[Message]:
    """What a model is sent of a history: the newest summary, then what it does not speak for."""
    at = newest(messages)
    if at is None:
        return [message for message in messages if message.origin != "summary"]
    mark = mark_of(messages[at])
    assert mark is not None
    rest = (*messages[max(0, at - mark.kept) : at], *messages[at + 1 :])
    return [messages[at], *(message for message in rest if message.origin != "summary")]


def divide(messages: Sequence[Message], weigh: Callable[[Message], int], *, tail: int, most: int) -> int:
    """How many of these messages to summarise; the rest stays as it is.

    What nobody has answered yet stays, up to `most` tokens and in any case the last of it; then as many of
    the messages before it as `tail` tokens allow.
    """
    at = newest(messages)
    first = 0 if at is None else at + 1
    index, used = len(messages), 0
    while index > first and _unanswered(messages[index - 1]):
        used += weigh(messages[index - 1])
        if used > most and index < len(messages):
            return index
        index -= 1
    used = 0
    while index > first:
        used += weigh(messages[index - 1])
        if used > tail:
            break
        index -= 1
    return index


def _unanswered(message: Message) -> bool:
    said = message.text.strip() or any(part.kind == "tool" for part in message.parts)
    return message.role == "user" or not said
