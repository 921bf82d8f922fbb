"""Turns a person's answer into a rule that outlives the question, no wider than what was shown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Literal

from agent.permissions import programs
from agent.permissions.bash import read_line
from agent.permissions.rules import Rule, escape
from agent.tools.tool import Access
from store.frozen import frozen
from store.records import Grant, Verdict

Answer = Literal["once", "session", "always", "no"]

# Words after these say what is done, so that `git log *` is offered and never `git *`.
_WITH_SUBCOMMANDS = frozenset({"git", *programs.RUNNERS})


@frozen
class NewGrant:
    """What the store is to keep; `lasting` outlives the session."""

    tool: str
    pattern: str
    verdict: Verdict
    lasting: bool


def grant(answer: Answer, tool: str, pattern: str) -> NewGrant | None:
    """`once` and `no` leave nothing behind: the next call is asked about again."""
    if answer in ("once", "no"):
        return None
    return NewGrant(tool, pattern, "allow", answer == "always")


def to_rules(grants: Iterable[Grant]) -> tuple[Rule, ...]:
    """An answer for ever ranks with the person's own rules, one for the session above them."""
    return tuple(
        Rule(given.tool, given.pattern, given.verdict, "session" if given.session_id else "global")
        for given in grants
    )


def suggestions(access: Access, subject: str) -> tuple[str, ...]:
    """Patterns to offer with an answer, the narrowest first; each one would really free this call's kind."""
    exact = escape(subject)
    match access:
        case "shell":
            wider = _command_prefix(subject)
        case "read" | "edit":
            folder = PurePosixPath(subject).parent.as_posix()
            wider = "" if folder == "." else f"{escape(folder)}/**"
        case "fetch":
            scheme, mark, rest = subject.partition("://")
            host = rest.partition("/")[0]
            wider = f"{scheme}://{escape(host)}/*" if mark and host and "@" not in host else ""
        case "none":
            wider = "*"
    return (exact, wider) if wider and wider != exact else (exact,)


def _command_prefix(command: str) -> str:
    line = read_line(command)
    if line.puzzle or len(line.commands) != 1:
        return ""
    words = [word.text for word in line.commands[0].words]
    name = programs.base_name(words[0])
    depth = 2 if name in _WITH_SUBCOMMANDS else 1
    prefix = words[:depth]
    plain = len(prefix) == depth and not any(word.startswith("-") or " " in word for word in prefix)
    if name in programs.UNFREED or not plain:
        return ""
    return escape(" ".join(prefix)) + " *"
