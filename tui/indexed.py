"""A theme in the 256 colours of a terminal that has no more, chosen so that neighbouring fills stay apart."""

from __future__ import annotations

from functools import cache

from tui.theme import FILLS, LINES, TEXTS, TOKENS, Paint, Palette

_STEPS = (0, 95, 135, 175, 215, 255)
_GREYS = range(8, 239, 10)
Colour = tuple[int, int, int]


def indexed(palette: Palette) -> Palette:
    """Left alone, dark fills with a little colour in them would all become black."""
    roles = (*FILLS, *TEXTS, *TOKENS, *LINES)
    return palette._replace(**{role: _nearest(palette.paint(role)) for role in roles})


def _nearest(paint: Paint) -> Paint:
    if not paint.exact:
        return paint
    red, green, blue = (int(paint.colour[at : at + 2], 16) for at in (1, 3, 5))
    found = min(_table(), key=lambda one: (one[0] - red) ** 2 + (one[1] - green) ** 2 + (one[2] - blue) ** 2)
    return paint._replace(colour="#{:02x}{:02x}{:02x}".format(*found))


@cache
def _table() -> tuple[Colour, ...]:
    cube = [(red, green, blue) for red in _STEPS for green in _STEPS for blue in _STEPS]
    return (*cube, *((grey, grey, grey) for grey in _GREYS))
