"""What the plan says when it has nothing to show."""

from __future__ import annotations

from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap


def vacancy(ink: Ink, width: int, *, filtered: bool, focused: bool) -> list[list[Run]]:
    text, dim = ink.style("text", "panel"), ink.style("dim", "panel")
    if filtered:
        said = [("Nothing matches.", text), ("esc shows everything again.", dim)]
    else:
        enter = "n adds a step of your own." if focused else "alt+t goes in here, n adds a step."
        said = [
            ("Nothing planned yet.", text),
            ("", dim),
            ("The agent writes its steps here and ticks them off as it works.", dim),
            ("", dim),
            (enter, dim),
        ]
    lead: Run = (" ", text)
    return [[lead, *line.runs] for run in said for line in wrap([run], max(1, width - 2))]
