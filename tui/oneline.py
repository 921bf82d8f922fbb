"""Foreign text as one short line, for places that have no more room."""

from __future__ import annotations

from agent.permissions.display import display

_LONGEST = 120


def one_line(text: str) -> str:
    line = display(" ".join(text.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
