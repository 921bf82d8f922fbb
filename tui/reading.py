"""Going through the conversation: a cursor from block to block, a search, links, and back to its end."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from tui.transcript.ink import openable
from tui.transcript.view import CopyRequested, LinkClicked, ReadingEnded, Transcript
from tui.widgets.activity import Activity
from tui.widgets.search import SearchBar

if TYPE_CHECKING:
    from tui.stage import Stage


class Reading(App[int]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+up", "read(-1)", "Block above", id="block-up"),
        Binding("alt+down", "read(1)", "Block below", id="block-down"),
        Binding("ctrl+f", "search", "Find in the conversation", id="search", priority=True),
        Binding("pageup", "page(-1)", "Scroll up", id="page-up"),
        Binding("pagedown", "page(1)", "Scroll down", id="page-down"),
        Binding("ctrl+home", "edge(-1)", "Beginning of the conversation", id="to-beginning"),
        Binding("ctrl+end,shift+end", "edge(1)", "End of the conversation", id="to-end"),
    ]

    @property
    @abstractmethod
    def stage(self) -> Stage | None: ...

    @abstractmethod
    def write(self, text: str) -> None:
        """At the prompt, where the keys go then."""

    @abstractmethod
    def copy_text(self, text: str) -> None: ...

    @property
    def _transcript(self) -> Transcript:
        return self.query_one(Transcript)

    def action_read(self, step: int) -> None:
        self._transcript.focus(scroll_visible=False)
        self._transcript.action_previous_entry() if step < 0 else self._transcript.action_next_entry()

    def action_page(self, step: int) -> None:
        self._transcript.scroll_page_up() if step < 0 else self._transcript.scroll_page_down()

    def action_edge(self, step: int) -> None:
        self._transcript.scroll_home() if step < 0 else self._transcript.show_end()

    def action_search(self) -> None:
        base = self.screen_stack[0]
        base.add_class("searching")
        self.query_one(SearchBar).open()
        if self.stage:
            self.stage.start(self._load_all(self.stage))

    async def _load_all(self, stage: Stage) -> None:
        await stage.load_older(all_of_them=True)
        bar = self.query_one(SearchBar)
        if bar.words:
            self.on_search_bar_changed(SearchBar.Changed(bar.words))

    def on_search_bar_changed(self, message: SearchBar.Changed) -> None:
        self._transcript.leave_cursor()
        self._transcript.search(message.words)
        self._step(-1)

    def on_search_bar_stepped(self, message: SearchBar.Stepped) -> None:
        self._step(message.by)

    def on_search_bar_closed(self) -> None:
        self.screen_stack[0].remove_class("searching")
        self._transcript.search("")
        self._transcript.leave_cursor()
        self.write("")

    def on_reading_ended(self, message: ReadingEnded) -> None:
        self.write(message.typed)

    def on_copy_requested(self, message: CopyRequested) -> None:
        self.copy_text(message.text)
        lines = message.text.count("\n") + 1
        self.query_one(Activity).note(f"copied {lines} line{'s' if lines > 1 else ''}")

    def on_link_clicked(self, message: LinkClicked) -> None:
        # What a model wrote may name a program or a file; only pages and mail are opened.
        if openable(message.address):
            self.open_url(message.address)

    def _step(self, by: int) -> None:
        self._transcript.show_match(by)
        self.query_one(SearchBar).show(*self._transcript.found_at)
