"""Looking for words in the open conversation: one line above the prompt, with what was found counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from tui.widgets.field import Field

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
        yield Field(placeholder="find in this conversation", compact=True, id="search-words")
        yield Tally(self._ink)

    def open(self) -> None:
        does = (("up", "previous"), ("down", "next"), ("close", "ends"))
        self.query_one(Tally).name_keys([(key_for(self, f"search-{key}"), word) for key, word in does])
        words = self.query_one(Input)
        words.focus()
        words.action_select_all()

    @property
    def field(self) -> Input:
        return self.query_one(Input)

    @property
    def words(self) -> str:
        return self.field.value

    @property
    def pausing(self) -> bool:
        """Whether what was typed is not looked for yet."""
        return self._pause is not None

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
        self._keys: tuple[tuple[str, str], ...] = ()

    def name_keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Each with the word for what it does."""
        self._keys = tuple(keys)
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
        keys: list[Run] = []
        for key, word in self._keys:
            keys += [(" · " if keys else "   ", dim), (key, ink.style("text", "input")), (f" {word}", dim)]
        if cells(runs) + cells(keys) <= width:
            runs += keys
        return [[(" " * max(0, width - cells(runs)), dim), *runs]]
