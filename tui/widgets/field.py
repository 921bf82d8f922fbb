"""One line to type in, edited with the keys of the prompt."""

from __future__ import annotations

from typing import ClassVar

from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.widgets import Input

from tui.prompting.bindings import EDITING

# What an `Input` calls what the prompt does; it has no lines above or below, and no undo.
_ACTIONS = {
    "edit-left": "cursor_left",
    "edit-right": "cursor_right",
    "edit-word-left": "cursor_left_word",
    "edit-word-right": "cursor_right_word",
    "edit-home": "home",
    "edit-end": "end",
    "select-left": "cursor_left(True)",
    "select-right": "cursor_right(True)",
    "select-word-left": "cursor_left_word(True)",
    "select-word-right": "cursor_right_word(True)",
    "select-home": "home(True)",
    "select-end": "end(True)",
    "delete-left": "delete_left",
    "delete-right": "delete_right",
    "delete-word": "delete_left_word",
    "delete-next-word": "delete_right_word",
    "delete-to-start": "delete_left_all",
    "delete-to-end": "delete_right_all",
    "cut": "cut",
    "paste": "paste",
}


class Field(Input, inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Take it"),
        Binding("super+c", "copy", "Copy what is marked", id="copy"),
        Binding("ctrl+d", "delete_or_leave", "Leave", id="leave"),
        *(
            Binding(each.key, _ACTIONS[each.id], each.description, id=each.id)
            for each in EDITING
            if each.id in _ACTIONS
        ),
    ]

    def action_delete_or_leave(self) -> None:
        """As in a shell, and at the prompt."""
        if not self.value:
            raise SkipAction
        self.action_delete_right()
