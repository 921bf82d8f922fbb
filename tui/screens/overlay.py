"""What lies over the screen. It has all the keys: those of the app rest until it is gone."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen


class Overlay(ModalScreen[str | None], inherit_bindings=False):
    """Gives what was chosen or typed, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d", "leave", "Leave", id="leave"),
        Binding("ctrl+l", "redraw", "Draw the screen anew", id="redraw"),
    ]

    class Leaving(Message):
        """Not the list alone: Wakeful is to end."""

    class Soiled(Message):
        """All is to be drawn anew, what lies below included."""

    def action_leave(self) -> None:
        self.post_message(self.Leaving())

    def action_redraw(self) -> None:
        self.post_message(self.Soiled())

    def action_close(self) -> None:
        self.dismiss(None)
