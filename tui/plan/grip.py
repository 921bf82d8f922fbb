"""The left edge of the sidebar: it is dragged to make room, and lit while keys go to the plan."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message

from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn


class Grip(Drawn):
    FILL = "panel"

    class Dragged(Message):
        """To this column of the screen; `done` once it was let go."""

        def __init__(self, column: int, *, done: bool) -> None:
            super().__init__()
            self.column, self.done = column, done

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="plan-grip")
        # Where there is nothing beside it there is nothing to drag.
        self.fixed = False
        self._held: int | None = None
        self._moved = self._waiting = False
        self._lit = False

    def light(self, *, lit: bool) -> None:
        if lit != self._lit:
            self._lit = lit
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        del width
        quiet = "rule" if self.mouse_hover and not self.fixed else "panel"
        role = "accent" if self._lit or self._held is not None else quiet
        sign = "|" if self.ink.glyphs.ascii else "▏"
        return [[(sign, self.ink.style(role, "panel"))]] * self.size.height

    def on_enter(self) -> None:
        self.refresh()

    def on_leave(self) -> None:
        self.refresh()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        event.stop()
        if not self.fixed:
            self._held, self._moved = event.screen_x, False
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """A hand is faster than the screen: each frame takes all the way since the one before."""
        if self._held is not None and event.screen_x != self._held:
            if not self._waiting:
                self._waiting = self.call_after_refresh(self._tell)
            self._held, self._moved = event.screen_x, True

    def on_mouse_up(self) -> None:
        if self._held is not None:
            column, self._held = self._held, None
            self.release_mouse()
            if self._moved:
                self.post_message(self.Dragged(column, done=True))
            self.refresh()

    def _tell(self) -> None:
        self._waiting = False
        if self._held is not None:
            self.post_message(self.Dragged(self._held, done=False))
