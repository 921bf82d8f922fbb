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
    check_money(limits, session)
    tokens = tokens_used(limits, session)
    if tokens >= limits.max_tokens:
        used = f"{tokens:,} of {limits.max_tokens:,} tokens used"
        raise LimitReachedError("tokens", f"{used} {_way_on(limits)}")
    if minutes_used(session, moment) >= limits.max_minutes:
        said = f"{limits.max_minutes:g} minutes are over since your last message"
        raise LimitReachedError("time", f"{said}; type to continue")


def check_money(limits: Limits, session: Session) -> None:
    if limits.max_cost is not None and session.cost >= limits.max_cost:
        raise LimitReachedError(
            "money", f"${session.cost:.2f} of ${limits.max_cost:.2f} spent; raise the cap with /budget"
        )


def tokens_used(limits: Limits, session: Session) -> int:
    """Since the last message; in the whole session where tokens stand for money nobody can count."""
    return session.usage.total if _stands_for_money(limits) else session.activation_tokens


def uncountable(model: str, max_cost: float, max_tokens: int) -> str:
    told = f"the price of {model} is not known, so that ${max_cost:.2f} cannot be counted"
    return f"{told}: this session stops at {max_tokens:,} tokens (wake.max_tokens) instead"


def minutes_used(session: Session, moment: int) -> float:
    return (moment - (session.activated_at or session.created_at)) / 60_000


def _stands_for_money(limits: Limits) -> bool:
    return limits.max_cost is not None and not limits.priced


def _way_on(limits: Limits) -> str:
    if _stands_for_money(limits):
        return "in place of a cap on money, the price being unknown; raise wake.max_tokens"
    return "since your last message; type to continue"
