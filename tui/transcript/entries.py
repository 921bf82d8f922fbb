"""What a transcript is made of, as the app hands it over."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from store.frozen import frozen
from store.records import ToolStatus
from tui.escapes import safe

# All but line feed and tab, which are blanks.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

StreamKind = Literal["text", "reasoning"]


@frozen
class UserMessage:
    text: str
    label: str = ""


@frozen
class AssistantText:
    text: str


@frozen
class Reasoning:
    """What is read when somebody wants to; `title` is what it is when it is no thought."""

    text: str
    thinking: bool = False
    title: str = ""


@frozen
class ToolCall:
    """`preview` is how many lines of the output are shown while it is folded; a diff is always shown.

    `tally` is what came of it in a few words, beside the time it took.
    """

    verb: str
    subject: str = ""
    status: ToolStatus = "running"
    duration_ms: int | None = None
    output: str = ""
    diff: str = ""
    preview: int = 3
    tally: str = ""


@frozen
class Notice:
    text: str
    level: Literal["info", "warning", "done"] = "info"


@frozen
class Failure:
    text: str
    hint: str = ""


Cell = tuple[str, str]
"""Text, and the role of the palette it is painted in."""


@frozen
class Printed:
    """What a command answered."""

    rows: tuple[tuple[Cell, ...], ...]


Body = UserMessage | AssistantText | Reasoning | ToolCall | Notice | Failure | Printed


@frozen
class Entry:
    """`id` is unique in the transcript; `message` groups what a retry takes back together."""

    id: str
    body: Body
    message: int = 0


def source(body: Body) -> str:
    """What is copied: the text as it was written, not as it is drawn."""
    match body:
        case ToolCall():
            return "\n".join(filter(None, (f"{body.verb} {body.subject}".rstrip(), body.output, body.diff)))
        case Failure():
            return "\n".join(filter(None, (body.text, body.hint)))
        case Printed():
            return "\n".join("  ".join(text for text, _ in row) for row in body.rows)
        case _:
            return body.text


def searched(body: Body) -> str:
    """The source without what is never drawn of it."""
    if isinstance(body, ToolCall) and body.diff:
        lines = (line for line in body.diff.split("\n") if not line.startswith(("--- ", "+++ ", "@@ ")))
        body = replace(body, diff="\n".join(lines))
    return source(body)


def filtered(body: Body) -> Body:
    """Without anything that could act on the terminal."""
    match body:
        case ToolCall():
            return replace(
                body,
                verb=_line(body.verb),
                subject=_line(body.subject),
                tally=_line(body.tally),
                output=safe(body.output),
                diff=safe(body.diff),
            )
        case Failure():
            return replace(body, text=safe(body.text), hint=safe(body.hint))
        case UserMessage():
            return replace(body, text=safe(body.text), label=_line(body.label))
        case Printed():
            return Printed(tuple(tuple((safe(text), role) for text, role in row) for row in body.rows))
        case _:
            return replace(body, text=safe(body.text))


def _line(text: str) -> str:
    """What is the name of something keeps what it would hide, as a question spells it."""
    spelled = _CONTROLS.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)
    return " ".join(safe(spelled).split())
