"""The newest question and its answer, for those who come back to a session."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from agent.turn_failure import TurnFailure, of_message, with_calls_before
from store.frozen import frozen
from store.records import Message


@frozen
class LastExchange:
    """`asked` and `replied` are empty where there is none; `failure` says how the newest reply failed."""

    asked: str = ""
    replied: str = ""
    interrupted: bool = False
    failure: TurnFailure | None = None


def last_exchange(messages: Sequence[Message]) -> LastExchange:
    asked = next((each for each in reversed(messages) if each.origin == "human"), None)
    since = list(takewhile(lambda each: each is not asked, reversed(messages)))
    replies = [each for each in since if each.role == "assistant"]
    if not replies:
        return LastExchange(asked.text if asked else "")
    replied = next((each for each in replies if each.text), replies[0])
    *_, (_, after_calls) = with_calls_before(messages)
    failure = of_message(replies[0], after_calls=after_calls)
    return LastExchange(
        asked.text if asked else "", replied.text, replies[0].finish == "interrupted", failure
    )
