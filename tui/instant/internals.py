"""Everything of Textual that is not public and that the driver needs, in one place."""

from __future__ import annotations

from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.constants import ESCAPE_DELAY
from textual.message import Message
from textual.message_pump import MessagePump
from textual.strip import Strip

from tui.prompting.internals import PasteParser

__all__ = ["ALTERNATE_SCREEN", "ESCAPE_DELAY", "Parser", "is_input", "pumps", "rendered", "strips"]

ALTERNATE_SCREEN = "\x1b[?1049h"


class Parser(PasteParser):
    """Characters to events."""

    @property
    def waiting(self) -> bool:
        """Whether what came so far may be a key by itself or the beginning of a longer sequence."""
        return self._timeout_time is not None

    @property
    def idle(self) -> bool:
        """Whether nothing of what came so far waits for the rest of it."""
        return not self.waiting and self._pasted is None and not self._carried


def is_input(message: Message) -> bool:
    return isinstance(message, events.InputEvent | events.Paste)


def pumps(app: App[int]) -> Iterator[MessagePump]:
    """Where a key goes: down to who has the focus, and from there up again to the app."""
    yield app
    if not app.screen_stack:
        return
    node: MessagePump | None = app.focused or app.screen
    while node is not None:
        yield node
        node = node._parent  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def strips(app: App[int]) -> list[str]:
    """The screen as it is, row by row, in the sequences that are sent to the terminal."""
    found: list[Strip] = app.screen._compositor.render_strips()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    return [strip.render(app.console) for strip in found]


def rendered(app: App[int], text: str, style: Style) -> str:
    strip = Strip([Segment(text, style)])
    for each in app.get_line_filters():
        strip = strip.apply_filter(each, app.screen.background_colors[1])
    return strip.render(app.console)
