"""The top line: which session this is, and the keys one forgets."""

from __future__ import annotations

from collections.abc import Sequence

from tui.escapes import safe
from tui.oneline import one_line
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, Hint, cut, hint, spread

# Keys go away before less than this is left of the title.
_TITLE = 16


class Header(Drawn):
    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="header")
        self._title = ""
        self._hints: tuple[Hint, ...] = ()

    def show(self, title: str, hints: tuple[Hint, ...]) -> None:
        if (title, hints) != (self._title, self._hints):
            self._title, self._hints = title, hints
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink = self.ink
        left: list[Run] = [("  wakeful", ink.style("accent", "page", "bold"))]
        if self._title:
            dot = "-" if ink.glyphs.ascii else "·"
            left += [(f" {dot} ", ink.style("dim")), (one_line(safe(self._title)), ink.style("heading"))]
        gap: Run = ("  ", ink.style())
        right = [run for each in self._hints for run in (*hint(each, ink, self.pointed), gap)]
        room = width - cells(right) - 2
        if cells(left) > room >= _TITLE + cells(left[:2]):
            left = cut(left, room, ink)
        return [spread(left, right, width, ink)]
