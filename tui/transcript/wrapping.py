"""Breaks styled text into lines of at most so many cells, and lines into strips of exactly so many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tui.transcript.ink import Joint

Run = tuple[str, Style]

# Where lines end in a wide window: longer ones are hard to read, and the time of a call is far from its name.
MEASURE = 100


class Line(NamedTuple):
    runs: list[Run]
    joint: Joint = "\n"


class _Span(NamedTuple):
    start: int
    end: int
    joint: Joint


def wrap(runs: Sequence[Run], width: int) -> list[Line]:
    """At spaces where possible; a line feed in the text ends a line."""
    return _lines(runs, width, words=True)


def fold(runs: Sequence[Run], width: int) -> list[Line]:
    """Anywhere, with every space kept: for code and output."""
    return _lines(runs, width, words=False)


def hang(runs: Sequence[Run], width: int) -> list[tuple[str, Line]]:
    """Folded, each line behind the blanks that put it below the first letter of the text."""
    text = "".join([text for text, _ in runs])
    indent = min(len(text) - len(text.lstrip(" ")), width // 2)
    lines = _lines(runs, width, words=False, hung=indent)
    return [("" if line.joint else " " * indent, line) for line in lines]


def strip(runs: Sequence[Run], width: int, blank: Style) -> Strip:
    segments = [Segment(text, style) for text, style in runs if text]
    used = sum(map(_cells, segments))
    if used > width:
        return Strip(segments, used).crop(0, width)
    if used < width:
        segments.append(Segment(" " * (width - used), blank))
    return Strip(segments, width)


def cells(runs: Sequence[Run]) -> int:
    return sum(cell_len(text) for text, _ in runs)


def padded(runs: Sequence[Run], width: int, blank: Style) -> list[Run]:
    missing = width - cells(runs)
    return [*runs, (" " * missing, blank)] if missing > 0 else list(runs)


def _cells(segment: Segment) -> int:
    return cell_len(segment.text)


def _lines(runs: Sequence[Run], width: int, *, words: bool, hung: int = 0) -> list[Line]:
    width = max(1, width)
    text = "".join([text for text, _ in runs])
    if "\n" not in text and cell_len(text) <= width:
        return [Line(list(runs))]
    found: list[Line] = []
    cutter = _Cutter(runs)
    start = 0
    for hard in text.split("\n"):
        spans = _by_words(hard, width) if words else _by_cells(hard, 0, len(hard), width, hung=hung)
        found += [Line(cutter.cut(start + span.start, start + span.end, width), span.joint) for span in spans]
        start += len(hard) + 1
    return found


def _by_words(text: str, width: int) -> Iterator[_Span]:
    start = end = used = 0
    joint: Joint = "\n"
    for match in _word().finditer(text):
        word = match.group()
        size = cell_len(word)
        if word.isspace():
            used += size
            continue
        if used and used + size > width:
            if end > start:
                yield _Span(start, end, joint)
                joint = " " if match.start() > end else ""
            start, used = match.start(), 0
        end = match.end()
        if size > width:
            *whole, last = _by_cells(text, start, end, width, joint)
            yield from whole
            start, joint = last.start, last.joint
            used = cell_len(text[start:end])
        else:
            used += size
    yield _Span(start, end, joint)


def _by_cells(
    text: str, start: int, end: int, width: int, joint: Joint = "\n", hung: int = 0
) -> Iterator[_Span]:
    """`hung` is by how much all but the first are narrower."""
    if text.isascii():
        yield _Span(start, min(start + width, end), joint)
        rest = width - hung
        yield from (_Span(at, min(at + rest, end), "") for at in range(start + width, end, rest))
        return
    begun, used = start, 0
    for first, _, size in split_graphemes(text[start:end])[0]:
        if used + size > width and used:
            yield _Span(begun, start + first, joint)
            begun, used, joint = start + first, 0, ""
            width, hung = width - hung, 0
        used += size
    yield _Span(begun, end, joint)


class _Cutter:
    """Cuts pieces out of runs from left to right."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._index = 0
        self._passed = 0

    def cut(self, start: int, end: int, width: int) -> list[Run]:
        found: list[Run] = []
        while self._index < len(self._runs):
            text, style = self._runs[self._index]
            after = self._passed + len(text)
            if start < after:
                piece = text[max(0, start - self._passed) : end - self._passed]
                if piece:
                    found.append((piece, style))
            if after > end:
                break
            self._index += 1
            self._passed = after
        # A wide letter does not fit on a screen one cell wide.
        return found if cells(found) <= width else [("·" * width, found[0][1])]


@cache
def _word() -> re.Pattern[str]:
    """Han, kana and hangul may be broken anywhere; all else only at spaces. To compile it takes 5 ms."""
    return re.compile(
        r"[\u2e80-\ud7ff\uf900-\ufaff\uff01-\uff60]|[^\s\u2e80-\ud7ff\uf900-\ufaff\uff01-\uff60]+|\s+"
    )
