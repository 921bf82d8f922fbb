"""When to try again."""

import random

import pytest

from agent.models.protocol import (
    AuthError,
    BadRequestError,
    ContextOverflowError,
    ModelError,
    RateLimitError,
    RefusedError,
    TransientError,
)
from agent.models.retry import ATTEMPTS, asked_wait, delay


@pytest.mark.parametrize(
    "error",
    [
        AuthError("x"),
        BadRequestError("x"),
        ContextOverflowError("x"),
        RefusedError("x"),
        RateLimitError("x", final=True),
        RateLimitError("x", wait=1, final=True),
    ],
)
def test_what_another_try_cannot_help_is_final(error: ModelError) -> None:
    assert delay(error, 1, random.Random(1)) is None


def test_waits_grow_with_chance_and_end_after_a_bounded_number_of_tries() -> None:
    waits = [delay(TransientError("x"), attempt, random.Random(7)) for attempt in range(1, ATTEMPTS + 1)]

    assert waits[-1] is None
    grown = [wait for wait in waits if wait is not None]
    assert len(grown) == ATTEMPTS - 1
    assert all(2**at * 0.5 <= wait <= 2**at for at, wait in enumerate(grown))


def test_no_wait_is_longer_than_a_minute() -> None:
    assert all((delay(TransientError("x"), 30, random.Random(n), attempts=99) or 0) <= 60 for n in range(50))
    assert delay(RateLimitError("x", wait=86_400), 1, random.Random(1)) == 60


@pytest.mark.parametrize("error", [RateLimitError("x", wait=7.5), TransientError("x", wait=7.5)])
def test_a_wait_the_provider_asked_for_is_kept(error: ModelError) -> None:
    assert delay(error, 1, random.Random(1)) == 7.5


@pytest.mark.parametrize("wait", [-5.0, 0.0, float("nan"), float("inf")])
def test_nonsense_from_the_provider_falls_back_to_our_own_wait(wait: float) -> None:
    found = delay(RateLimitError("x", wait=wait), 1, random.Random(1))

    assert found is not None
    assert 0.5 <= found <= 1


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "1e400"}, None),
        ({"retry-after": "99999999999"}, 99999999999),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:00 GMT"}, 50),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:05 GMT"}, None),
        ({"retry-after": "Thu, 99 Foo 1970 00:00:05 GMT"}, None),
    ],
)
def test_retry_after_is_read_in_every_form_it_comes_in(
    headers: dict[str, str], expected: float | None
) -> None:
    assert asked_wait(headers, now=10) == expected
