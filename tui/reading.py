"""Going through the conversation: a cursor from block to block, a search, links, and back to its end."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from tui import collecting
from tui.bindings import NONE, first_key
from tui.transcript.ink import openable
from tui.widgets.activity import Activity
from tui.widgets.drawn import Hint

if TYPE_CHECKING:
    from tui.stage import Stage
    from tui.transcript.view import CopyRequested, LinkClicked, ReadingEnded, Transcript
    from tui.widgets.prompt import Prompt
    from tui.widgets.search import SearchBar

_BLOCK = {"block-fold": "fold", "block-copy": "copy", "block-code": "code", "block-leave": "back"}


class Reading(App[int]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+up", "read(-1)", "Block above", id="block-up"),
        Binding("alt+down", "read(1)", "Block below", id="block-down"),
        Binding("ctrl+f", "search", "Find in the conversation", id="search", priority=True),
        Binding("pageup", "page(-1)", "Scroll up", id="page-up"),
        Binding("pagedown", "page(1)", "Scroll down", id="page-down"),
        Binding("ctrl+home", "edge(-1)", "Beginning of the conversation", id="to-beginning"),
        Binding("ctrl+end,shift+end", "edge(1)", "End of the conversation", id="to-end"),
        Binding("super+c", "copy", "Copy what is marked", id="copy"),
    ]

    @property
    @abstractmethod
    def stage(self) -> Stage | None: ...

    @property
    @abstractmethod
    def transcript(self) -> Transcript: ...

    @property
    @abstractmethod
    def search_bar(self) -> SearchBar: ...

    @abstractmethod
    def write(self, text: str) -> None:
        """At the prompt, where the keys go then."""

    @abstractmethod
    def type_on(self, letter: str) -> None:
        """Reading is over: keys go elsewhere, and this one first, if there is one."""

    @abstractmethod
    def copy_text(self, text: str) -> None: ...

    @abstractmethod
    def show_focus(self) -> None:
        """Keys go elsewhere, or to something else there."""

    def block_hints(self) -> tuple[Hint, ...]:
        """What can be done with the block that is chosen; nothing while none is."""
        if not (self.transcript.has_focus and self.transcript.cursor):
            return ()
        vain = {"block-fold": not self.transcript.foldable, "block-code": not self.transcript.code}
        names = (name for name in _BLOCK if not vain.get(name))
        keys = ((first_key(self.transcript, name), _BLOCK[name]) for name in names)
        return tuple((key, word) for key, word in keys if key != NONE)

    def action_read(self, step: int) -> None:
        self.transcript.focus(scroll_visible=False)
        self.transcript.action_previous_entry() if step < 0 else self.transcript.action_next_entry()
        self.show_focus()

    def action_page(self, step: int) -> None:
        self.transcript.scroll_page_up() if step < 0 else self.transcript.scroll_page_down()

    def action_edge(self, step: int) -> None:
        self.transcript.scroll_home() if step < 0 else self.transcript.show_end()

    def action_search(self) -> None:
        base = self.screen_stack[0]
        base.add_class("searching")
        self.search_bar.open()
        if self.stage:
            self.stage.start(self._load_all(self.stage))

    async def _load_all(self, stage: Stage) -> None:
        await stage.load_older(all_of_them=True)
        collecting.settle()
        # Words that are still being typed are looked for in a moment, in all of it.
        if self.search_bar.words and not self.search_bar.pausing:
            self._search_on()

    def on_search_bar_changed(self, message: SearchBar.Changed) -> None:
        self._search_for(message.words)

    def _search_for(self, words: str) -> None:
        self.transcript.leave_cursor()
        self.transcript.search(words)
        self._step(-1)

    def _search_on(self) -> None:
        """Through what is there by now; whoever has gone to a place already stays there."""
        self.transcript.search_again()
        if self.transcript.hit is None:
            self._step(-1)
        else:
            self.search_bar.show(*self.transcript.found_at)

    def on_search_bar_stepped(self, message: SearchBar.Stepped) -> None:
        self._step(message.by)

    def on_search_bar_closed(self) -> None:
        self.screen_stack[0].remove_class("searching")
        self.transcript.search("")
        self.transcript.leave_cursor()
        self.write("")

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        """Whoever says something wants to see what comes of it."""
        del message
        if self.stage:
            self.transcript.show_end()

    def on_reading_ended(self, message: ReadingEnded) -> None:
        self.type_on(message.typed)

    def on_copy_requested(self, message: CopyRequested) -> None:
        self._copy(message.text)

    def on_text_selected(self) -> None:
        if text := self.screen.get_selected_text():
            self._copy(text)

    def action_copy(self) -> None:
        self.copy_selection()

    def copy_selection(self) -> bool:
        """What is marked, and no longer then; False when that is nothing."""
        text = self._unmarked()
        if text:
            self._copy(text)
        return bool(text)

    def _unmarked(self) -> str:
        """What was marked where one types, else by the mouse."""
        # Behind the first frame, which does without one of them.
        from textual.widgets import Input, TextArea

        match self.focused:
            case Input(selected_text=text) as field if text:
                field.cursor_position = field.cursor_position
            case TextArea(selected_text=text) as field if text:
                field.move_cursor(field.cursor_location)
            case _:
                text = self.screen.get_selected_text() or ""
                self.screen.clear_selection()
        return text

    def _copy(self, text: str, remark: str = "") -> None:
        self.copy_text(text)
        lines = text.count("\n") + 1
        told = remark or f"copied {lines} line{'s' if lines > 1 else ''}"
        self.screen_stack[0].query_one(Activity).note(told)
        if self.stage:
            from tui.clipboard import offer_to_tmux

            self.stage.start(offer_to_tmux(text, self.stage.opened.opening.environment))

    def on_link_clicked(self, message: LinkClicked) -> None:
        # What a model wrote may name a program or a file; only pages and mail are opened.
        if not openable(message.address):
            return
        from tui.windows import browser_command, open_page

        environment: Mapping[str, str] = self.stage.opened.opening.environment if self.stage else {}
        command = browser_command(environment)
        if not command or not open_page(message.address, command, environment):
            self._copy(message.address, "address copied")

    def _step(self, by: int) -> None:
        self.transcript.show_match(by)
        self.search_bar.show(*self.transcript.found_at)
