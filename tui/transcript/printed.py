"""Draws what commands answer: cells in columns, the widest giving way where room is short."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tui.escapes import in_ascii
from tui.transcript.entries import Cell, Printed
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line, Run, cells, wrap

GAP = 2
NARROWEST = 8


def printed_lines(body: Printed, room: int, ink: Ink) -> list[Line]:
    """A row of one cell stands alone and does not widen the column."""
    columns = max((len(row) for row in body.rows), default=0)
    widths = [
        max((cell_len(row[number][0]) for row in body.rows if 1 < len(row) > number), default=0)
        for number in range(columns)
    ]
    # Names give way to the text behind them, which is what has to be read in one go.
    share = max(NARROWEST, room // 3)
    while sum(widths) + GAP * (columns - 1) > room and max(widths) > NARROWEST:
        named = max(widths[:-1], default=0)
        widths[widths.index(named if named > share else max(widths))] -= 1
    return [line for row in body.rows for line in _row(row, widths, room, ink)]


def _row(row: Sequence[Cell], widths: Sequence[int], room: int, ink: Ink) -> list[Line]:
    if len(row) < 2:
        return wrap([_run(cell, ink) for cell in row], max(1, room)) or [Line([])]
    columns = [
        wrap([_run(cell, ink)], max(1, width))
        for cell, width in zip(row, _left(widths, row, room), strict=False)
    ]
    blank = ink.gutter()
    lines: list[Line] = []
    for number in range(max(map(len, columns))):
        runs: list[Run] = []
        for place, column in enumerate(columns):
            part = column[number].runs if number < len(column) else []
            runs += part
            if place < len(columns) - 1:
                runs.append((" " * (widths[place] - cells(part) + GAP), blank))
        lines.append(Line(runs))
    return lines


def _left(widths: Sequence[int], row: Sequence[Cell], room: int) -> list[int]:
    """The last cell of a row has all the room that is left."""
    last = len(row) - 1
    used = sum(widths[:last]) + GAP * last
    return [*widths[:last], room - used]


def _run(cell: Cell, ink: Ink) -> Run:
    text, role = cell
    attributes = ("bold",) if role == "heading" else ()
    return (in_ascii(text) if ink.glyphs.ascii else text, ink.style(role, "page", *attributes))
