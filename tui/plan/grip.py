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
        """So far to the left, in cells; `done` once it was let go."""

        def __init__(self, cells: int, *, done: bool) -> None:
            super().__init__()
            self.cells, self.done = cells, done

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="plan-grip")
        self._held: int | None = None
        self._lit = False

    def light(self, *, lit: bool) -> None:
        if lit != self._lit:
            self._lit = lit
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        role = "accent" if self._lit or self._held is not None else "rule" if self.mouse_hover else "panel"
        sign = "|" if self.ink.glyphs.ascii else "▏"
        return [[(sign * width, self.ink.style(role, "panel"))]] * self.size.height

    def on_enter(self) -> None:
        self.refresh()

    def on_leave(self) -> None:
        self.refresh()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        event.stop()
        self._held = event.screen_x
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._held is not None and event.screen_x != self._held:
            moved, self._held = self._held - event.screen_x, event.screen_x
            self.post_message(self.Dragged(moved, done=False))

    def on_mouse_up(self) -> None:
        if self._held is not None:
            self._held = None
            self.release_mouse()
            self.post_message(self.Dragged(0, done=True))
            self.refresh()
