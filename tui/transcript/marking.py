"""Paints over drawn lines what comes and goes: selection, search, cursor; and reads text back from them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.transcript.ink import Joint
from tui.transcript.wrapping import strip as fitted


def marked(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """Between two characters; what stands beside the text is left alone."""
    segments: list[Segment] = []
    at = 0
    for segment in strip:
        text = segment.text
        low, high = max(0, start - at), max(0, min(len(text), end - at))
        at += len(text)
        if low >= high or is_gutter(segment):
            segments.append(segment)
            continue
        look = (segment.style or Style()) + style
        pieces = ((text[:low], segment.style), (text[low:high], look), (text[high:], segment.style))
        segments += [Segment(piece, each) for piece, each in pieces if piece]
    return Strip(segments, strip.cell_length)


def edged(strip: Strip, glyph: str, style: Style) -> Strip:
    """With a sign in the first column, which every entry leaves free or fills with its own edge."""
    return Strip([Segment(glyph, style), *strip.crop(1, strip.cell_length)], strip.cell_length)


def cornered(strip: Strip, text: str, style: Style, blank: Style) -> Strip:
    """With a few words at its right end."""
    room = strip.cell_length - len(text)
    if room < 0:
        return strip
    kept = [(segment.text, segment.style or blank) for segment in strip.crop(0, room)]
    return fitted([*kept, (text, style)], strip.cell_length, blank)


def copied(lines: Iterable[tuple[Strip, int, int | None]]) -> str:
    """The text of lines, each between two characters, as it was before it was wrapped."""
    pieces: list[str] = []
    for strip, start, end in lines:
        joint = joint_of(strip) if pieces else ""
        if joint:
            pieces[-1] = pieces[-1].rstrip(" ")
        pieces.append(joint + _text(strip, start, end))
    return "".join(pieces).rstrip(" ").strip("\n")


def joint_of(strip: Strip) -> Joint:
    """How a line follows the one above."""
    first = next(iter(strip), None)
    return first.style.meta.get("joint", "\n") if first and first.style else "\n"


def is_gutter(segment: Segment) -> bool:
    style = segment.style
    return style is not None and "gutter" in style.meta


def _text(strip: Strip, start: int, end: int | None) -> str:
    """Without what stands beside it."""
    parts: list[str] = []
    at = 0
    for segment in strip:
        if not is_gutter(segment):
            parts.append(segment.text[max(0, start - at) : None if end is None else max(0, end - at)])
        at += len(segment.text)
    return "".join(parts)
