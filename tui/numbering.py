"""Sends the 256 colours by their numbers: left to itself Rich takes the neighbours of half of the greys."""

from __future__ import annotations

from functools import cache, lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_STEPS = {0: 0, 95: 1, 135: 2, 175: 3, 215: 4, 255: 5}


class Numbering(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 as Textual calls it
        return [Segment(text, style and _numbered(style), control) for text, style, control in segments]


NUMBERING = Numbering()


@lru_cache(4096)
def _numbered(style: Style) -> Style:
    front, back = _number(style.color), _number(style.bgcolor)
    return style + Style(color=front, bgcolor=back) if front or back else style


@cache
def _number(colour: RichColor | None) -> RichColor | None:
    """None where it has no number: mixed colours are nobody's choice."""
    if colour is None or colour.triplet is None:
        return None
    red, green, blue = colour.triplet
    if red in _STEPS and green in _STEPS and blue in _STEPS:
        return RichColor.from_ansi(16 + 36 * _STEPS[red] + 6 * _STEPS[green] + _STEPS[blue])
    if red == green == blue and red % 10 == 8 and red <= 238:
        return RichColor.from_ansi(232 + (red - 8) // 10)
    return None
