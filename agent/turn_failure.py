"""Failure of a turn: what happened and what to do, as it is stored with the reply and read again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from agent.models.loose import as_dict, as_text, parse
from store.frozen import frozen
from store.records import Message, Part

CUT = "length"
EMPTY = "empty"
REFUSED = "refused"
# The closing reply of a turn that has used tools may be empty.
WITHOUT_REPLY = "the model ended its turn without a reply"


@frozen
class TurnFailure:
    """`code` is stable, for scripts and for hints of a front end."""

    code: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return "; ".join(part for part in (self.message, self.hint) if part)


def cut(model: str) -> TurnFailure:
    hint = "send “continue” for the rest, or raise model.max_output"
    return TurnFailure(CUT, f"the reply was cut at the output limit of {model}", hint)


def empty(model: str) -> TurnFailure:
    return TurnFailure(EMPTY, f"{model} sent an empty reply", "try again, or choose another model")


def refused(model: str) -> TurnFailure:
    return TurnFailure(REFUSED, f"{model} refused to answer", "rephrase the message, or choose another model")


def to_data(failure: TurnFailure) -> str:
    """The data of the `retry` part that ends a failed reply: its last try, with none to follow."""
    fields = {"reason": failure.message, "code": failure.code, "hint": failure.hint, "final": True}
    return json.dumps(fields)


def from_part(part: Part) -> TurnFailure | None:
    """None for a part that tells of anything else, such as a try that was followed by another."""
    fields = data_of(part) if part.kind == "retry" else {}
    if fields.get("final") is not True:
        return None
    return TurnFailure(
        as_text(fields.get("code")), as_text(fields.get("reason")), as_text(fields.get("hint"))
    )


def of_message(message: Message, *, after_calls: bool = False) -> TurnFailure | None:
    """Why the reply failed, was cut, is empty or was refused; None when all is well, or it is under way.

    `after_calls` is True when the reply before it called tools.
    """
    if message.role != "assistant":
        return None
    stored = next(filter(None, map(from_part, message.parts)), None)
    if stored or any(part.kind == "tool" for part in message.parts):
        return stored
    match message.finish:
        case "refused":
            return refused(message.model)
        case "length":
            return cut(message.model)
        case "stop" if is_empty(message) and not after_calls:
            return empty(message.model)
        case _:
            return None


def is_empty(message: Message) -> bool:
    return not message.text.strip() and not any(part.kind == "tool" for part in message.parts)


def with_calls_before(messages: Sequence[Message]) -> Iterator[tuple[Message, bool]]:
    """Each message, and whether its turn had called tools by then."""
    called = False
    for message in messages:
        yield message, called
        if message.origin in ("human", "wake", "peer"):
            called = False
        elif message.origin == "command" or any(part.kind == "tool" for part in message.parts):
            called = True


def data_of(part: Part) -> dict[str, object]:
    try:
        return as_dict(parse(part.data or "{}"))
    except ValueError:
        return {}
