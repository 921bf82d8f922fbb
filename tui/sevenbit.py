"""The last step before a terminal without Unicode: signs of our own that are left become ASCII."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from tui.escapes import SPELLED

# One cell each, so that nothing moves.
_SIGNS = SPELLED | str.maketrans("…→←↓↑▸▾▎▏◦▪", "~><v^>v||-+")
# How a scroll bar draws parts of a cell, by eighths from below.
_EIGHTHS = "▁▂▃▄▅▆▇"


class SevenBit(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        del background
        return [segment if segment.text.isascii() else _plain(segment) for segment in segments]


SEVEN_BIT = SevenBit()


def _plain(segment: Segment) -> Segment:
    text, style, control = segment
    if text[:1] in _EIGHTHS:
        # Half a cell or more counts as a whole one, in the colour it would have been drawn in.
        full = _EIGHTHS.index(text[0]) >= len(_EIGHTHS) // 2
        painted = style + Style(bgcolor=style.color) if style and full and style.color else style
        return Segment(" " * len(text), painted, control)
    return Segment(text.translate(_SIGNS), style, control)
