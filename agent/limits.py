"""Stops a turn before it sends a request that the user's limits no longer cover."""

from __future__ import annotations

from typing import Literal

from agent.wake import Limits
from store.records import Session

Limit = Literal["steps", "tokens", "money", "time"]


class LimitReachedError(Exception):
    def __init__(self, limit: Limit, message: str) -> None:
        super().__init__(message)
        self.limit: Limit = limit


def check(limits: Limits, session: Session, moment: int) -> None:
    """The money cap covers the whole session and survives a resume; the others cover one activation."""
    if limits.max_cost is not None and session.cost >= limits.max_cost:
        raise LimitReachedError(
            "money", f"${session.cost:.2f} of ${limits.max_cost:.2f} spent; raise the cap with /budget"
        )
    if session.activation_tokens >= limits.max_tokens:
        used = f"{session.activation_tokens:,} of {limits.max_tokens:,}"
        raise LimitReachedError("tokens", f"{used} tokens used since your last message; type to go on")
    if minutes_used(session, moment) >= limits.max_minutes:
        said = f"{limits.max_minutes:g} minutes are over since your last message"
        raise LimitReachedError("time", f"{said}; type to go on")


def minutes_used(session: Session, moment: int) -> float:
    return (moment - (session.activated_at or session.created_at)) / 60_000
