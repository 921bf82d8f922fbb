"""One of several, in a list that is narrowed by typing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from agent.commands.matching import rank
from tui.escapes import safe
from tui.plain import one_line
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, cut, spread

_ROWS = 14


@dataclass(frozen=True, slots=True)
class Row:
    """`value` is what choosing it gives."""

    value: str
    label: str
    detail: str = ""
    current: bool = False


class Rows(Drawn):
    """The rows that match, around the chosen one."""

    FILL = "panel"

    class Clicked(Message):
        pass

    def __init__(self, ink: Ink, rows: Sequence[Row]) -> None:
        super().__init__(ink, id="rows")
        self._all = tuple(rows)
        self.shown = self._all
        self.chosen = next((number for number, row in enumerate(rows) if row.current), 0)

    @property
    def row(self) -> Row | None:
        return self.shown[self.chosen] if self.shown else None

    def narrow(self, typed: str) -> None:
        self.shown = (
            tuple(rank(typed, self._all, lambda row: (row.label, row.detail))) if typed else self._all
        )
        self.chosen = 0
        self.refresh()

    def step(self, by: int) -> None:
        self.chosen = max(0, min(len(self.shown) - 1, self.chosen + by))
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink = self.ink
        if not self.shown:
            return [[("  nothing matches", ink.style("dim", "panel"))]]
        return [self._row(number, width) for number in range(self._top, self._top + self.size.height)][
            : len(self.shown) - self._top
        ]

    @property
    def _top(self) -> int:
        height = max(1, self.size.height)
        return max(0, min(self.chosen - height // 2, len(self.shown) - height))

    def _row(self, number: int, width: int) -> list[Run]:
        if number >= len(self.shown):
            return []
        ink, row = self.ink, self.shown[number]
        fill = "selection" if number == self.chosen else "panel"
        mark = "*" if ink.glyphs.ascii else "•"
        left: list[Run] = [
            (f" {mark if row.current else ' '} ", ink.style("accent", fill)),
            (one_line(safe(row.label)), ink.style("text", fill)),
        ]
        detail: list[Run] = [(one_line(safe(row.detail)), ink.style("dim", fill))] if row.detail else []
        # Both give way, what it is less than what is said of it.
        left = cut(left, max(width * 2 // 3, width - cells(detail) - 3), ink)
        right = [*cut(detail, max(0, width - cells(left) - 3), ink), (" ", ink.style("dim", fill))]
        return spread(left, right, width, ink, fill)

    def on_click(self, event: events.Click) -> None:
        place = self._top + event.y
        if place < len(self.shown):
            self.chosen = place
            self.post_message(self.Clicked())


class PickerScreen(ModalScreen[str | None]):
    """Gives the value of what was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="picker-close"),
        Binding("up", "step(-1)", "Up", priority=True, id="picker-up"),
        Binding("down", "step(1)", "Down", priority=True, id="picker-down"),
        Binding("pageup", "step(-10)", "Page up", priority=True, id="picker-page-up"),
        Binding("pagedown", "step(10)", "Page down", priority=True, id="picker-page-down"),
    ]

    def __init__(self, ink: Ink, title: str, rows: Sequence[Row], hint: str = "") -> None:
        super().__init__()
        self.ink = ink
        self._title = title
        self._rows = tuple(rows)
        self._hint = hint

    def compose(self) -> ComposeResult:
        with Vertical(id="picker"):
            yield Title(self.ink, self._title, self._hint or "enter chooses  esc closes")
            yield Input(placeholder="type to narrow", compact=True, id="narrow")
            yield Rows(self.ink, self._rows)

    def on_mount(self) -> None:
        self.query_one(Rows).styles.height = max(1, min(_ROWS, len(self._rows)))
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(Rows).narrow(event.value)
        self.moved()

    def on_input_submitted(self) -> None:
        row = self.query_one(Rows).row
        if row:
            self.dismiss(row.value)

    def on_rows_clicked(self) -> None:
        self.on_input_submitted()

    def action_step(self, by: int) -> None:
        self.query_one(Rows).step(by)
        self.moved()

    def action_close(self) -> None:
        self.dismiss(None)

    def moved(self) -> None:
        """Another row is the chosen one; a screen with a preview shows it."""


class Title(Drawn):
    FILL = "panel"

    def __init__(self, ink: Ink, title: str, hint: str) -> None:
        super().__init__(ink, id="title")
        self._title, self._hint = title, hint

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink = self.ink
        left: list[Run] = [(f" {one_line(safe(self._title))}", ink.style("heading", "panel", "bold"))]
        return [spread(left, [(f"{self._hint} ", ink.style("dim", "panel"))], width, ink, "panel")]
