"""Paints the lines in sight with what lies over them, and gives back the text of a selection."""

from __future__ import annotations

from collections.abc import Iterator

from rich.style import Style
from textual.geometry import Offset, Region
from textual.selection import Selection
from textual.strip import Strip

from tui.transcript.cards import blank
from tui.transcript.document import KEPT, Document, Slot
from tui.transcript.entries import Printed
from tui.transcript.finding import Hit, hits, line_at, word_at
from tui.transcript.marking import copied, cornered, edged, marked
from tui.transcript.scrolling import FollowScroll
from tui.transcript.vacancy import vacancy

# A place in the text is one number: the slot's, then the line in it. So it holds while text above grows.
LINE_BITS = 20
_LINE = (1 << LINE_BITS) - 1
_TO_END = Style(meta={"act": "end"})


class Painted(FollowScroll):
    def __init__(self, document: Document, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(document, id=id)
        self.cursor: Slot | None = None
        self.query_shown = ""
        # The entry and the number of the hit in it that the reader is at.
        self.hit: tuple[Slot, int] | None = None
        self._hits: dict[int, tuple[list[Strip], str, list[Hit]]] = {}
        self.vacancy: Printed | None = None
        # Each row as it was painted last, by its number.
        self._painted: dict[int, Strip] = {}
        # The rows that were in sight when something was marked last.
        self._bounds: tuple[Offset | None, Offset | None] = (None, None)

    def text_at(self, line: int) -> str:
        """The text of a line of the whole transcript, for those who do not look at the screen."""
        strip = self.document.line(line)
        return strip.text.rstrip() if strip else ""

    def repaint(self) -> None:
        """Only from the first row that differs from what is there to the last; a screen may be far away."""
        rows = self._drawn_rows(0, self.page)
        changed = [row for row, strip in enumerate(rows) if self._painted.get(row) != strip]
        if changed:
            # Without the column of the scroll bar, which moves by itself.
            self.refresh(Region(0, changed[0], self.document.width, changed[-1] - changed[0] + 1))

    def render_lines(self, crop: Region) -> list[Strip]:
        """Straight from what is drawn: styles and borders of the widget itself play no part."""
        drawn = self._drawn_rows(crop.y, crop.height)
        self._painted.update(enumerate(drawn, crop.y))
        filters, behind = self.get_line_filters(), self.background_colors[1]
        width = self.scrollable_content_region.width
        painted = [self._fitted(strip, crop, width) for strip in drawn]
        for each in filters:
            painted = [strip.apply_filter(each, behind) for strip in painted]
        return painted

    def render_line(self, y: int) -> Strip:
        """Only asked for to find out what lies under the pointer."""
        slot, within, strip = next(self._rows(y, 1))
        return strip.apply_offsets(0, _place_of(slot, within)) if slot else strip

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        slots = self.document.slots
        if not slots:
            return None
        selection = self._bounded(selection)
        start = selection.start or Offset(0, slots[0].number << LINE_BITS)
        end = selection.end or Offset(-1, (slots[-1].number << LINE_BITS) + _LINE)
        numbers = range(self._place(start.y), min(self._place(end.y) + 1, len(slots)))
        return copied(line for number in numbers for line in self._selected(number, selection)), "\n"

    def around(self, offset: Offset, *, line: bool) -> Selection | None:
        """The word at a place of the screen, or the line that was written there."""
        _, place = self.screen.get_widget_and_offset_at(*offset)
        if place is None:
            return None
        strips = self.document.strips(self._place(place.y))
        within, base = place.y & _LINE, place.y & ~_LINE
        if line:
            first, last = line_at(strips, within)
            return Selection(Offset(0, base + first), Offset(len(strips[last].text), base + last))
        word = word_at(strips, within, place.x)
        if not word:
            return None
        return Selection(
            Offset(word[0].start, base + word[0].line), Offset(word[-1].end, base + word[-1].line)
        )

    def selection_updated(self, selection: Selection | None) -> None:
        """Whoever leaves the transcript with the mouse means what they saw of it, not all there is."""
        rows = [(slot, within) for slot, within, _ in self._rows(0, self.page) if slot]
        if selection and rows:
            (first, above), (last, below) = rows[0], rows[-1]
            end = len(self.document.strips(self.document.place(last))[below].text)
            self._bounds = Offset(0, _place_of(first, above)), Offset(end, _place_of(last, below))
        super().selection_updated(selection)

    def _bounded(self, selection: Selection) -> Selection:
        return Selection(selection.start or self._bounds[0], selection.end or self._bounds[1])

    def _selected(self, number: int, selection: Selection) -> Iterator[tuple[Strip, int, int | None]]:
        slot = self.document.slots[number]
        for within, strip in enumerate(self.document.strips(number)):
            span = selection.get_span(_place_of(slot, within))
            if span is not None:
                yield strip, span[0], None if span[1] < 0 else span[1]

    def slot_at(self, row: int) -> Slot | None:
        """The entry painted in a row of the screen."""
        return next(self._rows(row, 1))[0]

    def _rows(self, y: int, height: int) -> Iterator[tuple[Slot | None, int, Strip]]:
        document = self.document
        if self.vacancy and document.width and not document.slots:
            drawn = vacancy(self.vacancy, document.width, self.page, document.ink)
            yield from ((None, 0, strip) for strip in drawn[y : y + height])
            return
        line, total = self.scroll_offset.y + y, document.index.total
        empty = blank(max(1, document.width), document.ink)
        if not document.width or line >= total:
            yield from [(None, 0, empty)] * height
            return
        number, within = document.index.at(line)
        for _ in range(height):
            while number < len(document.slots) and within >= len(document.strips(number)):
                number, within = number + 1, 0
            if number == len(document.slots):
                yield None, 0, empty
                continue
            yield document.slots[number], within, document.strips(number)[within]
            within += 1

    def _drawn_rows(self, y: int, height: int) -> list[Strip]:
        return [self._overlaid(row, *drawn) for row, drawn in enumerate(self._rows(y, height), y)]

    def _fitted(self, strip: Strip, crop: Region, width: int) -> Strip:
        # The scroll bar has a column of its own.
        if crop.x == 0 and strip.cell_length == width and strip.cell_length <= crop.width:
            return strip
        return strip.crop_extend(crop.x, crop.right, self.document.ink.style())

    def _overlaid(self, row: int, slot: Slot | None, within: int, strip: Strip) -> Strip:
        ink = self.document.ink
        if slot:
            if self.query_shown:
                strip = self._lit(slot, within, strip)
            selection = self.text_selection
            span = self._bounded(selection).get_span(_place_of(slot, within)) if selection else None
            if span:
                end = span[1] if span[1] >= 0 else len(strip.text)
                strip = marked(strip, span[0], end, ink.style("text", "selection"))
            if slot is self.cursor and within >= slot.gap:
                strip = edged(strip, ink.glyphs.bar, ink.style("heading"))
        if self.unseen and row == self.page - 1:
            words = f" {ink.glyphs.down} {self.unseen} new "
            strip = cornered(strip, words, ink.style("accent", "input", "bold") + _TO_END, ink.style())
        return strip

    def hits_in(self, slot: Slot) -> list[Hit]:
        """What is found of the search in the lines of an entry as it is drawn."""
        strips = self.document.strips(self.document.place(slot))
        drawn, query, found = self._hits.get(slot.number, ([], "", []))
        if drawn is not strips or query != self.query_shown:
            if len(self._hits) > KEPT:
                self._hits.clear()
            found = hits(strips, self.query_shown)
            self._hits[slot.number] = strips, self.query_shown, found
        return found

    def _lit(self, slot: Slot, within: int, strip: Strip) -> Strip:
        ink = self.document.ink
        for number, hit in enumerate(self.hits_in(slot)):
            for span in hit:
                if span.line == within:
                    here = self.hit == (slot, number)
                    look = ("waiting", "page", "bold", "reverse") if here else ("text", "found")
                    strip = marked(strip, span.start, span.end, ink.style(*look))
        return strip

    def _place(self, y: int) -> int:
        return self.document.place_of(y >> LINE_BITS)


def _place_of(slot: Slot, within: int) -> int:
    return (slot.number << LINE_BITS) + within
