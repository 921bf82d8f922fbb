"""What a call would do, as lines to read before it is allowed: nothing is hidden, moved or blurred."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.events import QuestionAsked
from agent.permissions.display import display
from tui.escapes import safe
from tui.transcript.diffs import diff_lines
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line, fold

_INDENT = re.compile(r"[+-]?[ \t]{1,40}(?=\S)")
_CHANGING = frozenset({"edit", "write", "patch"})


def headline(question: QuestionAsked) -> str:
    prompt = safe(question.prompt)
    return f"May the agent {prompt}?" if question.purpose == "permission" else prompt


def proposal(
    question: QuestionAsked, arguments: Mapping[str, Any], width: int, ink: Ink, fill: str
) -> list[Line]:
    lines: list[Line] = []
    for row in safe(question.detail).split("\n"):
        if row and row not in question.prompt:
            reason = row.startswith("(") and row.endswith(")")
            lines += fold([(row, ink.style("dim" if reason else "text", fill))], max(1, width))
    if question.tool in _CHANGING and (diff := _change(question.tool, arguments)):
        lines += diff_lines(diff, max(1, width), ink)
    return lines


def _change(tool: str, arguments: Mapping[str, Any]) -> str:
    if tool == "patch":
        return _shown(arguments.get("diff"))
    path = display(str(arguments.get("path", "")))
    old = _shown(arguments.get("old")).splitlines()
    new = _shown(arguments.get("new", arguments.get("content"))).splitlines()
    from difflib import unified_diff

    return "\n".join(unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="", n=3))


def _shown(value: object) -> str:
    return "\n".join(map(_line, value.split("\n"))) if isinstance(value, str) else ""


def _line(text: str) -> str:
    # Blanks that push what follows out of sight are spelled out; how code is indented is not one of them.
    indent = _INDENT.match(text)
    return indent[0] + display(text[indent.end() :]) if indent else display(text)
