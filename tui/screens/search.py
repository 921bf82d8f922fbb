"""Words looked for in all sessions of a folder while they are typed; what is found shows where it stood."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from agent.commands.text import hit_speaker
from store.clock import age
from store.search import Hit, pieces
from tui.clipping import ending
from tui.escapes import safe
from tui.oneline import one_line
from tui.screens.picker import PickerScreen, Title
from tui.screens.rows import Row, Rows
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import cut, spread

_TITLE = "Search this folder's sessions"
_PAUSE = 0.12
_HEIGHT = 24
_LINES = 2


class SearchScreen(PickerScreen):
    """Gives the number of the hit that was chosen in `hits`, or None."""

    ENTER = "opens"

    class Asked(Message):
        """To be answered with `show`."""

        def __init__(self, screen: SearchScreen, words: str) -> None:
            super().__init__()
            self.screen, self.words = screen, words

    def __init__(self, ink: Ink, words: str, hits: Sequence[Hit]) -> None:
        super().__init__(ink, _TITLE, ())
        self.words, self.hits = words, tuple(hits)
        self._pause: Timer | None = None
        self._waits = self._entered = False

    def listing(self, rows: Sequence[Row]) -> Rows:
        del rows
        return Hits(self.ink)

    @property
    def height(self) -> int:
        return _HEIGHT

    def on_mount(self) -> None:
        line = self.query_one(Input)
        line.placeholder = "words that were said or planned"
        with self.prevent(Input.Changed):
            line.value = self.words
        super().on_mount()
        self.show(self.words, self.hits)

    def show(self, words: str, hits: Sequence[Hit]) -> None:
        """What was found; an answer to words that were typed over meanwhile says nothing any more."""
        if words != self.words:
            return
        self.hits = tuple(hits)
        self.query_one(Hits).found(words, self.hits)
        title = f"{_TITLE}: {len(hits)} found" if words.strip() else _TITLE
        self.query_one(Title).show(title, self.hint)
        self._waits = False
        if self._entered and (row := self.query_one(Hits).row):
            self.choose(row)
        self._entered = False

    def on_input_changed(self, event: Input.Changed) -> None:
        event.prevent_default().stop()
        self.words = event.value
        self._waits, self._entered = True, False
        if self._pause:
            self._pause.stop()
        self._pause = self.set_timer(_PAUSE, self._ask)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """What stands there may be of other words: whoever is faster than the search gets its first hit."""
        if self._waits:
            event.prevent_default()
            self._entered = True

    def _ask(self) -> None:
        self._pause = None
        self.post_message(self.Asked(self, self.words))


class Hits(Rows):
    """Two lines each: whose it is, and what stood around the words."""

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, ())
        self._hits: tuple[Hit, ...] = ()
        self._words = ""

    def found(self, words: str, hits: Sequence[Hit]) -> None:
        self._words, self._hits = words, tuple(hits)
        self.shown = tuple(Row(str(number), "") for number in range(len(hits)))
        self.chosen = 0
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        if not self._hits:
            said = "nothing found" if self._words.strip() else "type, and what was said or planned comes up"
            return [[(f"   {said}", self.ink.style("dim", "panel"))]]
        shown = range(self._first, min(len(self._hits), self._first + self._room))
        return [line for number in shown for line in self._drawn(number, width)]

    @property
    def _room(self) -> int:
        return max(1, self.size.height // _LINES)

    @property
    def _first(self) -> int:
        return max(0, min(self.chosen - self._room // 2, len(self._hits) - self._room))

    def _drawn(self, number: int, width: int) -> tuple[list[Run], list[Run]]:
        ink, hit, fill = self.ink, self._hits[number], self.fill(number)
        title = hit.title or ("no title" if hit.session_id else "workspace")
        left: list[Run] = [
            ("   ", ink.style("text", fill)),
            (one_line(safe(title)), ink.style("text", fill, "bold")),
            (f"  {one_line(safe(hit_speaker(hit)))}", ink.style(self.quiet(number), fill)),
        ]
        right: list[Run] = [(f"{age(hit.created_at)} ago ", ink.style(self.quiet(number), fill))]
        head = spread(cut(left, max(1, width - 14), ink), right, width, ink, fill)
        snippet: list[Run] = [("   ", ink.style("text", fill))]
        for at, (text, match) in enumerate(pieces(hit.snippet)):
            role = "accent" if match and fill == "panel" else "text" if match else self.quiet(number)
            weight = ("bold", "underline") if match else ()
            # The blanks between what matches and what does not are part of it.
            plain = safe(text).replace("\n", " ")
            # What was looked for must be seen, however long the words in front of it are.
            shown = plain if match or at else ending(plain, width // 3, ink.glyphs.ellipsis)
            snippet.append((shown, ink.style(role, fill, *weight)))
        return head, spread(cut(snippet, width - 1, ink), [], width, ink, fill)

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()
        place = self._first + event.y // _LINES
        if place < len(self._hits):
            self.chosen = place
            self.refresh()
            self.post_message(self.Clicked())
