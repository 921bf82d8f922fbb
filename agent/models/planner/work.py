"""What a job of the planner is made of: items that ask tools for something and say how it went."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from typing import Protocol

from store.frozen import frozen

# Refusals are plain text to a model; these are the words they begin or go on with.
_REFUSED = re.compile(
    r"\A(?:the user refused\b|(?:read|glob|grep|shell|todo\w*|task_\w+) .*?"
    r"(?: is not allowed: | needs the user's consent\b))"
)
_ENDING = re.compile(r"\n?\((?:exit code (?P<code>\d+)|(?P<killed>killed after [^\n]*)|no output)\)\s*\Z")


@frozen
class Ask:
    tool: str
    arguments: dict[str, object]


@frozen
class Answer:
    text: str

    @property
    def refused(self) -> bool:
        return _REFUSED.match(self.text) is not None

    @property
    def failed(self) -> bool:
        # A command may print such words itself; then its exit code follows.
        erred = self.text.startswith(("Error:", "ERR:")) and _ENDING.search(self.text) is None
        return self.refused or erred

    @property
    def reason(self) -> str:
        """The first line of what went wrong."""
        lines = self.text.strip().splitlines() or ["no answer"]
        return lines[0].removeprefix("Error: ").removeprefix("ERR: ")[:300]

    def lines(self) -> list[str]:
        return [line for line in self.text.splitlines() if line.strip()]


@frozen
class Ran:
    """What a command printed and how it ended; `code` is None when it was killed."""

    output: str
    code: int | None


Work = Generator[tuple[Ask, ...], tuple[Answer, ...], str]
"""Asks, is answered, and returns why it could not be done; nothing when it was."""


@frozen
class Item:
    title: str
    work: Callable[[], Work]


class Job(Protocol):
    """One request being carried out. Its items run in order; what they find goes into the report."""

    @property
    def aim(self) -> str:
        """Completes the sentence "I am going to …"."""
        ...

    @property
    def items(self) -> tuple[Item, ...]: ...

    def report(self) -> str:
        """Markdown, made of what the tools returned."""
        ...


def no_asks() -> Work:
    """The work of an item that only puts together what is known by now."""
    yield from ()
    return ""


def read_run(answer: Answer) -> Ran:
    ending = _ENDING.search(answer.text)
    if ending is None:
        return Ran(answer.text, 0)
    output = answer.text[: ending.start()]
    if ending["killed"]:
        return Ran(f"{output}\n{ending['killed']}".strip(), None)
    return Ran(output, int(ending["code"] or 0))
