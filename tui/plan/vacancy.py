"""What the plan says when it has nothing to show."""

from __future__ import annotations

from store.frozen import frozen
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap


@frozen
class Ways:
    """The keys that lead on from here."""

    enter: str = "alt+t"
    add: str = "n"
    back: str = "esc"


USUAL = Ways()


def vacancy(ink: Ink, width: int, *, filtered: bool, focused: bool, ways: Ways = USUAL) -> list[list[Run]]:
    text, dim = ink.style("text", "panel"), ink.style("dim", "panel")
    if filtered:
        said = [("Nothing matches.", text), (f"{ways.back} shows everything again.", dim)]
    else:
        add = f"{ways.add} adds a step"
        enter = f"{add} of your own." if focused else f"{ways.enter} goes in here, {add}."
        said = [
            ("Nothing planned yet.", text),
            ("", dim),
            ("The agent writes its steps here and ticks them off as it works.", dim),
            ("", dim),
            (enter, dim),
        ]
    lead: Run = (" ", text)
    return [[lead, *line.runs] for run in said for line in wrap([run], max(1, width - 2))]
