"""What could be typed next, over the lines above the prompt: nothing moves when it comes and goes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message

from tui.clipping import clipped, flattened
from tui.prompting.menu import Menu
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, cut

ROWS = 8
_GAP = 2
# What a command takes may be cut; what it does is what one reads.
_COLUMN = 24


class MenuView(Drawn):
    FILL = "panel"

    class Clicked(Message):
        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="menu")
        self._menu: Menu | None = None
        self._top = 0
        # Columns stay where they are while one goes through the list.
        self._widest = 0

    def show(self, menu: Menu | None) -> None:
        fresh = menu is None or self._menu is None or menu.offers is not self._menu.offers
        self._menu = menu
        self._top = 0 if fresh else self._top
        if menu is None:
            self.display = False
            return
        if fresh:
            self._widest = max(cell_len(flattened(offer.label)) for offer in menu.offers)
        height = min(ROWS, len(menu.offers))
        if menu.chosen is not None:
            self._top = min(max(self._top, menu.chosen - height + 1), menu.chosen)
        self.styles.height = height
        self.styles.offset = (0, -height)
        self.display = True
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        menu = self._menu
        if menu is None:
            return []
        shown = range(self._top, min(self._top + ROWS, len(menu.offers)))
        labels = {at: flattened(menu.offers[at].label) for at in shown}
        column = max(1, min(self._widest, max(_COLUMN, width // 4), width // 2))
        rows = [self._row(menu, at, labels[at], column, width) for at in shown]
        if len(menu.offers) > len(rows):
            rows[-1] = self._counted(rows[-1], menu, width)
        return rows

    def _row(self, menu: Menu, at: int, label: str, column: int, width: int) -> list[Run]:
        ink, ellipsis = self.ink, self.ink.glyphs.ellipsis
        fill = "selection" if at == menu.chosen else "panel"
        shown = clipped(label, column, ellipsis)
        runs: list[Run] = [
            ("  ", ink.style("text", fill)),
            (shown + " " * (column - cell_len(shown) + _GAP), ink.style("text", fill)),
            (flattened(menu.offers[at].detail), ink.style("dim" if fill == "panel" else "text", fill)),
        ]
        runs = cut(runs, width - 1, ink)
        return [*runs, (" " * max(0, width - cells(runs)), ink.style("text", fill))]

    def _counted(self, row: list[Run], menu: Menu, width: int) -> list[Run]:
        """How many there are, where the last row leaves room for it."""
        count = len(menu.offers)
        said = f"{count} in all  " if menu.chosen is None else f"{menu.chosen + 1} of {count}  "
        *runs, (blank, style) = row
        if blank.strip() or len(blank) < len(said) + _GAP:
            return cut(runs, width, self.ink) if not blank else row
        dim = style + self.ink.style("dim", "selection" if menu.chosen == self._top + ROWS - 1 else "panel")
        return [*runs, (blank[: -len(said)], style), (said, dim)]

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if self._menu and self._top + event.y < len(self._menu.offers):
            self.post_message(self.Clicked(self._top + event.y))
