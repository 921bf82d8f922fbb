from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.permissions.errors import PermissionsError
from agent.permissions.rules import Rule, by_weight, escape, parse_rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("shell git log*", Rule("shell", "git log*")),
        ("deny shell rm *", Rule("shell", "rm *", "deny")),
        ("ask edit src/**", Rule("edit", "src/**", "ask")),
        ("  allow   shell   ls  ", Rule("shell", "ls")),
        ("deny fetch", Rule("fetch", "*", "deny")),
    ],
)
def test_a_rule_reads_as_it_is_written(text: str, rule: Rule) -> None:
    assert parse_rule(text) == rule


@pytest.mark.parametrize("text", ["", "shell", "allow", "deny "])
def test_half_a_rule_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(PermissionsError, match="TOOL PATTERN"):
        parse_rule(text)


@pytest.mark.parametrize(
    ("pattern", "text", "matching"),
    [
        ("ls *", "ls", True),
        ("ls *", "ls -la", True),
        ("ls *", "lsof", False),
        ("git log*", "git log --oneline", True),
        ("git log*", "git status", False),
        ("ls", "ls -la", False),
        (r"ls \*", "ls *", True),
        (r"ls \*", "ls a", False),
        ("a.c", "abc", False),
        ("[a]", "a", False),
    ],
)
def test_a_star_is_the_only_wildcard(pattern: str, text: str, matching: bool) -> None:
    assert Rule("shell", pattern).matches(text) is matching


@given(st.text())
def test_an_escaped_text_is_exact_and_matches_itself(text: str) -> None:
    rule = Rule("shell", escape(text))

    assert rule.exact
    assert rule.matches(text)


@given(st.text(alphabet="ab*\\ "), st.text(alphabet="ab*\\ "))
def test_an_escaped_text_matches_nothing_else(text: str, other: str) -> None:
    assert Rule("shell", escape(text)).matches(other) is (text == other)


def test_a_later_layer_outweighs_a_longer_pattern_of_an_earlier_one() -> None:
    broad, narrow = (
        Rule("shell", "git *", "ask", "session"),
        Rule("shell", "git log --oneline", layer="global"),
    )

    assert by_weight([narrow, broad])[0] is broad


def test_asking_outweighs_allowing_when_all_else_is_equal() -> None:
    allowing, asking = Rule("shell", "git *"), Rule("shell", "git *", "ask")

    assert by_weight([allowing, asking])[0] is asking
