"""A terminal's screen as a PNG: fills first, then letters, each in its own cell."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

import pyte
import resvg_py
from pyte.screens import Char
from rich.cells import cell_len

WIDTH, HEIGHT, SIZE = 9.6, 20.0, 16.0
MARGIN = 14.0
ZOOM = 1.5
# Each with the signs that the one before it lacks.
FONTS = "'Fira Code', 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', 'Liberation Mono', monospace"
# Fira Code draws these as mathematics.
SIGNS = "'DejaVu Sans Mono', 'Fira Code', monospace"
NAMED = {
    "black": "#1d1f24", "red": "#d05f5f", "green": "#7fae6a", "brown": "#c9a35c", "blue": "#6a94d4",
    "magenta": "#b07cc6", "cyan": "#5fb0b7", "white": "#c9ccd1", "brightblack": "#6d727b",
    "brightred": "#e88080", "brightgreen": "#9fd08a", "brightbrown": "#e6c480", "brightblue": "#8fb6f0",
    "brightmagenta": "#d09ce4", "brightcyan": "#80d0d6", "brightwhite": "#ffffff",
}  # fmt: skip
PAPER, LETTERS = "#101216", "#d7dae0"
# Parts of a cell that a font would leave gaps between: x, y, width, height.
BLOCKS = {
    "█": (0, 0, 1, 1), "▌": (0, 0, 0.5, 1), "▐": (0.5, 0, 0.5, 1), "▀": (0, 0, 1, 0.5), "▄": (0, 0.5, 1, 0.5),
    "▎": (0, 0, 0.25, 1), "▍": (0, 0, 0.375, 1), "▏": (0, 0, 0.125, 1), "▕": (0.875, 0, 0.125, 1),
    "▁": (0, 0.875, 1, 0.125), "▂": (0, 0.75, 1, 0.25), "▃": (0, 0.625, 1, 0.375), "▅": (0, 0.375, 1, 0.625),
    "▆": (0, 0.25, 1, 0.75), "▇": (0, 0.125, 1, 0.875), "▔": (0, 0, 1, 0.125), "─": (0, 0.475, 1, 0.05),
    "━": (0, 0.45, 1, 0.1), "╸": (0, 0.45, 0.5, 0.1), "╺": (0.5, 0.45, 0.5, 0.1), "│": (0.45, 0, 0.1, 1),
    "┃": (0.4, 0, 0.2, 1),
}  # fmt: skip


class FontError(Exception):
    pass


def save(screen: pyte.Screen, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_png(svg(screen)))


def need_font() -> None:
    """Raises FontError where letters would leave no ink."""
    empty, full = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
        f'<text y="15" font-family="{FONTS}">{letter}</text></svg>'
        for letter in (" ", "M")
    )
    if _png(empty) == _png(full):
        raise FontError("no monospaced font is installed here; on Debian: apt install fonts-firacode")


def svg(screen: pyte.Screen) -> str:
    width = screen.columns * WIDTH + 2 * MARGIN
    height = screen.lines * HEIGHT + 2 * MARGIN
    page = _colours(screen.buffer[0][0])[1]
    rows = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">',
        f'<rect width="100%" height="100%" rx="10" fill="{page}"/>',
        *(part for y, row in enumerate(rows) for part in _fills(row, MARGIN + y * HEIGHT, page)),
        f'<g font-family="{FONTS}" font-size="{SIZE}" xml:space="preserve">',
        *(part for y, row in enumerate(rows) for part in _letters(row, MARGIN + y * HEIGHT)),
        "</g></svg>",
    ]
    return "".join(parts)


def _fills(row: list[Char], top: float, page: str) -> Iterator[str]:
    at = 0
    for fill, cells in groupby(row, key=lambda cell: _colours(cell)[1]):
        count = len(list(cells))
        if fill != page:
            yield _box(at, top, (0, 0, count, 1), fill)
        at += count


def _letters(row: list[Char], top: float) -> Iterator[str]:
    at = 0
    for style, cells in groupby(enumerate(row), key=lambda pair: _style(pair[1])):
        placed = list(cells)
        at = placed[0][0]
        ink = style[0]
        texts = [(x, cell.data) for x, cell in placed if cell.data.strip() and cell.data not in BLOCKS]
        for x, cell in placed:
            if cell.data in BLOCKS:
                yield _box(x, top, BLOCKS[cell.data], ink)
        for signs, some in groupby(texts, key=lambda pair: _is_sign(pair[1])):
            yield _text(list(some), top, style, signs=signs)
        if style[3]:
            yield _box(at, top, (0, 0.88, len(placed), 0.05), ink)


def _text(
    texts: list[tuple[int, str]], top: float, style: tuple[str, bool, bool, bool], *, signs: bool
) -> str:
    ink, bold, slanted, _ = style
    # One place for each letter: no ligatures, and columns that stand below each other in any font.
    places = " ".join(f"{MARGIN + x * WIDTH:.1f}" for x, text in texts for _ in text)
    kind = f' font-family="{SIGNS}"' if signs else ""
    kind += ' font-weight="bold"' if bold else ""
    kind += ' font-style="italic"' if slanted else ""
    said = escape("".join(text for _, text in texts))
    return f'<text x="{places}" y="{top + 15:.1f}" fill="{ink}"{kind}>{said}</text>'


def _box(column: int, top: float, part: tuple[float, float, float, float], fill: str) -> str:
    x, y, width, height = part
    left = MARGIN + (column + x) * WIDTH
    # A hair wider, so that no seam shows between neighbours.
    return (
        f'<rect x="{left:.2f}" y="{top + y * HEIGHT:.2f}" width="{width * WIDTH + 0.05:.2f}"'
        f' height="{height * HEIGHT + 0.05:.2f}" fill="{fill}"/>'
    )


def _is_sign(text: str) -> bool:
    return not text.isascii() and not text.isalpha() and cell_len(text) == 1


def _style(cell: Char) -> tuple[str, bool, bool, bool]:
    return _colours(cell)[0], cell.bold, cell.italics, cell.underscore


def _colours(cell: Char) -> tuple[str, str]:
    ink, fill = _colour(cell.fg, LETTERS), _colour(cell.bg, PAPER)
    return (fill, ink) if cell.reverse else (ink, fill)


def _colour(name: str, default: str) -> str:
    return default if name == "default" else NAMED.get(name, f"#{name}")


def _png(drawn: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=ZOOM))
