"""Looking for words in the open conversation: one line above the prompt, with what was found counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from tui.bindings import key_for
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn

# Long conversations take a while; nobody wants that for every letter of a word.
_PAUSE = 0.12


class SearchBar(Horizontal):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,up", "step(-1)", "Found above", priority=True, id="search-up"),
        Binding("down,shift+enter", "step(1)", "Found below", priority=True, id="search-down"),
        Binding("escape", "close", "End the search", priority=True, id="search-close"),
    ]

    class Changed(Message):
        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Stepped(Message):
        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Closed(Message):
        pass

    def __init__(self, ink: Ink) -> None:
        super().__init__(id="search")
        self._ink = ink
        self._pause: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Input(placeholder="find in this conversation", compact=True, id="search-words")
        yield Tally(self._ink)

    def open(self) -> None:
        above, below, ends = (key_for(self, f"search-{what}") for what in ("up", "down", "close"))
        self.query_one(Tally).name_keys(f"  {above} above  {below} below  {ends} ends ")
        words = self.query_one(Input)
        words.focus()
        words.action_select_all()

    @property
    def words(self) -> str:
        return self.query_one(Input).value

    def show(self, at: int, count: int) -> None:
        self.query_one(Tally).show(at, count, searching=bool(self.words))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._pause:
            self._pause.stop()
        self._pause = self.set_timer(_PAUSE, self._tell)

    def action_step(self, by: int) -> None:
        if self._pause:
            self._tell()
        else:
            self.post_message(self.Stepped(by))

    def action_close(self) -> None:
        if self._pause:
            self._pause.stop()
            self._pause = None
        self.post_message(self.Closed())

    def _tell(self) -> None:
        if self._pause:
            self._pause.stop()
            self._pause = None
        self.post_message(self.Changed(self.words))


class Tally(Drawn):
    """`2 of 7`, and the keys."""

    FILL = "input"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="search-tally")
        self._at, self._count, self._searching = 0, 0, False
        self._keys = ""

    def name_keys(self, keys: str) -> None:
        self._keys = keys
        self.refresh()

    def show(self, at: int, count: int, *, searching: bool) -> None:
        self._at, self._count, self._searching = at, count, searching
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink = self.ink
        dim = ink.style("dim", "input")
        runs: list[Run] = []
        if self._searching and not self._count:
            runs.append(("not found", ink.style("waiting", "input")))
        elif self._searching:
            runs.append((f"{self._at} of {self._count}", ink.style("text", "input")))
        if cells(runs) + len(self._keys) <= width:
            runs.append((self._keys, dim))
        return [[(" " * max(0, width - cells(runs)), dim), *runs]]
