from __future__ import annotations

from pathlib import Path

from agent.permissions.rules import parse_rules
from agent.permissions.trust import trust, trusted_rules


def test_an_unknown_folder_is_not_trusted_and_says_what_to_do() -> None:
    answer = trust(Path("/some/repo"), None)

    assert not answer.trusted
    assert "wakeful trust /some/repo" in answer.notice


def test_a_trusted_folder_says_nothing() -> None:
    answer = trust(Path("/some/repo"), 1)

    assert answer.trusted
    assert answer.notice == ""


def test_a_project_may_narrow_but_never_widen() -> None:
    rules = parse_rules(["allow shell *", "deny shell rm *", "ask edit docs/**"])

    assert [rule.verdict for rule in trusted_rules(rules)] == ["deny", "ask"]
