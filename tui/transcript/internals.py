"""Everything of Textual that is not public and that the transcript needs, in one place."""

from __future__ import annotations

from typing import Any, cast

from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.selection import SelectEnd, SelectState
from textual.widget import Widget

# Read from the class, a reactive is its own descriptor, which its type does not tell.
_VIRTUAL_SIZE = cast("Reactive[Size]", Widget.virtual_size)
_SCROLL_Y = Widget.scroll_y
_SCROLL_TARGET_Y = cast("Reactive[float]", Widget.scroll_target_y)
_SELECT_STATE = "_select_state"


class DirectScrollView(ScrollView, inherit_bindings=False):
    """Moves at once, and can be moved without everybody being told."""

    def _scroll_to(self, *place: Any, **options: Any) -> bool:  # noqa: ANN401
        # Heights are measured while scrolling: an animation would run towards a place that has moved.
        options["animate"] = False
        return super()._scroll_to(*place, **options)

    def move_to(self, line: int, total: int) -> None:
        """Sets size and offset without the layout of the whole screen that the reactives would start."""
        self.set_reactive(_VIRTUAL_SIZE, Size(self.scrollable_content_region.width, total))
        self.set_reactive(_SCROLL_Y, float(line))
        self.set_reactive(_SCROLL_TARGET_Y, float(line))

    def move_bar(self) -> None:
        bar = self.vertical_scrollbar
        bar.window_virtual_size = self.virtual_size.height
        bar.window_size = self.scrollable_content_region.height
        bar.position = self.scroll_y

    def follow_pointer(self) -> None:
        """While a selection scrolls under a resting pointer, its end is what lies there now."""
        screen = self.screen
        state = cast("SelectState | None", getattr(screen, _SELECT_STATE))
        if state is None or state.end is None or state.end.content_widget is not self:
            return
        _, offset = screen.get_widget_and_offset_at(*state.screen_offset)
        if offset is not None and offset != state.end.content_offset:
            end = SelectEnd(state.end.container, self, offset)
            setattr(screen, _SELECT_STATE, state.update_end(state.screen_offset, end))
