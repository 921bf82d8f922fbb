"""A text area in which some words are one thing: the cursor steps over them, and they go as a whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.events import Click, MouseEvent
from textual.geometry import Offset
from textual.widgets import TextArea

from tui.prompting.tokens import Tokens, cleaned

if TYPE_CHECKING:
    from textual.widgets.text_area import Edit, EditResult, Location

_WORD = re.compile(r"\w+")


class UnitArea(TextArea, inherit_bindings=False):
    COMPONENT_CLASSES: ClassVar[set[str]] = {"units--word"}

    def __init__(self, placeholder: str, *, id: str) -> None:  # noqa: A002
        super().__init__(
            id=id, compact=True, highlight_cursor_line=False, placeholder=placeholder, tab_behavior="focus"
        )
        self.tokens = Tokens()

    @property
    def typed(self) -> str:
        """What stands before the cursor."""
        return self.get_text_range((0, 0), self.cursor_location)

    @property
    def selected_text(self) -> str:
        """Wherever it is copied to, words in it are what they stand for."""
        return self.tokens.expanded(super().selected_text)

    def put(self, text: str) -> None:
        """In the place of what stands there; nothing that a terminal would obey comes in this way either."""
        self.replace(cleaned(text), (0, 0), self.document.end, maintain_selection_offset=False)
        self.move_cursor(self.document.end)

    def edit(self, edit: Edit) -> EditResult:
        result = super().edit(edit)
        # Textual looks for the cursor before it knows of a new line below.
        self.call_after_refresh(self.scroll_cursor_visible)
        return result

    def on_resize(self) -> None:
        self.call_after_refresh(self.scroll_cursor_visible)

    def scroll_cursor_visible(self, center: bool = False, animate: bool = False) -> Offset:
        """Undoing measures the text anew while the cursor still stands where it stood in the longer one."""
        if self.cursor_location[0] >= self.document.line_count:
            return Offset()
        return super().scroll_cursor_visible(center, animate)

    def on_click(self, event: Click) -> None:
        """Two in a row mark a word, three the line."""
        row, column = self.cursor_location
        if event.chain == 2:
            start, end = self._word_at(row, column)
            self.move_cursor((row, start))
            self.move_cursor((row, end), select=True)
        elif event.chain == 3:
            self.select_line(row)

    def _word_at(self, row: int, column: int) -> tuple[int, int]:
        line = self.document.get_line(row)
        words = [(start, end) for start, end, _ in self.tokens.spans(line)]
        words += [found.span() for found in _WORD.finditer(line)]
        return next((span for span in words if span[0] <= column <= span[1]), (column, column))

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        for start, end, _ in self.tokens.spans(line.plain):
            line.stylize(self.get_component_rich_style("units--word", partial=True), start, end)
        return line

    def get_cursor_left_location(self) -> Location:
        return self._outside(super().get_cursor_left_location(), -1)

    def get_cursor_right_location(self) -> Location:
        return self._outside(super().get_cursor_right_location(), 1)

    def get_cursor_word_left_location(self) -> Location:
        return self._outside(super().get_cursor_word_left_location(), -1)

    def get_cursor_word_right_location(self) -> Location:
        return self._outside(super().get_cursor_word_right_location(), 1)

    def get_cursor_up_location(self) -> Location:
        return self._outside(super().get_cursor_up_location(), 0)

    def get_cursor_down_location(self) -> Location:
        return self._outside(super().get_cursor_down_location(), 0)

    def get_target_document_location(self, event: MouseEvent) -> Location:
        return self._outside(super().get_target_document_location(event), 0)

    def _outside(self, place: Location, towards: int) -> Location:
        """The place itself, or the end of the word that it lies inside of: the nearer one for 0."""
        row, column = place
        found = self.tokens.around(self.document.get_line(row), column)
        if found is None:
            return place
        start, end = found
        ahead = towards > 0 or (towards == 0 and column - start > end - column)
        return row, end if ahead else start
