from __future__ import annotations

import pytest

from agent.permissions.grants import Answer, NewGrant, grant, suggestions, to_rules
from agent.permissions.paths import Places
from agent.permissions.policy import Policy
from agent.permissions.rules import Rule
from agent.tools.tool import Access
from store.records import Grant


@pytest.mark.parametrize(
    ("access", "subject", "patterns"),
    [
        ("shell", "git log --oneline", ("git log --oneline", "git log *")),
        ("shell", "npm test", ("npm test", "npm test *")),
        ("shell", "pytest -x", ("pytest -x", "pytest *")),
        ("shell", "bash build.sh", ("bash build.sh",)),
        ("shell", "ls > x", ("ls > x",)),
        ("shell", "a; b", ("a; b",)),
        ("shell", "grep 'a*' x", (r"grep 'a\*' x",)),
        ("shell", "git push origin", ("git push origin",)),
        ("shell", "cat /etc/hosts", ("cat /etc/hosts",)),
        ("shell", "cc -o x y.c", ("cc -o x y.c",)),
        ("shell", "make test -j4", ("make test -j4", "make test *")),
        ("shell", "npm run lint", ("npm run lint", "npm run lint *")),
        ("shell", "npm install x", ("npm install x",)),
        ("shell", "git -C x log", ("git -C x log",)),
        ("edit", "src/deep/a.py", ("src/deep/a.py", "src/deep/**")),
        ("edit", "a.py", ("a.py",)),
        ("fetch", "https://a.org/b", ("https://a.org/b", "https://a.org/*")),
    ],
)
def test_patterns_are_offered_narrowest_first(
    access: Access, subject: str, patterns: tuple[str, ...]
) -> None:
    assert suggestions(access, subject) == patterns


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("once", None),
        ("no", None),
        ("session", NewGrant("shell", "ls *", "allow", lasting=False)),
        ("always", NewGrant("shell", "ls *", "allow", lasting=True)),
    ],
)
def test_only_lasting_answers_are_kept(answer: Answer, expected: NewGrant | None) -> None:
    assert grant(answer, "shell", "ls *") == expected


def test_grants_become_rules_of_their_layer() -> None:
    stored = [Grant(1, "/ws", "S", "shell", "a *", "allow", 0), Grant(2, "/ws", None, "edit", "b", "deny", 0)]

    assert to_rules(stored) == (Rule("shell", "a *", "allow", "session"), Rule("edit", "b", "deny", "global"))


@pytest.mark.parametrize(
    "command", ["make > log", "pytest -x", "python3 -c 'print(2*3)'", "foo 'a b' *.txt", "a\nb"]
)
def test_always_for_a_command_frees_that_very_command(places: Places, command: str) -> None:
    assert Policy(places).decide("shell", "shell", command).verdict == "ask"

    rule = Rule("shell", suggestions("shell", command)[0])

    assert Policy(places, (rule,)).decide("shell", "shell", command).verdict == "allow"
    assert Policy(places, (rule,)).decide("shell", "shell", f"{command}; touch x").verdict == "ask"
