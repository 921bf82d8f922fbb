"""Foreign text as one short line, for places that have no more room."""

from __future__ import annotations

from tui.escapes import safe

_LONGEST = 120


def one_line(text: str, longest: int = _LONGEST) -> str:
    """What is to be approved is spelled by `permissions.display` instead."""
    line = " ".join(safe(text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
