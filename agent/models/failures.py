"""Turns what a provider says when it refuses into the few errors the loop can act on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from time import time

from agent.models.error_text import plain, said_in
from agent.models.loose import as_dict, as_list, parse
from agent.models.protocol import (
    AuthError,
    BadRequestError,
    ContextOverflowError,
    ModelError,
    RateLimitError,
    RefusedError,
    TransientError,
)
from agent.models.retry import asked_wait
from agent.secrets import SHORTEST

_OVERFLOW = re.compile(
    r"context.?length|context.?window|context.?size|maximum context|max(imum)?.?(input|prompt).?tokens"
    r"|(prompt|input|request)( is)? too (long|large)|too many (input )?tokens|exceeds? the (available |model)"
    r"|reduce the length|token limit|exceed_context",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient.?(quota|balance|credit|funds)|exceeded your current quota|credit balance"
    r"|quota.?exhausted|payment required|spend(ing)? limit",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"content.?(policy|filter)|moderation|safety|responsible.?ai|flagged", re.IGNORECASE)
_WAIT = re.compile(
    r"(?:try again|retry|retryDelay)\W+(?:in|after)?\s*(\d+(?:\.\d+)?)\s*(ms|s)\b", re.IGNORECASE
)
_TRANSIENT = (408, 409, 425)
_SET_KEY = "set one with `wakeful config set-key`"


def from_response(
    model: str, status: int, headers: Mapping[str, str], body: bytes, *, key: str | None = None
) -> ModelError:
    """The error behind an answer that is not a stream; header names are lower case. `key` is never quoted."""
    try:
        value = parse(body)
    except ValueError:
        value = body.decode("utf-8", "replace")
    # Google wraps its error object in a list.
    items = as_list(value)
    return from_payload(model, status, items[0] if items else value, asked_wait(headers, time()), key=key)


def from_payload(
    model: str, status: int, value: object, wait: float | None = None, *, key: str | None = None
) -> ModelError:
    """The error behind a JSON error body, or behind an `error` event in the middle of a stream."""
    said = without_key(said_in(value), key)
    code = _code(value)
    status = status if status >= 300 else _status_of(code)
    return classify(model, status, f"{code} {said}", said, wait)


def classify(model: str, status: int, signs: str, said: str, wait: float | None = None) -> ModelError:
    """`signs` is all that may tell the kind of failure; `said` is what a person gets to read of it."""
    said = plain(said) or f"status {status}"
    wait = wait if wait is not None else _wait_in(signs)
    # A provider that says when to come back means a limit per minute, whatever it calls it.
    quota = status == 402 or (wait is None and status < 500 and _QUOTA.search(signs))
    overflow = status == 413 or (status not in (401, 403, 429) and _OVERFLOW.search(signs))
    refused = status in (400, 403, 422) and _REFUSED.search(signs)
    cases = (
        (
            quota,
            RateLimitError(
                f"the quota for {model} is used up ({said}); check your billing at the provider", final=True
            ),
        ),
        (overflow, ContextOverflowError(f"the conversation is too long for {model} ({said})")),
        (status == 429, RateLimitError(f"{model} is rate limited ({said})", wait=wait)),
        (refused, RefusedError(f"{model} refused to answer ({said})")),
        (status in (401, 403), AuthError(f"{model} did not accept the key ({said}); {_SET_KEY}")),
        (status in _TRANSIENT or status >= 500, TransientError(f"{model} failed ({said})", wait=wait)),
        (status == 404, BadRequestError(f"no model {model} at this endpoint ({said}); see /model")),
    )
    invalid = BadRequestError(f"{model} found the request invalid ({said})")
    return next((error for applies, error in cases if applies), invalid)


def without_key(text: str, key: str | None) -> str:
    """Not every key looks like one, and some servers quote what they refuse."""
    return text.replace(key, "[key]") if key and len(key) >= SHORTEST else text


def _wait_in(text: str) -> float | None:
    """Some providers put the wait into the message alone."""
    found = _WAIT.search(text)
    if not found:
        return None
    return float(found[1]) / (1000 if found[2].lower() == "ms" else 1)


def _code(value: object) -> str:
    fields = as_dict(value)
    nested = as_dict(fields.get("error")) or fields
    names = ("code", "type", "status")
    return " ".join(str(nested[name]) for name in names if isinstance(nested.get(name), str | int))


def _status_of(code: str) -> int:
    """Inside a stream the status line said 200, so that only the error's own code tells its kind."""
    found = re.search(r"\b[45]\d\d\b", code)
    if found:
        return int(found.group())
    if "rate_limit" in code:
        return 429
    if "authentication" in code or "api_key" in code:
        return 401
    return 400 if "invalid" in code else 500
