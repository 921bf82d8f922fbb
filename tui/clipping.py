"""Fits a line into so many cells, whatever letters it is made of."""

from __future__ import annotations

from rich.cells import cell_len, split_graphemes

from tui.escapes import safe


def flattened(text: str) -> str:
    """Foreign text as one line, otherwise as it is."""
    return " ".join(safe(text).split())


def clipped(text: str, width: int, ellipsis: str = "…") -> str:
    """As much of one line as fits, with a sign that something is missing."""
    if cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    shown, used = "", 0
    for start, end, size in split_graphemes(text)[0]:
        if used + size > room:
            break
        shown, used = shown + text[start:end], used + size
    return shown + ellipsis if room >= 0 else ""


def ending(text: str, width: int, ellipsis: str = "…") -> str:
    """As much of the end of one line as fits, with a sign that something is missing."""
    if cell_len(text) <= width:
        return text
    room = width - cell_len(ellipsis)
    at = len(text)
    for start, _, size in reversed(split_graphemes(text)[0]):
        if size > room:
            break
        at, room = start, room - size
    return ellipsis + text[at:]
