"""A widget of a few lines, drawn like the transcript: runs of text in the theme's ink, no markup anywhere.

Words in it about keys are keys themselves: a click on one does what the key does.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from tui.bindings import written
from tui.clipping import clipped
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells, strip

Hint = tuple[str, str]
"""A key, as the app calls it, with the word for what it does."""

_KEY = "key"


class Drawn(Widget):
    """Derive, say what the `rows` are, and call `refresh` when they change."""

    FILL = "page"
    # Of what it draws Textual knows nothing: it would copy the name of the widget.
    ALLOW_SELECT = False
    pointed: str | None = None
    """The key of the hint under the mouse, for `hint` to light it."""

    def __init__(self, ink: Ink, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.ink = ink

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        raise NotImplementedError

    def wear(self, ink: Ink) -> None:
        self.ink = ink
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        rows = self.rows(width)
        blank = self.ink.style("text", self.FILL)
        return strip(rows[y] if y < len(rows) else (), width, blank)

    def on_click(self, event: events.Click) -> None:
        if key := _key_at(event):
            self.app.simulate_key(key)  # pyright: ignore[reportUnknownMemberType] # of any result

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point(_key_at(event))

    def on_leave(self) -> None:
        self._point(None)

    def _point(self, key: str | None) -> None:
        if key != self.pointed:
            self.pointed = key
            self.refresh()


def hint(shown: Hint, ink: Ink, pointed: str | None = None, fill: str = "page") -> list[Run]:
    """Its word is lit while the mouse is over it."""
    key, word = shown
    text, dim = ink.style("text", fill), ink.style("dim", fill)
    click = Style(meta={_KEY: key})
    return [(written(key), text + click), (f" {word}", (text if key == pointed else dim) + click)]


def spread(left: Sequence[Run], right: Sequence[Run], width: int, ink: Ink, fill: str = "page") -> list[Run]:
    """Left and right on one line; where both do not fit the right one goes, then the left is cut."""
    room = width - cells(left) - cells(right)
    blank = ink.style("text", fill)
    if room >= 1:
        return [*left, (" " * room, blank), *right]
    return cut(left, width, ink)


def cut(runs: Sequence[Run], width: int, ink: Ink) -> list[Run]:
    found: list[Run] = []
    for text, style in runs:
        room = width - cells(found)
        if cell_len(text) > room:
            return [*found, (clipped(text, room, ink.glyphs.ellipsis), style)] if room > 0 else found
        found.append((text, style))
    return found


def _key_at(event: events.MouseEvent) -> str | None:
    found: object = event.style.meta.get(_KEY)
    return found if isinstance(found, str) else None
