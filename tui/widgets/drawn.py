"""A widget of a few lines, drawn like the transcript: runs of text in the theme's ink, no markup anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from tui.clipping import clipped
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells, strip


class Drawn(Widget):
    """Derive, say what the `rows` are, and call `refresh` when they change."""

    FILL = "page"

    def __init__(self, ink: Ink, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.ink = ink

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        raise NotImplementedError

    def wear(self, ink: Ink) -> None:
        self.ink = ink
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        rows = self.rows(width)
        blank = self.ink.style("text", self.FILL)
        return strip(rows[y] if y < len(rows) else (), width, blank)


def spread(left: Sequence[Run], right: Sequence[Run], width: int, ink: Ink, fill: str = "page") -> list[Run]:
    """Left and right on one line; where both do not fit the right one goes, then the left is cut."""
    room = width - cells(left) - cells(right)
    blank = ink.style("text", fill)
    if room >= 1:
        return [*left, (" " * room, blank), *right]
    return cut(left, width, ink)


def cut(runs: Sequence[Run], width: int, ink: Ink) -> list[Run]:
    found: list[Run] = []
    for text, style in runs:
        room = width - cells(found)
        if cell_len(text) > room:
            return [*found, (clipped(text, room, ink.glyphs.ellipsis), style)] if room > 0 else found
        found.append((text, style))
    return found
