"""Keeps the reader's place: at the end while text streams in, or on the line being read, whatever grows."""

from __future__ import annotations

import time
from collections.abc import Sequence

from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer

from tui.transcript.document import Document, Slot
from tui.transcript.internals import DirectScrollView

BAR_PAUSE = 0.5


class TopNeared(Message):
    """The reader comes near the beginning of what was loaded."""


class FollowScroll(DirectScrollView):
    """While `following`, the end stays in sight; else the line at the top stays where it is."""

    DEFAULT_CSS = """
    FollowScroll {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, document: Document, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.document = document
        self.following = True
        self.page = 0
        self._unseen: set[str] = set()
        self._anchor: Slot | None = None
        self._within = 0
        # How much of the anchor's text lies above; kept over resizes, so that they do not add up.
        self._read: int | None = None
        self._bar_moved = 0.0
        self._bar_late: Timer | None = None

    def settle(self) -> None:
        """To be called after every change: measures what is in sight and paints it."""
        if not self.document.width:
            return
        if self.following:
            self._measure_end()
            line = max(0, self.document.index.total - self.page)
        else:
            line = self._measure_around_anchor()
        self._move(line)
        if self._at_end:
            self._unseen.clear()
        self.repaint()

    def repaint(self) -> None:
        """What is in sight may look different now."""
        self.refresh()

    @property
    def unseen(self) -> int:
        """How many entries came or grew below while the reader is elsewhere."""
        return len(self._unseen)

    def notice(self, *entry_ids: str) -> None:
        """They are new, or have grown."""
        if not self.following:
            self._unseen.update(entry_ids)

    def show_end(self) -> None:
        self._follow()
        self.settle()

    def follow_if_at_end(self) -> None:
        """Where the end is in sight there is no other place to keep."""
        if self._at_end:
            self._follow()

    def show_line(self, line: int) -> None:
        """Puts a line at the top, or as near to it as the end allows."""
        self._anchor_at(line)
        self.following = False
        self.settle()

    def show_slot(self, slot: Slot) -> None:
        """Moves only as far as needed to see it, its start first."""
        place = self.document.place(slot)
        height = len(self.document.strips(place))
        top = self.document.index.top(place)
        line = self.scroll_offset.y
        if top < line or height >= self.page:
            self.show_line(top)
        elif top + height > line + self.page:
            self.show_line(top + height - self.page)
        else:
            self.refresh()

    def show_start(self) -> None:
        """Of the last one, where its end is all that could be seen of it."""
        last = self.document.slots[-1]
        if len(self.document.strips(len(self.document.slots) - 1)) > self.page > 0:
            self.show_slot(last)

    def hold_still(self) -> None:
        """Stops following: what is at the top of the screen stays there."""
        self._anchor_at(self.scroll_offset.y)
        self.following = False

    def forget_place(self) -> None:
        """Nothing is left to hold on to."""
        self._anchor, self._read, self._within = None, None, 0
        self.show_end()

    def release(self, slot: Slot) -> None:
        """It is gone; the line that comes in its place is held instead."""
        self._unseen.discard(slot.entry.id)
        if self._anchor is slot:
            self._anchor = None

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Somebody scrolled: `settle` moves without being watched."""
        line = self.scroll_offset.y
        if line >= self.max_scroll_y and (new_value > old_value or self.following):
            self._follow()
        elif new_value < old_value:
            self.following = False
        if not self.following:
            self._anchor_at(line)
            if line < self.page:
                self.post_message(TopNeared())
        self._bar_moved = 0.0
        self.settle()
        self.follow_pointer()

    def on_resize(self) -> None:
        region = self.scrollable_content_region
        self.page = region.height
        if region.width != self.document.width:
            self._rewidth(region.width)
        self._bar_moved = 0.0
        self.settle()

    def _rewidth(self, width: int) -> None:
        anchor = self._anchor if not self.following and self.document.width else None
        if anchor and self._read is None:
            self._read = _letters(self.document.strips(self.document.place(anchor))[: self._within])
        self.document.rewidth(width)
        if anchor and width:
            self._within = _line_after(self.document.strips(self.document.place(anchor)), self._read or 0)

    def _anchor_at(self, line: int) -> None:
        self._read = None
        if self.document.slots:
            number, self._within = self.document.index.at(line)
            self._anchor = self.document.slots[number]

    def _measure_end(self) -> None:
        number, seen = len(self.document.slots) - 1, 0
        while number >= 0 and seen < 2 * self.page:
            seen += self.document.height(number)
            number -= 1

    def _measure_around_anchor(self) -> int:
        document, anchor = self.document, self._anchor
        if anchor is None:
            self._anchor_at(self.scroll_offset.y)
            anchor = self._anchor
        if anchor is None:
            return 0
        place = document.place(anchor)
        number, seen = place, -self._within
        while number < len(document.slots) and seen < 2 * self.page:
            seen += document.height(number)
            number += 1
        number, seen = place - 1, 0
        while number >= 0 and seen < self.page:
            seen += document.height(number)
            number -= 1
        self._within = max(0, min(self._within, document.index.height(place) - 1))
        return document.index.top(place) + self._within

    def _move(self, line: int) -> None:
        total = self.document.index.total
        line = max(0, min(line, total - self.page))
        self.document.sight = range(line, line + self.page)
        self.move_to(line, total)
        # The bar is a widget of its own; painting it at every step would cost as much as the text.
        if not self.following or time.monotonic() - self._bar_moved > BAR_PAUSE:
            self._catch_up()
        elif self._bar_late is None:
            self._bar_late = self.set_timer(BAR_PAUSE, self._catch_up)

    def _catch_up(self) -> None:
        if self._bar_late:
            self._bar_late.stop()
            self._bar_late = None
        self._bar_moved = time.monotonic()
        self.move_bar()

    @property
    def _at_end(self) -> bool:
        return self.scroll_offset.y >= self.document.index.total - self.page

    def _follow(self) -> None:
        self.following = True
        self._unseen.clear()


def _letters(strips: Sequence[Strip]) -> int:
    """How much text that is, however it is wrapped."""
    return sum(len(strip.text) - strip.text.count(" ") for strip in strips)


def _line_after(strips: Sequence[Strip], letters: int) -> int:
    for number in range(len(strips)):
        letters -= _letters(strips[number : number + 1])
        if letters < 0:
            return number
    return max(0, len(strips) - 1)
