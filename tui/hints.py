"""Words about keys that are keys themselves: a click on one does what the key does."""

from __future__ import annotations

from rich.style import Style
from textual import events

from tui.bindings import written
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn

Hint = tuple[str, str]
"""A key, as the app calls it, with the word for what it does."""

_KEY = "key"


class Hinting(Drawn):
    """Derive, and draw each hint with `hint`, handing it what is `pointed` at."""

    pointed: str | None = None
    """The key of the hint under the mouse."""

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


def _key_at(event: events.MouseEvent) -> str | None:
    found: object = event.style.meta.get(_KEY)
    return found if isinstance(found, str) else None
