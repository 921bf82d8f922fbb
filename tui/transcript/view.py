"""The transcript as the app sees it: what it feeds, and what a reader can do with it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.message import Message

from store.records import ToolStatus
from tui.theme import Palette
from tui.transcript.document import Document, Slot
from tui.transcript.entries import AssistantText, Entry, Printed, StreamKind, ToolCall, filtered
from tui.transcript.ink import Glyphs, Ink
from tui.transcript.pacing import Pacer
from tui.transcript.painting import Painted
from tui.transcript.splitter import codes

# Of a tool that still runs; nobody scrolls through more than that before it has ended.
LONGEST_OUTPUT = 100_000


class CopyRequested(Message):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class LinkClicked(Message):
    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address


class ReadingEnded(Message):
    """The reader has no more use for the keys; `typed` is what they began to write."""

    def __init__(self, typed: str = "") -> None:
        super().__init__()
        self.typed = typed


class Transcript(Painted, can_focus=True):
    """Feed it from one place; it never asks for anything."""

    # Its letters are commands; whoever points at something or marks it goes on writing.
    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "Scroll up a line", id="line-up"),
        Binding("down,j", "scroll_down", "Scroll down a line", id="line-down"),
        Binding("home,g", "scroll_home", "Go to the beginning", id="beginning"),
        Binding("end,G", "scroll_end", "Go to the end", id="end"),
        Binding("enter,space", "toggle_fold", "Fold or unfold the block", id="block-fold"),
        Binding("c,y", "copy_entry", "Copy the block", id="block-copy"),
        Binding("C", "copy_code", "Copy the code in the block", id="block-code"),
        Binding("escape", "stop_reading", "Back to the prompt", id="block-leave"),
    ]

    def __init__(
        self,
        palette: Palette,
        *,
        glyphs: Glyphs | None = None,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(Document(Ink(palette, glyphs)), id=id)
        self._glyphs = glyphs
        self._pacer = Pacer()
        self._flushing: asyncio.TimerHandle | None = None
        # How often each entry has what is searched: by its source, and as drawn once a reader was there.
        self._matches: dict[Slot, int] = {}

    @property
    def busy(self) -> bool:
        """Whether text waits to be drawn."""
        return self._pacer.waiting

    def on_mount(self) -> None:
        self._wear(self.document.ink.palette)

    def on_unmount(self) -> None:
        if self._flushing:
            self._flushing.cancel()

    def add(self, *entries: Entry) -> None:
        self.document.append(entries)
        self.notice(*(entry.id for entry in entries))
        self.settle()

    def greet(self, body: Printed) -> None:
        """What stands in the middle while nothing else is here."""
        harmless = filtered(body)
        assert isinstance(harmless, Printed)
        self.vacancy = harmless
        self.refresh()

    def clear(self) -> None:
        """Another conversation begins."""
        self._pacer = Pacer()
        self._matches.clear()
        self.document.clear()
        self.cursor = None
        self.forget_place()
        self.settle()

    def prepend(self, entries: Sequence[Entry]) -> None:
        """Older ones, above; what is in sight stays where it is."""
        self.document.prepend(entries)
        self.settle()

    def stream(self, entry_id: str, kind: StreamKind, delta: str, message: int = 0) -> None:
        """The first delta makes the entry."""
        if entry_id not in self.document:
            self.document.begin(entry_id, kind, message)
        self.notice(entry_id)
        self._pacer.add(entry_id, delta)
        self._arm()

    def finish(self, entry_id: str) -> None:
        """The text is whole; what was not drawn yet is drawn now."""
        if entry_id in self.document:
            self._feed(self._pacer.take(entry_id))
            self.document.finish(self.document.slot(entry_id))
            self.settle()

    def update_tool(
        self,
        entry_id: str,
        *,
        status: ToolStatus | None = None,
        output: str | None = None,
        diff: str | None = None,
        duration_ms: int | None = None,
        subject: str | None = None,
        verb: str | None = None,
        tally: str | None = None,
    ) -> None:
        """Changes what is given and leaves the rest."""
        self._feed(self._pacer.take(entry_id))
        body = self.document.slot(entry_id).entry.body
        assert isinstance(body, ToolCall)
        changed = ToolCall(
            body.verb if verb is None else verb,
            body.subject if subject is None else subject,
            status or body.status,
            body.duration_ms if duration_ms is None else duration_ms,
            body.output if output is None else output,
            body.diff if diff is None else diff,
            body.preview,
            body.tally if tally is None else tally,
        )
        self.document.replace(entry_id, changed)
        self.settle()

    def add_output(self, entry_id: str, text: str) -> None:
        """What a running tool printed since; only the end is kept until `update_tool` brings it all."""
        self._pacer.add(entry_id, text)
        self._arm()

    def drop(self, message: int) -> None:
        """Takes back what came of a message that starts again."""
        for slot in self.document.drop(message):
            self._pacer.forget(slot.entry.id)
            self.release(slot)
            self._matches.pop(slot, None)
        self.settle()

    def wear(self, palette: Palette) -> None:
        """Another theme: everything is painted anew, nothing moves."""
        self.document.relook(Ink(palette, self._glyphs))
        self._wear(palette)
        self.settle()

    def source(self, entry_id: str) -> str:
        """The text of an entry as it was written."""
        return self.document.text(self.document.slot(entry_id))

    @property
    def code(self) -> str:
        """What the chosen block has of it, as it was written."""
        if self.cursor is None or not isinstance(self.cursor.entry.body, AssistantText):
            return ""
        return "\n\n".join(codes(self.document.text(self.cursor)))

    @property
    def foldable(self) -> bool:
        """Whether the chosen block can be folded or unfolded."""
        return self.cursor is not None and self.document.foldable(self.cursor)

    def search(self, query: str) -> int:
        """Marks what is found and says how often that is; an empty query ends the search."""
        self.query_shown, self.hit = query, None
        self._matches = dict(self.document.search(query))
        self.refresh()
        return sum(self._matches.values())

    def search_again(self) -> None:
        """What came meanwhile is searched too; the reader stays at the hit where they are."""
        hit = self.hit
        self.search(self.query_shown)
        self.hit = hit

    def show_match(self, step: int = 1) -> str | None:
        """Goes to the next hit, or back, unfolding its entry if need be; returns whose it is."""
        if not self._matches:
            return None
        slot, number = self.hit = self._next_match(step)
        self.cursor = slot
        found = self.hits_in(slot)
        line = found[number][0].line if number < len(found) else 0
        top = self.document.index.top(self.document.place(slot))
        self.show_line(max(0, top + line - self.page // 3))
        self.refresh()
        return slot.entry.id

    def show_message(self, message: int) -> bool:
        """Goes to where it begins; False when nothing of it is here."""
        slot = next((slot for slot in self.document.slots if slot.entry.message == message), None)
        if slot is not None:
            self.cursor = slot
            self.show_line(max(0, self.document.index.top(self.document.place(slot)) - 1))
        return slot is not None

    @property
    def found_at(self) -> tuple[int, int]:
        """At which of the hits the reader is, from 1, and how many there are."""
        total = sum(self._matches.values())
        if self.hit is None or self.hit[0] not in self._matches:
            return 0, total
        slot, number = self.hit
        before = takewhile(lambda each: each is not slot, self._matches)
        return sum(self._matches[each] for each in before) + number + 1, total

    def action_previous_entry(self) -> None:
        self._step(-1)

    def action_next_entry(self) -> None:
        self._step(1)

    def action_toggle_fold(self) -> None:
        if self.cursor:
            self._toggle(self.cursor)

    def action_copy_entry(self) -> None:
        if self.cursor:
            self.post_message(CopyRequested(self.document.text(self.cursor)))

    def action_copy_code(self) -> None:
        if code := self.code:
            self.post_message(CopyRequested(code))

    def action_scroll_end(self) -> None:
        self.show_end()

    def action_stop_reading(self) -> None:
        self.leave_cursor()
        self.post_message(ReadingEnded())
        # What runs is stopped by the same key.
        raise SkipAction

    def on_key(self, event: events.Key) -> None:
        """Whoever writes while reading means the prompt."""
        if event.is_printable and event.character and event.key not in self.screen.active_bindings:
            event.stop()
            self.leave_cursor()
            self.post_message(ReadingEnded(event.character))

    def leave_cursor(self) -> None:
        self.cursor = None
        self.follow_if_at_end()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        if event.chain > 1:
            # Textual would mark the whole conversation.
            event.prevent_default()
            self._pick(event)
            return
        if self.text_selection:
            return
        if event.style.link:
            self.post_message(LinkClicked(event.style.link))
        match event.style.meta.get("act"):
            case "end":
                self.show_end()
            case "fold":
                slot = self.slot_at(event.y)
                if slot:
                    self._toggle(slot)
            case _:
                pass
        if not self.has_focus:
            self.post_message(ReadingEnded())

    def _pick(self, event: events.Click) -> None:
        """Marks and copies the word, or with one click more the line; what acts has done so at the first."""
        if event.style.link or "act" in event.style.meta:
            return
        selection = self.around(event.screen_offset, line=event.chain > 2)
        text = self.get_selection(selection) if selection else None
        if selection and text and text[0]:
            self.screen.selections = {self: selection}
            self.post_message(CopyRequested(text[0]))

    def _flush(self) -> None:
        self._flushing = None
        clock = asyncio.get_running_loop().time
        began = clock()
        self._feed(self._pacer.take())
        self.settle()
        self._pacer.drew(began, clock())
        if self._pacer.waiting:
            self._arm()

    def _arm(self) -> None:
        if self._flushing is None:
            loop = asyncio.get_running_loop()
            self._flushing = loop.call_later(self._pacer.delay(loop.time()), self._flush)

    def _feed(self, deltas: dict[str, str]) -> None:
        for entry_id, text in deltas.items():
            slot = self.document.slot(entry_id)
            body = slot.entry.body
            if slot.live:
                slot.live.feed(text)
                self.document.forget(slot)
            elif isinstance(body, ToolCall):
                output = (body.output + text)[-LONGEST_OUTPUT:]
                self.document.replace(entry_id, replace(body, output=output))

    def _step(self, by: int) -> None:
        slots = self.document.slots
        if not slots:
            return
        if self.cursor is None:
            shown = self.slot_at(max(0, self.page - 1)) or slots[-1]
            number = self.document.place(shown)
        else:
            number = max(0, min(len(slots) - 1, self.document.place(self.cursor) + by))
        self.cursor = slots[number]
        self.show_slot(self.cursor)

    def _toggle(self, slot: Slot) -> None:
        # What was clicked stays under the pointer.
        self.hold_still()
        if self.document.fold(slot, folded=not slot.folded):
            self.settle()
        self.follow_if_at_end()

    def _next_match(self, step: int) -> tuple[Slot, int]:
        """From the last hit; from where the cursor is, if it left that entry; else from an end."""
        slots = list(self._matches)
        here = -1 if step > 0 else 0
        if self.cursor in self._matches:
            here = slots.index(self.cursor)
            if self.hit and self.hit[0] is self.cursor:
                number = self.hit[1] + step
                if 0 <= number < self._matches[self.cursor]:
                    return self.cursor, number
        slot = slots[(here + step) % len(slots)]
        found = self.hits_in(slot)
        if len(found) < self._matches[slot] and self.document.fold(slot, folded=False):
            found = self.hits_in(slot)
        # What is in the source alone, as the address of a link, is a hit without a place.
        self._matches[slot] = max(1, len(found))
        return slot, 0 if step > 0 else self._matches[slot] - 1

    def _wear(self, palette: Palette) -> None:
        self.styles.background = palette.page.css
        self.styles.scrollbar_background = palette.page.css
        self.styles.scrollbar_background_hover = palette.page.css
        self.styles.scrollbar_background_active = palette.page.css
        self.styles.scrollbar_color = palette.thumb.css
        self.styles.scrollbar_color_hover = palette.dim.css
        self.styles.scrollbar_color_active = palette.accent.css
