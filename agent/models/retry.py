"""Decides whether a failed request is worth another try, and when; pure, so that every case can be listed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random

from agent.models.protocol import ModelError, RateLimitError, TransientError

LONGEST = 60.0
ATTEMPTS = 6


def delay(error: ModelError, attempt: int, random: Random, *, attempts: int = ATTEMPTS) -> float | None:
    """Seconds to wait before the next try, or None when there is to be none.

    `attempt` counts the tries made so far, from 1.
    """
    if not isinstance(error, RateLimitError | TransientError) or attempt >= attempts:
        return None
    if isinstance(error, RateLimitError) and error.final:
        return None
    if error.wait is not None and math.isfinite(error.wait) and error.wait > 0:
        return min(LONGEST, error.wait)
    # Half is certain and half is chance, so that several sessions do not come back together.
    return min(LONGEST, 2.0 ** (attempt - 1)) * (0.5 + random.random() / 2)


def asked_wait(headers: Mapping[str, str], now: float) -> float | None:
    """What `Retry-After` asks for in seconds; None when it is absent, past or nonsense.

    `now` is seconds since the epoch and header names are lower case.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    return _number(value) if _looks_numeric(value) else _until_date(value, now)


def _looks_numeric(value: str) -> bool:
    return value[-1:].isdigit()


def _number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) and number > 0 else None


def _until_date(value: str, now: float) -> float | None:
    # Only a provider that refuses says when to come back.
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return moment - now if moment > now else None
