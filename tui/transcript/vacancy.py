"""Draws what stands in a conversation in which nothing was said yet, in its middle."""

from __future__ import annotations

from textual.strip import Strip

from tui.transcript.cards import blank
from tui.transcript.entries import Printed
from tui.transcript.ink import Ink
from tui.transcript.printed import printed_lines
from tui.transcript.renderer import GUTTER
from tui.transcript.wrapping import cells, strip

# The eye's middle lies above that of the screen.
_ABOVE = 0.4


def vacancy(body: Printed, width: int, height: int, ink: Ink) -> list[Strip]:
    """As many lines as there is room for."""
    lines = printed_lines(body, max(1, width - 2 * GUTTER), ink)
    left = max(GUTTER, (width - max((cells(line.runs) for line in lines), default=0)) // 2)
    above = int(max(0, height - len(lines)) * _ABOVE)
    gutter = (" " * left, ink.gutter())
    drawn = [strip([gutter, *line.runs], width, ink.style()) for line in lines[:height]]
    return [*[blank(width, ink)] * above, *drawn, *[blank(width, ink)] * (height - above - len(drawn))]
