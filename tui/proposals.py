"""What a call would do, as lines to read before it is allowed: nothing is hidden, moved or blurred."""

from __future__ import annotations

import re
from typing import NamedTuple

from rich.style import Style

from agent.events import QuestionAsked
from agent.permissions.display import display_diff
from tui.asking import title, told
from tui.transcript.differences import counts
from tui.transcript.diffs import Change, located
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line, Run, fold, wrap


class Shown(NamedTuple):
    """`change` is where the first change of a diff stands among the lines."""

    lines: list[Line]
    change: Change | None


def headline(question: QuestionAsked, width: int, ink: Ink, fill: str) -> list[Line]:
    words = ink.style("waiting", fill, "bold")
    text = title(question)
    if question.purpose == "permission":
        # What it is about begins and ends where its colour does.
        verb, blank, subject = text.removesuffix("?").partition(" ")
        runs = [(f"{verb}{blank}", words)]
        runs += [*_marked(subject, ink.style("text", fill, "bold"), ink, fill), ("?", words)]
    else:
        runs = _marked(text, words, ink, fill)
    if question.diff:
        plus, minus = counts(question.diff)
        runs += [
            (f" +{plus}", ink.style("ok", fill)),
            (f" {ink.glyphs.minus}{minus}", ink.style("error", fill)),
        ]
    return wrap(runs, max(1, width))


def proposal(question: QuestionAsked, width: int, ink: Ink, fill: str) -> Shown:
    rows, reason = told(question)
    width = max(1, width)
    lines: list[Line] = []
    for row in rows:
        lines += fold(_marked(row, ink.style("text", fill), ink, fill), width)
    if reason:
        lines += wrap([(reason, ink.style("dim", fill))], width)
    if not question.diff:
        return Shown(lines, None)
    drawn, change = located(display_diff(question.diff), width, ink, fill)
    return Shown(lines + drawn, change and Change(*(len(lines) + at for at in change)))


def _marked(text: str, style: Style, ink: Ink, fill: str) -> list[Run]:
    """Where a line of the command ends is told apart from where the screen does."""
    dim = ink.style("dim", fill)
    return [(piece, dim if piece == "⏎" else style) for piece in re.split("(⏎)", text) if piece]
