"""Questions as lines above the prompt, whole and once."""

from __future__ import annotations

from rich.cells import chop_cells
from rich.text import Text

from agent.events import QuestionAsked
from agent.permissions.display import display_diff
from tui.asking import title, told
from tui.escapes import safe
from tui.repl.paper import Paper
from tui.transcript.differences import counts


def question_text(asked: QuestionAsked, paper: Paper, *, words: bool = False) -> str:
    """Printed whole and once, however long: what is approved is what is shown."""
    palette = paper.palette
    bar = "" if words else paper.spelled("▌ ")
    rows = [(title(asked) + _counted(asked.diff, paper), f"bold {palette.waiting}")]
    detail, reason = told(asked)
    rows += [(row, "") for row in detail]
    rows += [(reason, palette.faint)] if reason else []
    rows += _change(asked.diff, paper)
    if asked.purpose == "ask_user":
        rows += [(f"{choice.key}  {safe(choice.label)}", "") for choice in asked.choices]
    lines = [line for row, style in rows for line in _wrapped(row, style, paper.width - len(bar))]
    return "\n" + paper.show(Text("\n").join(Text.assemble((bar, palette.waiting), line) for line in lines))


def _counted(diff: str, paper: Paper) -> str:
    if not diff:
        return ""
    plus, minus = counts(diff)
    return paper.spelled(f" +{plus} −{minus}")


def _change(diff: str, paper: Paper) -> list[tuple[str, str]]:
    """What would be taken away and put in its place."""
    palette = paper.palette
    styles = {"-": palette.bad, "+": palette.good, "@": palette.faint}
    return [(row, styles.get(row[:1], "")) for row in display_diff(diff).splitlines()]


def _wrapped(row: str, style: str, room: int) -> list[Text]:
    return [Text(piece, style) for piece in chop_cells(row, room) or [""]]
