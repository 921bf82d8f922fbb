"""Draws diffs: one column of lines, or before and after side by side where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from rich.style import Style

from tui.clipping import clipped
from tui.escapes import in_ascii
from tui.transcript.differences import Row, Span, beginnings, changes, couples, near, paths, read
from tui.transcript.highlight import Piece, highlight, language_of
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line, Run, cells, hang, padded

SIDE_BY_SIDE = 130
TAB = 4
# How many lines of each change are left where there is no room for all of them; one alone would not tell
# what became of what.
_SHARES = (8, 4, 2)


class Change(NamedTuple):
    """Lines: where it begins, where what is put there begins, and where it has ended."""

    start: int
    added: int
    end: int


def diff_lines(diff: str, width: int, ink: Ink, edge: int = 0) -> list[Line]:
    """Lines of one column end at `edge`, if one is given and none is longer."""
    return _drawn(diff, _rows(diff), width, ink, edge=edge)[1]


def located(diff: str, width: int, ink: Ink, fill: str = "page") -> tuple[list[Line], Change | None]:
    """With the place of the first change among them."""
    rows = _rows(diff)
    drawer, lines = _drawn(diff, rows, width, ink, fill)
    first = next(changes(rows), None)
    if first is None:
        return lines, None
    removed, added = first
    starts, ends = drawer.places(removed + added)
    return lines, Change(min(starts), min(drawer.places(added or removed)[0]), max(ends))


def glance(diff: str, width: int, ink: Ink, most: int, edge: int = 0) -> list[Line]:
    """In so many lines: what stands around the changes goes first, then the ends of the changes.

    Of changes too many for that, the first are shown as they are.
    """
    rows = _rows(diff)
    bare = near(rows, 0)
    shares = (most, most - 1, *(_SHARES if sum(1 for _ in changes(rows)) > 1 else ()))
    for fewer in (rows, near(rows, 1), bare, *(beginnings(bare, share) for share in shares)):
        lines = _drawn(diff, fewer, width, ink, edge=edge)[1]
        if len(lines) <= most:
            return lines
    first = near(rows, 1)
    drawer, lines = _drawn(diff, first, width, ink, edge=edge)
    # What parts two changes, or names a file, says nothing at the end.
    starts, ends = drawer.places([row for row in first if row.kind in ("gap", "file")])
    breaks = dict(zip(ends, starts, strict=True))
    while most in breaks:
        most = breaks[most]
    return lines[:most]


def _rows(diff: str) -> list[Row]:
    rows = read(diff)
    for row in rows:
        _expand(row)
    return rows


def _drawn(
    diff: str, rows: list[Row], width: int, ink: Ink, fill: str = "page", edge: int = 0
) -> tuple[_Drawer, list[Line]]:
    drawer = _Drawer(rows, _languages(diff, rows), ink, fill)
    # A new file has nothing to stand beside.
    compared = {"add", "remove"}.issubset(row.kind for row in rows)
    wide = compared and width >= SIDE_BY_SIDE
    return drawer, drawer.side_by_side(width) if wide else drawer.unified(width, edge)


def _expand(row: Row) -> None:
    if "\t" in row.text:
        row.text = row.text.expandtabs(TAB)
        row.marks.clear()


def _languages(diff: str, rows: Sequence[Row]) -> list[str]:
    names = paths(diff)
    language = language_of(names[0]) if names else ""
    found: list[str] = []
    for row in rows:
        if row.kind == "file":
            language = language_of(row.text)
        found.append(language)
    return found


class _Drawer:
    def __init__(self, rows: list[Row], languages: list[str], ink: Ink, fill: str) -> None:
        self._rows = rows
        self._ink = ink
        self._fill = fill
        self._digits = max((len(str(max(row.old, row.new))) for row in rows), default=1)
        self._pieces: dict[int, list[Piece]] = {}
        self._places: dict[int, tuple[int, int]] = {}
        # Either side is coloured as the text it is: a removed line never changes how the next one looks.
        for side in ("remove", "add"):
            mine = [index for index, row in enumerate(rows) if row.kind in (side, "same")]
            self._colour(mine, languages)

    def unified(self, width: int, edge: int) -> list[Line]:
        """Up to the edge, or all of them beyond if one needs it."""
        drawn = [self._row(index, row, width, row.number) for index, row in enumerate(self._rows)]
        edge = max(edge or width, *(cells(line.runs) for lines in drawn for line in lines), 0)
        found: list[Line] = []
        for row, lines in zip(self._rows, drawn, strict=True):
            start = len(found)
            room = self._ink.room(self._behind(row))
            found += [Line(padded(line.runs, edge, room), line.joint) for line in lines]
            self._places[id(row)] = (start, len(found))
        return found

    def side_by_side(self, width: int) -> list[Line]:
        half = (width - 1) // 2
        where = {id(row): index for index, row in enumerate(self._rows)}
        found: list[Line] = []
        for one, other in couples(self._rows):
            if one and one.kind in ("file", "gap"):
                self._places[id(one)] = (len(found), len(found) + 1)
                found += self._row(where[id(one)], one, width, 0)
                continue
            left = self._row(where[id(one)], one, half, one.old) if one else []
            right = self._row(where[id(other)], other, width - half - 1, other.new) if other else []
            start = len(found)
            blanks = [self._ink.style("text", self._behind(row)) for row in (one, other)]
            found += self._beside(left, right, half, width - half - 1, *blanks)
            self._places |= {id(row): (start, len(found)) for row in (one, other) if row}
        return found

    def places(self, rows: Sequence[Row]) -> tuple[list[int], list[int]]:
        """On which lines of what was drawn last each begins, and before which it has ended."""
        found = [self._places[id(row)] for row in rows]
        return [start for start, _ in found], [end for _, end in found]

    def _beside(
        self, left: list[Line], right: list[Line], half: int, rest: int, before: Style, after: Style
    ) -> list[Line]:
        blank = self._ink.style("text", self._fill)
        rule = (self._ink.glyphs.split, self._ink.gutter(role="rule", fill=self._fill))
        lines: list[Line] = []
        for one, other in zip_longest(left, right):
            runs = padded(one.runs, half, before) if one else padded([], half, blank)
            last = padded(other.runs, rest, after) if other else padded([], rest, blank)
            lines.append(Line([*runs, rule, *last]))
        return lines

    def _behind(self, row: Row | None) -> str:
        return row.kind if row and row.kind in ("add", "remove") else self._fill

    def _row(self, index: int, row: Row, width: int, number: int) -> list[Line]:
        ink = self._ink
        if row.kind == "file":
            return [
                Line(
                    [
                        (
                            clipped(row.text, width, ink.glyphs.ellipsis),
                            ink.style("heading", self._fill, "bold"),
                        )
                    ]
                )
            ]
        if row.kind == "gap":
            dots = " " * (self._digits - 1) + ink.glyphs.ellipsis
            return [Line([(dots[:width], ink.gutter(fill=self._fill))])]
        fill = self._behind(row)
        sign, role = {"add": ("+", "ok"), "remove": ("-", "error")}.get(row.kind, (" ", "dim"))
        lines: list[Line] = []
        room = max(1, width - self._digits - 3)
        for indent, part in hang(self._runs(self._pieces.get(index, []), row, fill), room):
            first = not lines
            front: list[Run] = [
                (f"{number if first else '':>{self._digits}} ", ink.gutter(part.joint, "dim", fill)),
                (f"{sign if first else ' '} {indent}", ink.gutter(part.joint, role, fill)),
            ]
            lines.append(Line([*front, *part.runs], part.joint))
        return lines

    def _runs(self, pieces: Sequence[Piece], row: Row, fill: str) -> list[Run]:
        runs: list[Run] = []
        at = 0
        for role, text in pieces:
            for part, marked in _cut(text, at, row.marks):
                shown = in_ascii(part) if self._ink.glyphs.ascii else part
                look = (self._word(fill), f"{fill}_word") if marked else (role, fill)
                runs.append((shown, self._ink.style(*look)))
            at += len(text)
        return runs

    def _word(self, fill: str) -> str:
        """Where fills have no colour the words have to tell what became of them."""
        if self._ink.palette.exact:
            return "text"
        return "ok" if fill == "add" else "error"

    def _colour(self, indices: list[int], languages: list[str]) -> None:
        start = 0
        for end in range(1, len(indices) + 1):
            # A gap between two lines is a gap in the text: nothing is known about what opened before it.
            if end == len(indices) or (indices[end] - indices[end - 1] > 1 and self._gap(indices, end)):
                part = indices[start:end]
                texts = [self._rows[index].text for index in part]
                pieces, _ = highlight(languages[part[0]], texts)
                self._pieces |= zip(part, pieces, strict=True)
                start = end

    def _gap(self, indices: list[int], end: int) -> bool:
        between = self._rows[indices[end - 1] : indices[end]]
        return any(row.kind in ("gap", "file") for row in between)


def _cut(text: str, at: int, marks: Sequence[Span]) -> list[tuple[str, bool]]:
    """The text in parts that are wholly marked or not at all."""
    edges = {0, len(text)}
    for start, end in marks:
        edges |= {min(max(0, start - at), len(text)), min(max(0, end - at), len(text))}
    cuts = sorted(edges)
    return [
        (text[one:other], any(start <= at + one < end for start, end in marks))
        for one, other in pairwise(cuts)
    ]
