from __future__ import annotations

import pytest

from agent.secrets import Redactor


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("key canary-123456 sent", "key [redacted] sent"),
        ("Authorization: Bearer abcdefgh.123", "Authorization: Bearer [redacted]"),
        ("sk-abcdefghijklmnopqrstuv was refused", "[redacted] was refused"),
        ("http://ada:hunter2@host/path", "http://[redacted]@host/path"),
        ('API_KEY="a1b2c3d4e5f6a7b8c9"', 'API_KEY="[redacted]"'),
        ("password: hunter2hunter2hunter2", "password: [redacted]"),
        ("github_pat_11AAAAAAA0123456789abcdef is one", "[redacted] is one"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w", "[redacted]"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest", "[redacted]\nrest"),
        ("nothing to hide, skating rink", "nothing to hide, skating rink"),
        ("token = parse_the_next_token(text)", "token = parse_the_next_token(text)"),
        ("the key: well documented", "the key: well documented"),
    ],
)
def test_secrets_are_replaced_wherever_they_stand(text: str, clean: str) -> None:
    environment = {"SOME_API_KEY": "canary-123456", "EMPTY_KEY": "", "SHORT_TOKEN": "rink"}

    assert Redactor(environment)(text) == clean


def test_a_secret_inside_a_longer_one_leaves_no_rest() -> None:
    redact = Redactor({}, ["inner-secret", "my-inner-secret-too"])

    assert redact("x my-inner-secret-too y") == "x [redacted] y"
