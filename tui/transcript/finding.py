"""Where words are in drawn lines, those of a search or under a pointer, also where they go on in the next."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual.strip import Strip

from tui.transcript.marking import is_gutter, joint_of

# Signs of Markdown do not count: they are in the source, and not on the screen.
_MARKS = "*_`~"
# Names, paths with line numbers, addresses, options; what ends a sentence is no part of them.
_WORD = re.compile(r"[\w@%+~#?&=$./:-]*[\w/]")
_WITHOUT = str.maketrans("", "", _MARKS)


class Span(NamedTuple):
    """Characters of one line."""

    line: int
    start: int
    end: int


Hit = tuple[Span, ...]


def plain(text: str) -> str:
    return text.translate(_WITHOUT).casefold()


def hits(strips: Sequence[Strip], query: str) -> list[Hit]:
    """In the order they are read; one that is wrapped has a span in each of its lines."""
    wanted = plain(query)
    if not wanted:
        return []
    return _matches(strips, re.compile(f"[{_MARKS}]*".join(map(re.escape, wanted))))


def word_at(strips: Sequence[Strip], line: int, column: int) -> Hit:
    """The word that has that character, in all its lines; none where no word is."""
    first, last = line_at(strips, line)
    for hit in _matches(strips[first : last + 1], _WORD):
        spans = tuple(Span(span.line + first, span.start, span.end) for span in hit)
        if any(span.line == line and span.start <= column < span.end for span in spans):
            return spans
    return ()


def line_at(strips: Sequence[Strip], line: int) -> tuple[int, int]:
    """The first and the last of the drawn lines that were written as one."""
    first = last = line
    while first > 0 and joint_of(strips[first]) != "\n":
        first -= 1
    while last + 1 < len(strips) and joint_of(strips[last + 1]) != "\n":
        last += 1
    return first, last


def _matches(strips: Sequence[Strip], pattern: re.Pattern[str]) -> list[Hit]:
    pieces: list[tuple[int, Span]] = []
    parts: list[str] = []
    length = 0
    for line, strip in enumerate(strips):
        joint, shown = joint_of(strip), _shown(line, strip)
        parts.append(joint)
        length += len(joint)
        for span, words in shown:
            pieces.append((length, span))
            parts.append(words)
            length += len(words)
    starts = [start for start, _ in pieces]
    return [
        tuple(_spans(pieces[max(0, bisect_right(starts, found.start()) - 1) :], found.start(), found.end()))
        for found in pattern.finditer("".join(parts))
    ]


def _shown(line: int, strip: Strip) -> list[tuple[Span, str]]:
    """What is read of a line, each piece with its place."""
    found: list[tuple[Span, str]] = []
    at = 0
    for segment in strip:
        text = segment.text
        if not is_gutter(segment):
            found.append((Span(line, at, at + len(text)), _folded(text)))
        at += len(text)
    return found


def _folded(text: str) -> str:
    # Some letters fold into two, and then places would no longer agree.
    return next((one for one in (text.casefold(), text.lower()) if len(one) == len(text)), text)


def _spans(pieces: Sequence[tuple[int, Span]], start: int, end: int) -> Iterator[Span]:
    for at, span in pieces:
        if at >= end:
            return
        low, high = max(start, at), min(end, at + span.end - span.start)
        if low < high:
            yield Span(span.line, span.start + low - at, span.start + high - at)
