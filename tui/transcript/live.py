"""A text while it is being written: what is settled is drawn once, only its end is drawn again."""

from __future__ import annotations

from textual.strip import Strip

from tui.escapes import EscapeFilter
from tui.transcript.blocks import Block
from tui.transcript.cards import draw_blocks
from tui.transcript.ink import Ink
from tui.transcript.renderer import widened
from tui.transcript.splitter import Splitter


class Live:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._filter = EscapeFilter()
        self._splitter = Splitter()
        self._settled: list[Block] = []
        self._strips: list[Strip] = []
        self._drawn = 0
        self._look: tuple[int, Ink, str] | None = None

    @property
    def text(self) -> str:
        self._parts = ["".join(self._parts)]
        return self._parts[0]

    def feed(self, delta: str) -> None:
        text = self._filter.feed(delta)
        self._parts.append(text)
        self._splitter.feed(text)

    def draw(self, width: int, ink: Ink, role: str = "text") -> list[Strip]:
        if self._look != (width, ink, role):
            self._look, self._strips, self._drawn = (width, ink, role), [], 0
        settled, tail = self._splitter.settle(), self._splitter.tail()
        self._settled += settled
        if any(widened(block) for block in (*settled, *tail)):
            self._strips, self._drawn = [], 0
        self._strips += self._drawn_below(self._settled[self._drawn :], width, ink, role)
        self._drawn = len(self._settled)
        return self._strips + self._drawn_below(tail, width, ink, role)

    def _drawn_below(self, blocks: list[Block], width: int, ink: Ink, role: str) -> list[Strip]:
        return draw_blocks(blocks, width, ink, role, below=bool(self._strips)) if blocks else []
