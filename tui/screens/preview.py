"""A piece of a conversation beside a list, drawn exactly as the transcript draws it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from tui.transcript.document import Document
from tui.transcript.entries import Body, Entry, filtered
from tui.transcript.ink import Ink
from tui.transcript.wrapping import strip
from tui.widgets.drawn import Drawn


class Preview(Drawn):
    def __init__(self, ink: Ink, bodies: Sequence[Body] = (), *, end: bool = False) -> None:
        """`end` shows the last lines rather than the first."""
        super().__init__(ink, id="preview")
        self._bodies = tuple(bodies)
        self._end = end
        self._strips: list[Strip] = []

    def show(self, bodies: Sequence[Body]) -> None:
        self._bodies = tuple(bodies)
        self._lay_out()

    def wear(self, ink: Ink) -> None:
        self.ink = ink
        self._lay_out()

    def on_resize(self) -> None:
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        width, height = self.size
        at = y - 1 + (max(0, len(self._strips) - height + 2) if self._end else 0)
        if 0 < y < height - 1 and 0 <= at < len(self._strips):
            return self._strips[at]
        return strip((), width, self.ink.style())

    def _lay_out(self) -> None:
        if not self.size.width:
            return
        document = Document(self.ink, self.size.width)
        entries = [Entry(str(number), filtered(body)) for number, body in enumerate(self._bodies)]
        document.append(entries)
        self._strips = [line for number in range(len(entries)) for line in document.strips(number)]
        self.refresh()
