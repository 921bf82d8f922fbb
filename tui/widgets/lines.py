"""What a panel in the place of the prompt is made of: its edge, and lines that are ready."""

from __future__ import annotations

from collections.abc import Sequence

from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line, Run
from tui.widgets.drawn import Drawn


class Edge(Drawn):
    """Along the whole panel, as at the prompt."""

    FILL = "input"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="edge")
        self._role = "waiting"

    def light(self, *, lit: bool) -> None:
        self._role = "waiting" if lit else "dim"
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        del width
        return [[(self.ink.glyphs.bar, self.ink.style(self._role, "input"))]] * self.size.height


class Lines(Drawn):
    """What it is given, line by line."""

    FILL = "input"

    def __init__(self, ink: Ink, name: str) -> None:
        super().__init__(ink, id=name)
        self._lines: list[Line] = []

    def show(self, lines: list[Line]) -> None:
        self._lines = lines
        self.styles.height = len(lines)
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        del width
        return [line.runs for line in self._lines]
