"""The keys of the prompt; each has a name by which the user's settings can give it another one."""

from __future__ import annotations

from textual.binding import Binding

OWN = (
    Binding("enter", "send", "Send", id="send"),
    Binding("shift+enter,alt+enter,ctrl+j", "newline", "New line", id="newline"),
    Binding("ctrl+s", "steer", "Send into the running turn", id="steer"),
    Binding("ctrl+enter,alt+a", "list", "Put on the list as a todo", id="add-todo"),
    Binding("tab", "complete", "Complete", id="complete"),
    Binding("escape", "close_menu", "Close the menu", id="menu-close"),
    Binding("up", "up", "Line above, or the prompt before", id="prompt-up"),
    Binding("down", "down", "Line below, or the prompt after", id="prompt-down"),
    Binding("ctrl+g", "edit", "Write in your editor", id="editor"),
    Binding("alt+e", "expand", "Show what was pasted", id="paste-expand"),
    Binding("ctrl+r", "recall", "Find an earlier prompt", id="recall"),
)
EDITING = (
    Binding("left", "cursor_left", "Left", id="edit-left"),
    Binding("right", "cursor_right", "Right", id="edit-right"),
    Binding("ctrl+left,alt+left,alt+b", "cursor_word_left", "A word to the left", id="edit-word-left"),
    Binding("ctrl+right,alt+right,alt+f", "cursor_word_right", "A word to the right", id="edit-word-right"),
    Binding("home,ctrl+a", "cursor_line_start", "Beginning of the line", id="edit-home"),
    Binding("end,ctrl+e", "cursor_line_end", "End of the line", id="edit-end"),
    Binding("shift+up", "cursor_up(True)", "Select up", id="select-up"),
    Binding("shift+down", "cursor_down(True)", "Select down", id="select-down"),
    Binding("shift+left", "cursor_left(True)", "Select to the left", id="select-left"),
    Binding("shift+right", "cursor_right(True)", "Select to the right", id="select-right"),
    Binding("ctrl+shift+left", "cursor_word_left(True)", "Select a word left", id="select-word-left"),
    Binding("ctrl+shift+right", "cursor_word_right(True)", "Select a word right", id="select-word-right"),
    Binding("shift+home", "cursor_line_start(True)", "Select to the beginning", id="select-home"),
    Binding("shift+end", "cursor_line_end(True)", "Select to the end", id="select-end"),
    Binding("backspace,ctrl+h", "delete_left", "Delete to the left", id="delete-left"),
    Binding("delete", "delete_right", "Delete to the right", id="delete-right"),
    Binding("ctrl+w,ctrl+backspace,alt+backspace", "delete_word_left", "Delete a word", id="delete-word"),
    Binding("alt+d,alt+delete", "delete_word_right", "Delete the next word", id="delete-next-word"),
    Binding("ctrl+u", "delete_to_start_of_line", "Delete to the beginning", id="delete-to-start"),
    Binding("ctrl+k", "delete_to_end_of_line_or_delete_line", "Delete to the end", id="delete-to-end"),
    Binding("ctrl+x", "cut", "Cut", id="cut"),
    Binding("ctrl+v", "paste", "Paste what was cut", id="paste"),
    Binding("ctrl+z", "undo", "Undo", id="edit-undo"),
    Binding("ctrl+y", "redo", "Redo", id="edit-redo"),
)
