"""What providers say, sorted into errors the loop can act on."""

import json

import pytest

from agent.models.error_text import plain
from agent.models.failures import from_response
from agent.models.protocol import (
    AuthError,
    BadRequestError,
    ContextOverflowError,
    ModelError,
    RateLimitError,
    RefusedError,
    TransientError,
)


def error(message: str, code: object = None) -> bytes:
    return json.dumps({"error": {"message": message, "code": code}}).encode()


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, error("Your input is too long", "context_length_exceeded"), ContextOverflowError),
        (400, error("prompt is too long: 210000 tokens > 200000 maximum"), ContextOverflowError),
        (
            400,
            error("the request exceeds the available context size, try increasing it"),
            ContextOverflowError,
        ),
        (500, error("input length exceeds the context window"), ContextOverflowError),
        (413, b"too big", ContextOverflowError),
        (400, error("Your request was rejected by our safety system"), RefusedError),
        (403, error("flagged by moderation"), RefusedError),
        (403, error("no access to this model"), AuthError),
        (401, b"", AuthError),
        (404, error("model not found"), BadRequestError),
        (400, error("unknown parameter"), BadRequestError),
        (301, b"<html>", BadRequestError),
        (408, b"", TransientError),
        (502, b"<html>bad gateway</html>", TransientError),
        (500, b"\xff\xfe", TransientError),
        (429, b"null", RateLimitError),
    ],
)
def test_answers_are_sorted_by_what_can_be_done(status: int, body: bytes, kind: type[ModelError]) -> None:
    assert type(from_response("m", status, {}, body)) is kind


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (429, error("You exceeded your current quota", "insufficient_quota")),
        (400, error("Your credit balance is too low to access the API")),
        (402, error("Insufficient credits")),
    ],
)
def test_an_empty_account_is_final(status: int, body: bytes) -> None:
    found = from_response("m", status, {}, body)

    assert isinstance(found, RateLimitError)
    assert found.final


@pytest.mark.parametrize(
    ("message", "wait"),
    [
        ("You exceeded your current quota. Please retry in 12.5s.", 12.5),
        ("Rate limit reached. Please try again in 250ms. Add a payment method to your account.", 0.25),
        ("Slow down", None),
    ],
)
def test_a_limit_per_minute_is_not_final_and_its_wait_is_found_in_the_message(
    message: str, wait: float | None
) -> None:
    found = from_response("m", 429, {}, error(message))

    assert isinstance(found, RateLimitError)
    assert (found.wait, found.final) == (wait, False)


def test_an_unavailable_server_may_ask_for_a_wait() -> None:
    found = from_response("m", 503, {"retry-after": "9"}, b"")

    assert isinstance(found, TransientError)
    assert found.wait == 9


@pytest.mark.parametrize(
    "body",
    [
        b'[{"error": {"message": "the words"}}]',
        b'{"error": "the words"}',
        b'{"detail": "the words"}',
        b"the words",
    ],
)
def test_the_words_of_the_provider_are_found_in_every_shape(body: bytes) -> None:
    assert "the words" in str(from_response("m", 400, {}, body))


@pytest.mark.parametrize(
    "key", ["sk-ant-api03-abcdefgh", "AIzaSyA1234567890", "gsk_abcdefgh1234", "Bearer abc.def"]
)
def test_messages_are_one_bounded_line_without_keys(key: str) -> None:
    line = plain(f"wrong\nkey {key} " + "x" * 999)

    assert key not in line
    assert "\n" not in line
    assert len(line) == 300


def test_a_key_that_is_hardly_one_leaves_the_words_of_the_provider_alone() -> None:
    words = str(from_response("m", 400, {}, b'{"error": "the maximum is exceeded"}', key="x"))

    assert "the maximum is exceeded" in words
