"""Who could run a model, to be chosen from; whoever types instead is at the prompt at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.message import Message
from textual.widget import Widget

from tui.bindings import key_for
from tui.screens.picker import PickerScreen
from tui.screens.rows import Listed, Row, Rows
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn

_ABOUT = ("Wakeful writes a plan, works through it, and stops when you say so.",)
_FOOT = (
    "Or just type: any letter closes this and goes to the prompt. /setup brings it back.",
    "Or just type: it goes to the prompt. /setup brings this back.",
    "Or just type; /setup brings this back.",
    "Or just type.",
)


class SetupScreen(PickerScreen):
    """It stays open under the steps that a choice leads to; None when it was skipped."""

    # The line at its foot, and air above it.
    BENEATH: ClassVar[int | None] = 2

    def __init__(self, ink: Ink, choose: Callable[[str], object], *, first: bool) -> None:
        super().__init__(ink, "Which model shall work for you?", ())
        self._choose = choose
        self._first = first
        self.seen_at: float | None = None

    @property
    def hint(self) -> str:
        close = "skips" if self._first else self.CLOSE
        return f"enter {self.ENTER}  {key_for(self, 'picker-close')} {close}"

    def above(self) -> Widget:
        return Sentence(self.ink, _ABOUT, "text", id="about")

    def listing(self, rows: Sequence[Row]) -> Rows:
        return _Choices(self.ink, rows)

    def below(self) -> Sequence[Widget]:
        return [Sentence(self.ink, _FOOT, "dim", id="foot")]

    def on_mount(self) -> None:
        self.call_after_refresh(self._drawn)

    def _drawn(self) -> None:
        self.seen_at = time.monotonic()

    def choose(self, row: Row) -> None:
        self._choose(row.value)

    def on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            # Nobody answers what they have not seen yet.
            seen = self.seen_at is not None and event.time >= self.seen_at
            if seen and (row := self.query_one(Rows).row):
                self.choose(row)
        elif event.is_printable:
            event.stop()
            letter = events.Key(event.key, event.character)
            # Keys that come all at once are taken for a paste, and these came when they came.
            letter.time = event.time
            self._give_way(letter)

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._give_way(events.Paste(event.text))

    def _give_way(self, typed: Message) -> None:
        """What was typed here goes where it would have gone."""
        self.dismiss(None)
        self.app.post_message(typed)  # pyright: ignore[reportUnknownMemberType] # of any result


class _Choices(Listed):
    """Its names are what one looks for; its headings are longer, and change."""

    COLUMN = 20
    LEAST = 18


class Sentence(Drawn):
    """One line: the longest way to say it for which there is room."""

    FILL = "panel"

    def __init__(self, ink: Ink, ways: Sequence[str], role: str, *, id: str) -> None:  # noqa: A002
        super().__init__(ink, id=id)
        self._ways, self._role = ways, role

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        fitting = [way for way in self._ways if len(way) + 2 <= width]
        return [[(f" {(fitting or self._ways[-1:])[0]}", self.ink.style(self._role, "panel"))]]
