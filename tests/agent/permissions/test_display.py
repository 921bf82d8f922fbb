from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.permissions.display import display, is_honest


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("ls -la", "ls -la"),
        ("ls\x1b[2K", "ls⟨U+001B⟩[2K"),
        ("touch x #\rls", "touch x #⟨U+000D⟩ls"),
        ("l\u200bs", "l⟨U+200B⟩s"),
        ("ls \u202eabc", "ls ⟨U+202E⟩abc"),
        ("ls \U000e0063", "ls ⟨U+E0063⟩"),
        ("ls \uff1b x", "ls ⟨U+FF1B⟩ x"),
        ("\u0441at x", "⟨U+0441⟩at x"),
        ("echo привет", "echo привет"),
        ("ls" + " " * 100 + "; rm x", "ls⟨100 spaces⟩; rm x"),
        ("a\nb", "a⏎\nb"),
        ("a\u00a0b", "a⟨U+00A0⟩b"),
        ("\\x1b", "\\x1b"),
        ("⟨U+001B⟩", "⟨U+27E8⟩U+001B⟨U+27E9⟩"),
    ],
)
def test_what_hides_is_spelled_out(command: str, shown: str) -> None:
    assert display(command) == shown


@given(st.text(), st.text())
def test_no_two_commands_look_the_same(one: str, other: str) -> None:
    assert (display(one) == display(other)) is (one == other)


def test_only_plain_text_is_honest() -> None:
    assert is_honest("ls -la\npwd")
    assert not is_honest("ls\x1b[0m")
