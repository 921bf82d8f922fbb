"""The whole transcript as lines, of which only those somebody looks at are ever drawn."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from textual.strip import Strip

from tui.transcript.cards import blank, draw, hides
from tui.transcript.entries import (
    AssistantText,
    Body,
    Entry,
    Reasoning,
    StreamKind,
    ToolCall,
    filtered,
    searched,
    source,
)
from tui.transcript.finding import plain
from tui.transcript.index import Index
from tui.transcript.ink import Ink
from tui.transcript.live import Live

# Drawn entries, and lines of them, that are kept though they are out of sight. Each line takes some 7 kB,
# most of it for caches that Textual gives to every strip.
KEPT = 100
KEPT_LINES = 600
_FIRST_NUMBER = 1 << 20


@dataclass(slots=True, eq=False)
class Slot:
    """An entry's place. `number` orders slots for good; the height is a guess until it is `known`."""

    number: int
    entry: Entry
    clean: bool = False
    folded: bool = True
    gap: int = 1
    strips: list[Strip] | None = None
    known: bool = False
    live: Live | None = None

    @property
    def body(self) -> Body:
        """Without what could act on the terminal; filtered when first looked at, as most never are."""
        if not self.clean:
            self.entry = replace(self.entry, body=filtered(self.entry.body))
            self.clean = True
        return self.entry.body


class Document:
    def __init__(self, ink: Ink, width: int = 0) -> None:
        self.ink = ink
        self.width = width
        self.index = Index()
        self.slots: list[Slot] = []
        self._places: dict[str, Slot] = {}
        self._drawn: OrderedDict[int, Slot] = OrderedDict()
        # The lines that are on the screen.
        self.sight = range(0)

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._places

    def slot(self, entry_id: str) -> Slot:
        return self._places[entry_id]

    def place(self, slot: Slot) -> int:
        return self.place_of(slot.number)

    def place_of(self, number: int) -> int:
        """Where the slot with that number stands now, or would stand."""
        return bisect_left(self.slots, number, key=lambda slot: slot.number)

    def append(self, entries: Iterable[Entry]) -> None:
        number = self.slots[-1].number + 1 if self.slots else _FIRST_NUMBER
        self._insert(len(self.slots), [self._slot(number + i, entry) for i, entry in enumerate(entries)])

    def clear(self) -> None:
        self.index = Index()
        self.slots.clear()
        self._places.clear()
        self._drawn.clear()

    def prepend(self, entries: Sequence[Entry]) -> None:
        first = self.slots[0] if self.slots else None
        number = (first.number if first else _FIRST_NUMBER) - len(entries)
        self._insert(0, [self._slot(number + i, entry) for i, entry in enumerate(entries)])
        if first:
            self._regap(self.place(first))

    def replace(self, entry_id: str, body: Body) -> None:
        slot = self._places[entry_id]
        slot.entry, slot.clean = replace(slot.entry, body=body), False
        self.forget(slot)
        place = self.place(slot)
        for each in range(place, min(place + 2, len(self.slots))):
            self._regap(each)

    def drop(self, message: int) -> list[Slot]:
        """Takes back everything of a message; returns what that was."""
        gone = [slot for slot in self.slots if slot.entry.message == message]
        for slot in gone:
            number = self.place(slot)
            del self.slots[number], self._places[slot.entry.id]
            self._drawn.pop(slot.number, None)
            self.index.remove(number)
            if number < len(self.slots):
                self._regap(number)
        return gone

    def begin(self, entry_id: str, kind: StreamKind, message: int) -> Slot:
        body = AssistantText("") if kind == "text" else Reasoning("", thinking=True)
        self.append([Entry(entry_id, body, message)])
        slot = self._places[entry_id]
        slot.live = Live()
        return slot

    def finish(self, slot: Slot) -> None:
        if slot.live is None:
            return
        text = slot.live.text
        reasoning = isinstance(slot.entry.body, Reasoning)
        if self.width and self._in_sight(slot) and not reasoning:
            # Most of it is drawn already; from now on it could only be drawn from its beginning.
            self.strips(self.place(slot))
        slot.entry = replace(slot.entry, body=Reasoning(text) if reasoning else AssistantText(text))
        slot.live, slot.clean = None, True
        # What is drawn of a text stays as it is; a title changes with its end.
        if reasoning:
            self.forget(slot)

    def text(self, slot: Slot) -> str:
        return slot.live.text if slot.live else source(slot.body)

    def forget(self, slot: Slot) -> None:
        """It looks different now; its height stays as the best guess."""
        slot.strips, slot.known = None, False

    def foldable(self, slot: Slot) -> bool:
        return hides(slot.entry.body if slot.live else slot.body, self.width, self.ink)

    def fold(self, slot: Slot, *, folded: bool) -> bool:
        if slot.folded == folded or not self.foldable(slot):
            return False
        slot.folded = folded
        self.forget(slot)
        return True

    def relook(self, ink: Ink) -> None:
        self.ink = ink
        for slot in self._drawn.values():
            slot.strips = None
        self._drawn.clear()

    def rewidth(self, width: int) -> None:
        self.width = width
        for slot in self.slots:
            slot.strips, slot.known = None, False
        self._drawn.clear()

    def height(self, number: int) -> int:
        """Draws the entry only where its height is not known."""
        return self.index.height(number) if self.slots[number].known else len(self.strips(number))

    def strips(self, number: int) -> list[Strip]:
        """Draws the entry if need be; its height is known from then on."""
        slot = self.slots[number]
        if slot.strips is None or not slot.known:
            space = [blank(self.width, self.ink)] * slot.gap
            slot.strips = space + self._draw(slot)
            slot.known = True
            self.index.resize(number, len(slot.strips))
            self._drawn[slot.number] = slot
            self._put_away(slot)
        self._drawn.move_to_end(slot.number)
        return slot.strips

    def line(self, line: int) -> Strip | None:
        if not 0 <= line < self.index.total:
            return None
        number, within = self.index.at(line)
        strips = self.strips(number)
        return strips[within] if within < len(strips) else None

    def search(self, query: str) -> Iterator[tuple[Slot, int]]:
        """Which entries have it how often in their source, also what is folded or was never drawn."""
        wanted = plain(query)
        if wanted:
            for slot in self.slots:
                text = slot.live.text if slot.live else searched(slot.entry.body)
                if count := plain(text).count(wanted):
                    yield slot, count

    def _put_away(self, drawn: Slot) -> None:
        """What was looked at longest ago, but never what was just drawn.

        Two long entries may be in sight at once: neither is put away for being long, or each frame would draw
        all of it anew.
        """
        self._drawn.move_to_end(drawn.number)
        lines = sum(len(slot.strips or ()) for slot in self._drawn.values())
        while len(self._drawn) > 1:
            oldest = next(iter(self._drawn.values()))
            if len(self._drawn) <= KEPT and (lines <= KEPT_LINES or self._in_sight(oldest)):
                break
            del self._drawn[oldest.number]
            lines -= len(oldest.strips or ())
            oldest.strips = None

    def _in_sight(self, slot: Slot) -> bool:
        place = self.place(slot)
        top = self.index.top(place)
        return top < self.sight.stop and top + self.index.height(place) > self.sight.start

    def _slot(self, number: int, entry: Entry) -> Slot:
        slot = Slot(number, entry)
        self._places[entry.id] = slot
        return slot

    def _insert(self, place: int, slots: list[Slot]) -> None:
        before = self.slots[place - 1] if place else None
        for slot in slots:
            slot.gap = _gap(before, slot)
            before = slot
        self.slots[place:place] = slots
        self.index.insert(place, [self._guess(slot) for slot in slots])

    def _regap(self, place: int) -> None:
        slot = self.slots[place]
        gap = _gap(self.slots[place - 1] if place else None, slot)
        if gap != slot.gap:
            slot.gap, slot.known = gap, False

    def _guess(self, slot: Slot) -> int:
        body = slot.entry.body
        if slot.folded and isinstance(body, Reasoning | ToolCall):
            return slot.gap + 1
        text = source(body)
        return slot.gap + text.count("\n") + len(text) // max(1, self.width) + 1

    def _draw(self, slot: Slot) -> list[Strip]:
        if slot.live is None:
            return draw(slot.body, self.width, self.ink, folded=slot.folded)
        if isinstance(slot.entry.body, Reasoning):
            head = Reasoning(slot.live.text[-1_000:], thinking=True)
            drawn = draw(head, self.width, self.ink, folded=slot.folded)
            return drawn if slot.folded else drawn[:1] + slot.live.draw(self.width, self.ink, "dim")
        return slot.live.draw(self.width, self.ink)


def _gap(before: Slot | None, slot: Slot) -> int:
    """Calls of tools stand together; everything else has a line of air above it."""
    if before is None:
        return 0
    match before.entry.body, slot.entry.body:
        case ToolCall(diff=""), ToolCall(diff=""):
            return 0
        case _:
            return 1
