"""Messages that wait for the agent, one line each, above the prompt they were typed in."""

from __future__ import annotations

from collections.abc import Sequence

from tui.clipping import flattened
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, cut, spread

_ROWS = 3


class QueueView(Drawn):
    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="queue")
        self._waiting: tuple[tuple[str, str], ...] = ()
        self._hint = ""

    def show(self, steering: Sequence[str], queued: Sequence[str], hint: str = "") -> None:
        """What goes into the running turn, what comes after it, and the keys for that."""
        self.advise(hint)
        waiting = (*(("steers", text) for text in steering), *(("queued", text) for text in queued))
        if waiting != self._waiting:
            self._waiting = waiting
            self.display = bool(waiting)
            self.styles.height = min(_ROWS, len(waiting))
            self.refresh()

    def advise(self, hint: str) -> None:
        """The keys as they are now."""
        if hint != self._hint:
            self._hint = hint
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink, dim = self.ink, self.ink.style("dim")
        shown = self._waiting if len(self._waiting) <= _ROWS else self._waiting[: _ROWS - 1]
        rows: list[list[Run]] = [
            cut([(f"  {how}  ", dim), (flattened(text[:500]), ink.style("text"))], width - 2, ink)
            for how, text in shown
        ]
        if len(shown) < len(self._waiting):
            rows.append([(f"          and {len(self._waiting) - len(shown)} more", dim)])
        if rows and self._hint and cells(rows[-1]) + len(self._hint) + 4 <= width:
            rows[-1] = spread(rows[-1], [(f"{self._hint}  ", dim)], width, ink)
        return rows
