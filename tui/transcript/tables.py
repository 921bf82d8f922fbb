"""Draws tables as wide as their contents, with rules instead of boxes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from store.frozen import frozen
from tui.transcript.blocks import Table, block_parser
from tui.transcript.ink import Ink
from tui.transcript.inline import inline
from tui.transcript.wrapping import Line, Run, cells, wrap

Align = Literal["left", "center", "right"]

GAP = 2
NARROWEST = 3


@frozen
class _Grid:
    head: list[str]
    rows: list[list[str]]
    aligns: list[Align]


def table_lines(table: Table, width: int, ink: Ink, fill: str = "page") -> list[Line]:
    grid = _read(table)
    # Columns keep their width however long the table grows, so that nothing drawn has to move.
    widths = _fitted(list(_natural(table.first or table, ink)), width)
    lines: list[Line] = []
    if table.first is None:
        lines += _row(grid.head, widths, grid.aligns, ink, fill, "heading", "bold")
        rule = (ink.glyphs.rule * min(width, sum(widths) + GAP * (len(widths) - 1)), ink.style("rule", fill))
        lines.append(Line([rule]))
    for row in grid.rows:
        lines += _row(row, widths, grid.aligns, ink, fill, "text")
    return lines


def _read(table: Table) -> _Grid:
    rows: list[list[str]] = []
    aligns: list[Align] = []
    for token in block_parser().parse("\n".join((table.head, *table.rows))):
        match token.type:
            case "tr_open":
                rows.append([])
            case "th_open":
                aligns.append(_align(str(token.attrGet("style") or "")))
            case "inline":
                rows[-1].append(token.content)
            case _:
                pass
    return _Grid(rows[0], rows[1:], aligns)


def _align(style: str) -> Align:
    if "right" in style:
        return "right"
    return "center" if "center" in style else "left"


# Every piece of a long table asks for the same.
@lru_cache(maxsize=16)
def _natural(table: Table, ink: Ink) -> tuple[int, ...]:
    grid = _read(table)
    columns = zip(grid.head, *grid.rows, strict=False)
    return tuple(max(1, *(cells(inline(cell, ink)) for cell in column)) for column in columns)


def _fitted(widths: list[int], width: int) -> list[int]:
    """The widest give way first."""
    room = width - GAP * (len(widths) - 1)
    widths = widths.copy()
    while sum(widths) > room and max(widths) > NARROWEST:
        widest = max(widths)
        below = max((size for size in widths if size < widest), default=NARROWEST)
        many = widths.count(widest)
        step = max(1, min(widest - max(below, NARROWEST), -(-(sum(widths) - room) // many)))
        widths = [size - step if size == widest else size for size in widths]
    return widths


def _row(
    row: Sequence[str], widths: list[int], aligns: list[Align], ink: Ink, fill: str, *look: str
) -> list[Line]:
    blank = ink.style("text", fill)
    columns = [
        [line.runs for line in wrap(inline(cell, ink, look[0], fill, *look[1:]), width)]
        for cell, width in zip(row, widths, strict=False)
    ]
    lines: list[Line] = []
    for number in range(max(map(len, columns), default=0)):
        runs: list[Run] = []
        for index, column in enumerate(columns):
            runs.append((" " * GAP if index else "", blank))
            cell = column[number] if number < len(column) else []
            missing = max(0, widths[index] - cells(cell))
            left = {"left": 0, "right": missing, "center": missing // 2}[aligns[index]]
            runs += [(" " * left, blank), *cell, (" " * (missing - left), blank)]
        lines.append(Line(runs))
    return lines
