"""Amounts of money for people and for JSON; a price that nobody knows is never shown as $0."""

from __future__ import annotations

from collections.abc import Iterable

from agent.models import catalog
from store import messages
from store.database import Store

UNKNOWN = "price unknown"


def all_priced(models: Iterable[str]) -> bool:
    """True if the price of each of the models is known, or it is free."""
    return all(catalog.look_up(name).prices is not None for name in models)


async def is_priced(store: Store, session_id: str) -> bool:
    """True if the price of every model that the session used is known."""
    return all_priced(await store.read(messages.models_used, session_id))


def amount(cost: float, *, priced: bool, used: bool = True, digits: int = 4) -> str:
    """`$0.1234`. `used` is False where nothing was sent to a model: that costs nothing at any price."""
    if priced or not used:
        return f"${cost:.{digits}f}"
    return f"at least ${cost:.{digits}f}, one {UNKNOWN}" if cost else UNKNOWN


def known_cost(cost: float, *, priced: bool, used: bool = True) -> float | None:
    """For JSON: None where the amount is unknown, or only a part of it is known."""
    return cost if priced or not used else None
