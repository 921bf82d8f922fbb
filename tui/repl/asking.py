"""Questions as lines above the prompt, whole and once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.cells import chop_cells
from rich.text import Text

from agent.events import QuestionAsked
from agent.permissions.display import display
from tui.escapes import safe
from tui.repl.paper import Paper


def question_text(
    asked: QuestionAsked, arguments: Mapping[str, Any], paper: Paper, *, words: bool = False
) -> str:
    """Printed whole and once, however long: what is approved is what is shown."""
    palette = paper.palette
    bar = "" if words else paper.spelled("▌ ")
    prompt = safe(asked.prompt)
    if asked.purpose == "permission":
        prompt = f"May the agent {prompt}?"
    rows = [(prompt, f"bold {palette.waiting}")]
    detail = [row for row in safe(asked.detail).split("\n") if row and row not in asked.prompt]
    rows += [(row, palette.faint if row.startswith("(") else "") for row in detail]
    rows += _proposal(asked, arguments, paper)
    if asked.purpose == "ask_user":
        rows += [(f"{choice.key}  {safe(choice.label)}", "") for choice in asked.choices]
    lines = [line for row, style in rows for line in _wrapped(row, style, paper.width - len(bar))]
    return "\n" + paper.show(Text("\n").join(Text.assemble((bar, palette.waiting), line) for line in lines))


def _proposal(asked: QuestionAsked, arguments: Mapping[str, Any], paper: Paper) -> list[tuple[str, str]]:
    """What an edit would take away and put in its place."""
    if asked.tool not in ("edit", "write", "patch"):
        return []
    palette = paper.palette
    rows = [(f"- {row}", palette.bad) for row in _text(arguments, "old")]
    rows += [(f"+ {row}", palette.good) for row in _text(arguments, "new", "content")]
    return rows + [(row, "") for row in _text(arguments, "patch", "diff")]


def _text(arguments: Mapping[str, Any], *names: str) -> list[str]:
    found = next((value for name in names if isinstance(value := arguments.get(name), str)), "")
    return [display(line) for line in found.removesuffix("\n").split("\n")] if found else []


def _wrapped(row: str, style: str, room: int) -> list[Text]:
    return [Text(piece, style) for piece in chop_cells(row, room) or [""]]
