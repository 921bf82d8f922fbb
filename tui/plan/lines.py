"""Lines of any number of which only those in sight are drawn."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Region
from textual.strip import Strip

from tui.transcript.ink import Ink
from tui.transcript.internals import DirectScrollView
from tui.transcript.wrapping import Run
from tui.transcript.wrapping import strip as made


class Lines(DirectScrollView):
    """Derive, say what a `line` is, and call `settle` when their number may have changed."""

    DEFAULT_CSS = """
    Lines { overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1; }
    """
    ALLOW_SELECT = False

    def __init__(self, ink: Ink, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.ink = ink
        self.total = 0

    def line(self, number: int) -> Sequence[Run]:
        raise NotImplementedError

    def fill(self, number: int) -> str:
        """What lies behind a line, up to its end."""
        del number
        return "panel"

    @property
    def columns(self) -> int:
        return max(1, self.scrollable_content_region.width)

    @property
    def page(self) -> int:
        return max(1, self.scrollable_content_region.height)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Straight from what is drawn: styles and borders of the widget itself play no part."""
        filters, background = self.get_line_filters(), self.background_colors[1]
        top, width = self.scroll_offset.y, self.columns
        strips = [self._strip(top + y, width) for y in range(crop.y, crop.bottom)]
        if crop.x or crop.width != width:
            blank = self.ink.style("text", "panel")
            strips = [strip.crop_extend(crop.x, crop.right, blank) for strip in strips]
        for each in filters:
            strips = [strip.apply_filter(each, background) for strip in strips]
        return strips

    def render_line(self, y: int) -> Strip:
        return self._strip(self.scroll_offset.y + y, self.columns)

    def settle(self, top: int | None = None) -> None:
        """Puts a line at the top, or stays, as near to it as the end allows, and paints."""
        wanted = self.scroll_offset.y if top is None else top
        self.move_to(max(0, min(wanted, self.total - self.page)), self.total)
        self.move_bar()
        self.refresh()

    def reveal(self, first: int, last: int) -> None:
        """Moves only as far as needed to see these lines, the first of them above all."""
        top = max(self.scroll_offset.y, last - self.page + 1)
        self.settle(min(top, first))

    def wear(self, ink: Ink) -> None:
        self.ink = ink
        self.refresh()

    def _strip(self, number: int, width: int) -> Strip:
        if number >= self.total:
            return made((), width, self.ink.style("text", "panel"))
        return made(self.line(number), width, self.ink.style("text", self.fill(number)))
