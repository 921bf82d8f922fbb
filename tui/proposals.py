"""What a call would do, as lines to read before it is allowed: nothing is hidden, moved or blurred."""

from __future__ import annotations

from agent.events import QuestionAsked
from agent.permissions.display import display_diff
from tui.escapes import safe
from tui.transcript.diffs import diff_lines
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line, fold


def headline(question: QuestionAsked) -> str:
    prompt = safe(question.prompt)
    return f"May the agent {prompt}?" if question.purpose == "permission" else prompt


def proposal(question: QuestionAsked, width: int, ink: Ink, fill: str) -> list[Line]:
    lines: list[Line] = []
    for row in safe(question.detail).split("\n"):
        if row and row not in question.prompt:
            reason = row.startswith("(") and row.endswith(")")
            lines += fold([(row, ink.style("dim" if reason else "text", fill))], max(1, width))
    if question.diff:
        lines += diff_lines(display_diff(question.diff), max(1, width), ink, fill)
    return lines
