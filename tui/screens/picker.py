"""One of several, in a list that is narrowed by typing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Input

from tui.bindings import key_for
from tui.escapes import safe
from tui.instant.frames import TALL
from tui.screens.overlay import Overlay
from tui.screens.rows import Row, Rows
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, spread
from tui.widgets.field import Field

WIDE = 100
# Below that a list takes the whole window.
_LOW, _NARROW = 20, 64
# All lists stand in one place: under the header, and above the line that tells the state.
_ABOVE, _BELOW, _BELOW_TALL, _BESIDE = 2, 5, 6, 4
# What a list has of empty lines, counted in `AROUND`.
_AIR = 4


# The first word of a hint is a key, and so are more of them that cannot be words.
_KEYS = re.compile(r"\S+( \S+\+\S+)*")


class PickerScreen(Overlay):
    """Gives the value of what was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "close", "Close", id="picker-close"),
        Binding("up", "step(-1)", "Up", priority=True, id="picker-up"),
        Binding("down", "step(1)", "Down", priority=True, id="picker-down"),
        Binding("pageup", "step(-10)", "Page up", priority=True, id="picker-page-up"),
        Binding("pagedown", "step(10)", "Page down", priority=True, id="picker-page-down"),
    ]
    MOST_COLUMNS, MOST_ROWS = 112, 26
    # Lines that are not rows: padding, title and where one types, each with air below.
    AROUND = 6
    # Lines below the rows, which a small window leaves out; None where it cannot.
    BENEATH: ClassVar[int | None] = 0
    # What the keys do that take a row, and that leave without one.
    ENTER, CLOSE = "chooses", "closes"

    def __init__(self, ink: Ink, title: str, rows: Sequence[Row], stem: str | None = None) -> None:
        """With a `stem` what is typed and not listed can be chosen too, behind it."""
        super().__init__()
        self.ink = ink
        self._stem = stem
        self._title = title
        self._rows = tuple(rows)
        self._early = False

    @property
    def hint(self) -> str:
        return f"enter {self.ENTER}  {key_for(self, 'picker-close')} {self.CLOSE}"

    def compose(self) -> ComposeResult:
        with Vertical(id="picker"):
            yield Title(self.ink, self._title, self.hint)
            yield self.above()
            with Horizontal(id="picker-body"):
                yield self._list()
                yield from self.beside()
            yield from self.below()

    def _list(self) -> Rows:
        rows = self.listing(self._rows)
        if self._stem is not None:
            rows.nothing = "enter takes it as it is"
        return rows

    def above(self) -> Widget:
        """One line between the title and the list: where one types."""
        placeholder = (
            "type to narrow" if self._stem is None else "type to narrow, or a name that is not listed"
        )
        return Field(placeholder=placeholder, compact=True, id="narrow")

    def listing(self, rows: Sequence[Row]) -> Rows:
        return Rows(self.ink, rows)

    def beside(self) -> Sequence[Widget]:
        """What stands beside the list where there is room for it."""
        return ()

    def below(self) -> Sequence[Widget]:
        """What stands under the list; `BENEATH` says how high it is."""
        return ()

    @property
    def height(self) -> int:
        """Rows there should be room for."""
        return len(self._rows)

    def on_mount(self) -> None:
        # At once, so that what is typed behind the key that opened this arrives here.
        self.set_focus(next(iter(self.query(Input)), None))
        self.set_class(self.ink.glyphs.ascii, "ascii")
        # Its size comes too late for the first frame, which would fill the whole window.
        self._fit(self.app.size)  # pyright: ignore[reportUnknownMemberType] # of any result
        self.moved()
        if self._early:
            self.fill(self._rows)

    def fill(self, rows: Sequence[Row]) -> None:
        """Others in their place, whenever they are found; the chosen one stays chosen while it is there."""
        self._rows = tuple(rows)
        if self.is_attached and self.query(Rows):
            self.query_one(Rows).show(rows)
            self._fit(self.size)
            self.moved()
        else:
            # The list may have been made already, and not be in its place yet.
            self._early = True

    def on_screen_suspend(self) -> None:
        """Two lists in one place could not be told apart."""
        top: object = self.app.screen  # pyright: ignore[reportUnknownMemberType] # of any result
        self.set_class(isinstance(top, PickerScreen), "covered")

    def on_screen_resume(self) -> None:
        self.remove_class("covered")

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size)

    def _fit(self, size: Size) -> None:
        columns, lines = size
        small = lines < _LOW or columns < _NARROW
        self.set_class(columns >= WIDE, "wide")
        self.set_class(small, "small")
        picker, body = self.query_one("#picker"), self.query_one("#picker-body")
        picker.styles.width = columns if small else min(self.MOST_COLUMNS, columns - 2 * _BESIDE)
        picker.styles.margin = 0 if small else (_ABOVE, 0, 0, 0)
        # Where there is no room for air there is none.
        frame = 0 if self.ink.palette.exact else 2
        below = _BELOW_TALL if lines >= TALL else _BELOW
        room = lines - self.AROUND - (_ABOVE + below + (self.BENEATH or 0))
        rows = min(self.MOST_ROWS, self.height, room)
        if small and self.BENEATH is not None:
            rows = lines - self.AROUND + _AIR - frame
        body.styles.height = max(1, rows)
        self.call_after_refresh(self._count)

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(Rows).narrow(event.value)
        self._moved()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        row, typed = self.query_one(Rows).row, event.value.strip()
        if row:
            self.choose(row)
        elif typed and self._stem is not None:
            self.dismiss(f"{self._stem}{typed}")

    def on_click(self, event: events.Click) -> None:
        """Beside the list, where there is only the screen."""
        if self.get_widget_at(*event.screen_offset)[0] is self:
            self.action_close()

    def on_rows_clicked(self) -> None:
        if row := self.query_one(Rows).row:
            self.choose(row)

    def on_rows_moved(self) -> None:
        self._moved()

    def _moved(self) -> None:
        self.moved()
        self._count()

    def _count(self) -> None:
        self.query_one(Title).count(self.query_one(Rows).place)

    def action_step(self, by: int) -> None:
        self.query_one(Rows).step(by)

    def choose(self, row: Row) -> None:
        self.dismiss(row.value)

    def moved(self) -> None:
        """Another row may be the chosen one; a screen with a preview shows it."""


class Title(Drawn):
    FILL = "panel"

    def __init__(self, ink: Ink, title: str, hint: str) -> None:
        super().__init__(ink)
        self._title, self._hint, self._failed = title, hint, False
        self._count = ""

    def count(self, text: str) -> None:
        """At which of how many the list stands."""
        if text != self._count:
            self._count = text
            self.refresh()

    def show(self, title: str, hint: str = "", *, failed: bool = False) -> None:
        self._title, self._hint, self._failed = title, hint, failed
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink = self.ink
        style = ink.style("error", "panel") if self._failed else ink.style("heading", "panel", "bold")
        dim = ink.style("dim", "panel")
        left: list[Run] = [(f" {' '.join(safe(self._title).split())}", style), (f"  {self._count}", dim)]
        # The first give way where there is no room.
        hints = self._hint.split("  ")
        while len(hints) > 1 and cells(left) + len("  ".join(hints)) + 3 > width:
            hints.pop(0)
        if cells(left) + len(hints[0]) + 3 > width:
            left.pop()
        right: list[Run] = []
        for each in hints:
            keys = _KEYS.match(each)
            end = keys.end() if keys else 0
            right += [(each[:end], ink.style("text", "panel")), (f"{each[end:]}  ", dim)]
        right[-1] = (right[-1][0][:-1], dim)
        return [spread(left, right, width, ink, "panel")]
