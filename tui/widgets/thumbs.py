"""Scroll bars where there are no colours: a line, for a block would be the brightest thing on the screen."""

from __future__ import annotations

from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style
from textual.scrollbar import ScrollBarRender

_THUMB = "@mouse.down"
_DIM = Style(dim=True, reverse=False)


class Thumbs(ScrollBarRender):
    LINE = "│"

    @classmethod
    def render_bar(
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,
        back_color: Color = Color.default(),  # noqa: B008 a constant
        bar_color: Color = Color.default(),  # noqa: B008 a constant
    ) -> Segments:
        bar = super().render_bar(
            size, virtual_size, window_size, position, thickness, vertical, back_color, bar_color
        )
        if not (bar_color.is_default and vertical):
            return bar
        return Segments([cls._thin(*each) for each in bar.segments], new_lines=True)

    @classmethod
    def _thin(cls, text: str, style: Style | None, control: object) -> Segment:
        del control
        if style is None or style.meta.get(_THUMB) != "grab":
            return Segment(text, style)
        return Segment(cls.LINE * len(text), style + _DIM)


class PlainThumbs(Thumbs):
    LINE = "|"
