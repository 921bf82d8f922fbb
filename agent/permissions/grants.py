"""Turns a person's answer into a rule that outlives the question, no wider than what was shown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Literal

from agent.permissions import git, programs
from agent.permissions.bash import read_line
from agent.permissions.project_tools import PROJECT_TOOLS, job_length
from agent.permissions.rules import Rule, escape
from agent.permissions.shapes import ShapeError
from agent.tools.tool import Access
from store.frozen import frozen
from store.records import Grant, Verdict

Answer = Literal["once", "session", "always", "no"]


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
    """Offer `git log *` or `npm test *`; nothing where such a rule would not free the command."""
    line = read_line(command)
    if line.puzzle or len(line.commands) != 1:
        return ""
    words = line.commands[0].words
    texts = [word.text for word in words]
    if texts[0] == "git":
        freed = len(texts) > 1 and not git.objection(texts, " ".join(texts[:2]))
        return f"{escape(' '.join(texts[:2]))} *" if freed and not texts[1].startswith("-") else ""
    name = texts[0].rpartition("/")[2]
    length = job_length(name, texts) if name in PROJECT_TOOLS else 0
    prefix = " ".join(texts[:length])
    try:
        programs.known_uses(words, f"{prefix} ")
    except ShapeError:
        return ""
    return f"{escape(prefix)} *" if prefix else ""
