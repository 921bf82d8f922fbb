"""A list to choose from: the rows that match what is typed, around the chosen one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual import events
from textual.message import Message

from agent.commands.matching import rank
from store.frozen import frozen
from tui.escapes import safe
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, cut, spread


@frozen
class Row:
    """`value` is what choosing it gives; `key` does the same without the list.

    Without a value it is a heading over those below it, which cannot be chosen. What stands `aside` can be,
    but no list begins there.
    """

    value: str
    label: str
    detail: str = ""
    current: bool = False
    key: str = ""
    failed: bool = False
    aside: bool = False


class Rows(Drawn):
    FILL = "panel"

    class Clicked(Message):
        pass

    class Moved(Message):
        """Another row is the chosen one."""

    def __init__(self, ink: Ink, rows: Sequence[Row]) -> None:
        super().__init__(ink, id="rows")
        self._all = tuple(rows)
        self._typed = ""
        self.nothing = "nothing matches"
        self.shown = self._all
        self.chosen = next((number for number, row in enumerate(rows) if row.current), 0)
        self._settle(1)

    @property
    def place(self) -> str:
        """`3 of 57`, where not all are in sight."""
        if len(self.shown) <= self.size.height:
            return ""
        real = [number for number, row in enumerate(self.shown) if row.value]
        return f"{real.index(self.chosen) + 1} of {len(real)}" if self.chosen in real else ""

    @property
    def row(self) -> Row | None:
        return self.shown[self.chosen] if self.shown else None

    def to_first(self) -> None:
        """To the first, whichever is the current one."""
        self.chosen = 0
        self._settle(1)

    def show(self, rows: Sequence[Row]) -> None:
        """Others in their place; the chosen one stays chosen while it is there."""
        before = self.row
        self._all = tuple(rows)
        self.narrow(self._typed)
        values = [row.value for row in self.shown]
        if before and before.value in values:
            self.chosen = values.index(before.value)

    def narrow(self, typed: str) -> None:
        self._typed = typed
        typed = typed.removeprefix("/")
        found = [row for row in self._all if row.value] if typed else []
        self.shown = tuple(rank(typed, found, lambda row: _texts(row, typed))) if typed else self._all
        # The best match is meant, wherever it stood.
        self.chosen = next((at for at, row in enumerate(self.shown) if not (typed or row.aside)), 0)
        self._settle(1)
        self.refresh()

    def step(self, by: int) -> None:
        self.chosen = max(0, min(len(self.shown) - 1, self.chosen + by))
        self._settle(by)
        self.refresh()
        self.post_message(self.Moved())

    def _settle(self, way: int) -> None:
        """A heading is passed over, and back over where nothing comes behind it."""
        for step in (1 if way > 0 else -1, 1 if way <= 0 else -1):
            at = self.chosen
            while 0 <= at < len(self.shown) and not self.shown[at].value:
                at += step
            if 0 <= at < len(self.shown):
                self.chosen = at
                return

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink = self.ink
        if not self.shown:
            return [[(f"   {self.nothing}", ink.style("dim", "panel"))]]
        last = min(len(self.shown), self._top + self.size.height)
        return [self._row(number, width) for number in range(self._top, last)]

    def _row(self, number: int, width: int) -> list[Run]:
        row = self.shown[number]
        if row.value:
            return self.draw(row, number, width)
        return cut([(f"   {_line(row.label)}", self.ink.style("heading", "panel", "bold"))], width, self.ink)

    def draw(self, row: Row, number: int, width: int) -> list[Run]:
        ink, fill = self.ink, self.fill(number)
        left = self.front(row, fill)
        role = "error" if row.failed and number != self.chosen else self.quiet(number)
        detail: list[Run] = [(_line(row.detail), ink.style(role, fill))] if row.detail else []
        # Both give way, what it is less than what is said of it.
        left = cut(left, max(width * 2 // 3, width - cells(detail) - 3), ink)
        blank: Run = (" ", ink.style(self.quiet(number), fill))
        right = [*cut(detail, max(0, width - cells(left) - 3), ink), blank]
        return spread(left, right, width, ink, fill)

    def front(self, row: Row, fill: str) -> list[Run]:
        mark = "*" if self.ink.glyphs.ascii else "•"
        return [
            (
                f" {mark if row.current else ' '} ",
                self.ink.style("text" if fill == "selection" else "accent", fill),
            ),
            (_line(row.label), self.ink.style("text", fill)),
        ]

    def fill(self, number: int) -> str:
        return "selection" if number == self.chosen else "panel"

    def quiet(self, number: int) -> str:
        """What is dim elsewhere could not be read on the chosen row."""
        return "text" if number == self.chosen else "dim"

    @property
    def _top(self) -> int:
        height = max(1, self.size.height)
        return max(0, min(self.chosen - height // 2, len(self.shown) - height))

    def on_click(self, event: events.Click) -> None:
        place = self._top + event.y
        if place < len(self.shown) and self.shown[place].value:
            self.chosen = place
            self.refresh()
            self.post_message(self.Clicked())

    def on_mouse_scroll_up(self) -> None:
        self.step(-1)

    def on_mouse_scroll_down(self) -> None:
        self.step(1)


class Listed(Rows):
    """What each does stands in a column of its own, its key at the end."""

    COLUMN = 34
    # It keeps this much in a narrow window.
    LEAST = 12

    def draw(self, row: Row, number: int, width: int) -> list[Run]:
        ink, fill = self.ink, self.fill(number)
        labels = max((len(each.label) for each in self._all), default=0) + 5
        column = min(labels, self.COLUMN, max(width * 3 // 8, self.LEAST))
        quiet = ink.style(self.quiet(number), fill)
        key: list[Run] = [(f" {row.key} ", quiet)] if row.key and len(row.key) <= width // 2 else []
        detail: list[Run] = [(_line(row.detail), quiet)]
        # A long name goes on where little or nothing is said of it.
        left = cut(self.front(row, fill), max(column - 2, width - cells(key) - cells(detail) - 3), ink)
        left.append((" " * max(2, column - cells(left)), ink.style("text", fill)))
        room = width - cells(left) - cells(key) - 1
        return spread([*left, *cut(detail, max(0, room), ink)], key, width, ink, fill)


def _texts(row: Row, typed: str) -> Iterator[str]:
    """Letters here and there are enough in a name; in a sentence they would match everything."""
    yield row.label.removeprefix("/")
    for text in (row.detail, row.key):
        if typed.casefold() in text.casefold():
            yield text


def _line(text: str) -> str:
    return " ".join(safe(text).split())
