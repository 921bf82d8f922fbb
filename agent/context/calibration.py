"""How many tokens a provider counts for one of our estimate, learnt from what it last reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.context.compaction import mark_of
from store.records import Message, Usage

# A provider that reports a quarter or four times of what was sent reports something else.
_LIMIT = 4.0


def ratio(usage: Usage, estimate: int) -> float | None:
    """None when what was reported cannot be the size of the request."""
    counted = usage.input + usage.cache_read + usage.cache_write
    found = counted / max(1, estimate)
    return found if 1 / _LIMIT <= found <= _LIMIT else None


def remembered(
    messages: Sequence[Message], model: str, weigh: Callable[[Sequence[Message]], int]
) -> float | None:
    """From the newest reply of this model, when what it was sent is still what would be sent."""
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        if message.origin == "summary":
            return None
        if message.role == "assistant" and message.model == model and message.usage.total:
            parts = (part for each in messages[:at] for part in each.parts)
            if any((part.pruned_at or 0) >= message.created_at for part in parts):
                return None
            return ratio(message.usage, weigh(messages[:at]))
    return None


def uncounted(messages: Sequence[Message], weigh: Callable[[Message], int]) -> int:
    """Tokens that the provider counted for the newest reply beyond the estimate, such as hidden reasoning."""
    for message in reversed(messages):
        if message.origin == "summary":
            return 0
        if message.role == "assistant" and message.usage.total:
            # Results of calls came later than the count.
            asked = (replace(part, output=None) for part in message.parts if part.kind != "file")
            return max(0, message.usage.output - weigh(replace(message, parts=tuple(asked))))
    return 0


def last_counted(messages: Sequence[Message]) -> int:
    """What the newest reply was counted with, itself included; 0 when nothing tells."""
    for message in reversed(messages):
        mark = mark_of(message)
        if mark is not None and not mark.undone:
            return mark.after
        if message.role == "assistant" and message.usage.total:
            return message.usage.total
    return 0
