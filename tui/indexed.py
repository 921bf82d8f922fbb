"""A theme in the 256 colours of a terminal that has no more: fills stay apart, and red stays red."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import atan2, degrees, dist, hypot
from typing import NamedTuple

from tui.theme import FILLS, LINES, SURFACES, TEXTS, TINTS, TOKENS, Paint, Palette

_STEPS = (0, 95, 135, 175, 215, 255)
_GREYS = range(8, 239, 10)
# What text needs of its fill to be read (WCAG AA).
_READABLE = 4.5
# How many neighbours of a grey are tried, to either side.
_AROUND = 4
# Degrees of hue that count as much as black from white does, and how faint a colour has none to keep.
_HUES_APART = 600
_FAINT = 0.05
# What has to be told apart by its colour.
_SIGNALS = ("error", "waiting", "ok", "accent", "text", "dim")


class _Colour(NamedTuple):
    """`place` is that in Oklab, where what looks alike is near."""

    code: str
    place: tuple[float, float, float]
    hue: float
    chroma: float
    luminance: float
    # The channel that gives it its name; None where two are equal.
    strongest: int | None

    @property
    def grey(self) -> bool:
        return self.code[1:3] == self.code[3:5] == self.code[5:7]


def indexed(palette: Palette) -> Palette:
    """Left alone, dark fills with a little colour in them would all become black or the same grey."""
    if not all(palette.paint(role).exact for role in FILLS):
        return palette
    found = _surfaces(palette)
    surfaces = {paint.colour for paint in found.values()}
    for role in TINTS:
        found[role] = _tint(palette, role, found)
    for role in (*_SIGNALS, *TEXTS, *TOKENS):
        if role not in found:
            found[role] = _text(palette, role, found)
    for role in LINES:
        found[role] = _line(palette.paint(role), surfaces)
    return palette._replace(**found, legible=legible)


@cache
def legible(front: Paint, back: Paint) -> Paint:
    """The nearest to it that can be read on a fill."""
    if not (front.exact and back.exact):
        return front
    wanted, fill = _colour(front.colour), _colour(back.colour)
    return front._replace(colour=_nearest(wanted, _readable(_table(), fill, fill, _READABLE)).code)


def _surfaces(palette: Palette) -> dict[str, Paint]:
    """Greys, since all of the cube that is as dark or as light as a page is far too colourful for one."""
    wanted = {role: _colour(palette.paint(role).colour) for role in SURFACES}
    # What the user said stands on the page alone: it may look like another thing that does.
    apart = sorted({wanted[role] for role in SURFACES if role != "user"}, key=lambda one: one.place)
    greys = [one for one in _table() if one.grey]
    middle = min(range(len(greys)), key=lambda at: abs(greys[at].place[0] - apart[0].place[0]))
    low = max(0, min(middle - _AROUND, len(greys) - 2 * _AROUND - 1))
    chosen = min(
        combinations(greys[low : low + 2 * _AROUND + 1], len(apart)),
        key=lambda some: sum((a.place[0] - b.place[0]) ** 2 for a, b in zip(some, apart, strict=True)),
    )
    taken = dict(zip(apart, chosen, strict=True))
    like = _nearest(wanted["user"], [one for one in apart if one != wanted["page"]] or apart)
    taken.setdefault(wanted["user"], taken[like])
    return {role: palette.paint(role)._replace(colour=taken[wanted[role]].code) for role in SURFACES}


def _tint(palette: Palette, role: str, found: dict[str, Paint]) -> Paint:
    paint = palette.paint(role)
    wanted = _colour(paint.colour)
    extreme = _colour("#ffffff" if palette.dark else "#000000")
    taken = {each.colour for each in found.values()}
    free = [one for one in _readable(_table(), extreme, extreme, _READABLE) if one.code not in taken]
    if row := found.get(role.removesuffix("_word")):
        # A word that changed stands out of its line, in a colour of the same family.
        line = _colour(row.colour)
        free = [one for one in free if _contrast(one, extreme) < _contrast(line, extreme)] or free
        wanted = wanted._replace(hue=line.hue, chroma=line.chroma)
    if role == "selection":
        return paint._replace(colour=min(free, key=lambda one: dist(one.place, wanted.place)).code)
    return paint._replace(colour=_nearest(wanted, _alike(wanted, free)).code)


def _text(palette: Palette, role: str, found: dict[str, Paint]) -> Paint:
    """As readable on every surface as the theme has it."""
    paint = palette.paint(role)
    if not paint.exact:
        return paint
    wanted = _colour(paint.colour)
    least = min(_READABLE, *(_contrast(wanted, _colour(palette.paint(fill).colour)) for fill in SURFACES))
    backs = sorted((_colour(found[fill].colour) for fill in SURFACES), key=lambda one: one.luminance)
    free = _readable(_table(), backs[0], backs[-1], least)
    if role in _SIGNALS:
        taken = {found[other].colour for other in _SIGNALS if other in found}
        free = [one for one in free if one.code not in taken] or free
    if role in ("ok", "error"):
        free = _alike(wanted, free)
    return paint._replace(colour=_nearest(wanted, free).code)


def _line(paint: Paint, surfaces: set[str]) -> Paint:
    if not paint.exact:
        return paint
    free = [one for one in _table() if one.grey and one.code not in surfaces]
    return paint._replace(colour=_nearest(_colour(paint.colour), free).code)


def _readable(
    colours: Sequence[_Colour], darkest: _Colour, lightest: _Colour, least: float
) -> Sequence[_Colour]:
    """Those that stand out from all fills between two; where none does, those that do so most."""
    above = least * (lightest.luminance + 0.05) - 0.05
    below = (darkest.luminance + 0.05) / least - 0.05
    found = [one for one in colours if one.luminance >= above or one.luminance <= below]
    return found or [max(colours, key=lambda one: min(_contrast(one, darkest), _contrast(one, lightest)))]


def _alike(wanted: _Colour, colours: Sequence[_Colour]) -> Sequence[_Colour]:
    """Those that anybody would call by the same name: red, green or blue."""
    return [one for one in colours if one.strongest == wanted.strongest is not None] or colours


def _nearest(wanted: _Colour, colours: Sequence[_Colour]) -> _Colour:
    place, hue = wanted.place, wanted.hue
    if wanted.chroma < _FAINT:
        return min(colours, key=lambda one: dist(one.place, place))
    coloured = [one for one in colours if not one.grey] or colours
    return min(
        coloured,
        key=lambda one: dist(one.place, place) + abs((one.hue - hue + 180) % 360 - 180) / _HUES_APART,
    )


def _contrast(one: _Colour, other: _Colour) -> float:
    darker, lighter = sorted((one.luminance, other.luminance))
    return (lighter + 0.05) / (darker + 0.05)


@cache
def _table() -> tuple[_Colour, ...]:
    cube = {(red, green, blue) for red in _STEPS for green in _STEPS for blue in _STEPS}
    greys = {(grey, grey, grey) for grey in _GREYS}
    return tuple(_colour("#{:02x}{:02x}{:02x}".format(*each)) for each in sorted(cube | greys))


@cache
def _colour(code: str) -> _Colour:
    red, green, blue = (int(code[at : at + 2], 16) for at in (1, 3, 5))
    r, g, b = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
        for each in (red / 255, green / 255, blue / 255)
    )
    # https://bottosson.github.io/posts/oklab
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    place = (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )
    hue, chroma = degrees(atan2(place[2], place[1])), hypot(place[1], place[2])
    most = max(red, green, blue)
    strongest = (red, green, blue).index(most) if (red, green, blue).count(most) == 1 else None
    return _Colour(code, place, hue, chroma, 0.2126 * r + 0.7152 * g + 0.0722 * b, strongest)
