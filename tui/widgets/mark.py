"""The sign before the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn


class Mark(Drawn):
    FILL = "input"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="mark")
        self._shell = False

    def show(self, *, shell: bool) -> None:
        if shell != self._shell:
            self._shell = shell
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        if self._shell:
            return [[("$".ljust(width), self.ink.style("ok", "add", "bold"))]]
        return [[(">" if self.ink.glyphs.ascii else "›", self.ink.style("accent", "input", "bold"))]]
