"""The part of the app that is the prompt: what is offered, what was written before, and what is kept."""

from __future__ import annotations

import asyncio
import os
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.timer import Timer

from tui.errors import DoorError
from tui.internals import take_any_bytes, take_pastes_whole
from tui.pictures import is_picture, named, resolved
from tui.prompting.pouring import Pour
from tui.prompting.queueing import Queueing
from tui.prompting.tokens import TOLD, cleaned
from tui.widgets.activity import Activity
from tui.widgets.mark import Mark
from tui.widgets.menu import MenuView
from tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from tui.followed import Followed
    from tui.prompting.drafts import Draft
    from tui.stage import Stage

# Looking through many files for every letter of a word would be for nothing.
_BREATH = 0.04
_KEPT_AFTER = 0.5
_LONGEST_LABEL = 2_000
_PLACEHOLDER = "message, / commands, @ files, ! shell"


class Prompted(Queueing):
    """Derive, `expect` at birth, and put `prompt`, a `MenuView` and a `QueueView` on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+q", "queue", "Messages that wait", id="queue"),
    ]

    _waiting: list[Prompt.Submitted]
    _places: tuple[Path, Path]
    _keeping: Timer | None = None
    _kept: Draft | None = None
    _offered_late = ""
    _aside = ""
    away = False
    followed: Followed | None = None

    def expect(self, state_folder: Path, project: Path, prompt: str) -> None:
        """Where drafts are kept, and what is to be sent as soon as there is a session."""
        take_any_bytes()
        take_pastes_whole()
        self.prompt = Prompt(_PLACEHOLDER)
        self._places = (state_folder, project)
        self._waiting = [Prompt.Submitted(prompt)] if prompt else []

    @abstractmethod
    def focus_input(self) -> None:
        """Keys go where one types: an open question, a search, else the prompt."""

    @property
    @abstractmethod
    def keys_waiting(self) -> bool:
        """Whether more was typed than was looked at so far."""

    async def ready_prompt(self) -> None:
        """Behind the first frame: what was left unsent comes back, unless something was typed already."""
        from tui.prompting import drafts

        if not self.is_headless:
            self.prompt.pour = Pour(lambda: self.keys_waiting)
        left = await asyncio.to_thread(drafts.recall, *self._places)
        self.prompt.tokens.restore(left.pastes)
        if self.prompt.text:
            self.prompt.past.add(left.whole)
        elif not left.empty:
            self.prompt.put(left.whole)
        self._kept = left

    async def seat_prompt(self, stage: Stage) -> None:
        """A session is there: what was written before it can be found, and what waited for it is sent."""
        self.prompt.placeholder = _PLACEHOLDER
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            self._pass_on(message)
        self.prompt.past.load(await stage.history())
        if self._offered_late and self._offered_late == self.prompt.typed:
            self._seek(self._offered_late)
        self._offered_late = ""

    def seat_follower(self, followed: Followed) -> None:
        """Another process has the session: only the way elsewhere can be typed."""
        from tui.followed import PLACEHOLDER

        self.followed = followed
        self.prompt.placeholder = PLACEHOLDER

    def set_aside(self) -> None:
        """Emptied without being sent; it is the newest of the earlier prompts, also at the next start."""
        self._aside = self.prompt.taken()
        if self.stage and self._aside.strip():
            self.stage.start(self.stage.remember(self._told(self._aside).rstrip()))

    def take_up(self) -> None:
        """Whoever leaves right after it finds it as it was."""
        if self._aside and not self.prompt.text:
            self.prompt.put(self._aside)

    def keep_draft(self, *, leaving: bool = False) -> None:
        # JSON and hashes, which the first frame does without.
        from tui.prompting.drafts import Draft, keep

        text = self.prompt.text
        draft = Draft(text, self.prompt.tokens.used(text), self.waiting)
        if draft != self._kept or leaving:
            self._kept = draft
            keep(*self._places, draft, leaving=leaving)

    def on_text_area_changed(self, message: Prompt.Changed) -> None:
        if message.text_area is not self.prompt:
            return
        self._tell_shell()
        if self._keeping is None:
            self._keeping = self.set_timer(_KEPT_AFTER, self._keep)

    def on_paste(self, event: events.Paste) -> None:
        """What nobody else took, as while one reads or is asked something, is meant for the prompt."""
        if len(self.screen_stack) == 1:
            event.stop()
            self.prompt.paste(event.text)
            self.focus_input()
            if self.screen_stack[0].has_class("asking"):
                self.screen_stack[0].query_one(Activity).note("pasted into the prompt, for after the answer")

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        self._pass_on(message)

    def on_prompt_steered(self, message: Prompt.Steered) -> None:
        self._pass_on(message)

    def on_prompt_listed(self, message: Prompt.Listed) -> None:
        self._pass_on(message)

    def _pass_on(self, message: Prompt.Submitted) -> None:
        stage = self.stage
        if self.followed:
            listed = isinstance(message, Prompt.Listed)
            self.followed.submit(f"/todo add {message.text}" if listed else message.text)
            return
        if stage is None:
            if message.text.strip():
                self._waiting.append(message)
            return
        text = self._told(message.text)
        match message:
            case Prompt.Listed():
                self.list_todo(text)
            case Prompt.Steered():
                stage.steer(text, self._named(message.text))
            case _:
                stage.submit(text, self._named(message.text))

    def on_prompt_sought(self, message: Prompt.Sought) -> None:
        self._seek(message.typed)

    def on_prompt_offered(self, message: Prompt.Offered) -> None:
        self.screen_stack[0].query_one(MenuView).show(message.menu)

    def on_menu_view_clicked(self, message: MenuView.Clicked) -> None:
        self.prompt.pick(message.at)

    def on_pasting_area_pasted(self, message: Prompt.Pasted) -> None:
        if len(message.text) > TOLD:
            self._put_aside(message)

    @work(exit_on_error=False)
    async def _put_aside(self, message: Prompt.Pasted) -> None:
        from tui.prompting.pastes import mentioned, put_aside

        where = await asyncio.to_thread(put_aside, self._places[0], self._workspace, message.text)
        self.prompt.tokens.change(message.word, mentioned(message.word, message.text, where))

    def on_prompt_pictured(self, message: Prompt.Pictured) -> None:
        self._look_at(message)

    @work(exit_on_error=False)
    async def _look_at(self, message: Prompt.Pictured) -> None:
        if await asyncio.to_thread(is_picture, resolved(message.path, self._places[1])):
            self.prompt.name_picture(message.written, message.path)

    @property
    def _workspace(self) -> Path:
        """A session that was begun elsewhere reads what lies there."""
        return self.stage.root if self.stage else self._places[1]

    def _named(self, text: str) -> list[Path]:
        """Pictures that the user named, not those that a pasted text speaks of."""
        words = [path for _, path in named(text)]
        words += [path for word, path in self.prompt.tokens.used(text).items() if word.startswith("[image ")]
        return [resolved(path, self._places[1]) for path in words]

    def _told(self, text: str) -> str:
        """With all that words in it stand for; what is too much for a message is named by its file."""
        from tui.prompting.pastes import mentioned, put_aside

        tokens = self.prompt.tokens
        for word, pasted in tokens.used(text).items():
            if len(pasted) > TOLD:
                file = put_aside(self._places[0], self._workspace, pasted)
                tokens.change(word, mentioned(word, pasted, file))
        return tokens.expanded(text)

    def on_prompt_recalling(self) -> None:
        from tui.screens.picker import PickerScreen, Row

        texts = list(dict.fromkeys(reversed(self.prompt.past.texts)))
        rows = [Row(str(at), text[:_LONGEST_LABEL]) for at, text in enumerate(texts)]

        def chosen(at: str | None) -> None:
            if at is not None:
                self.prompt.put(texts[int(at)])

        self.push_screen(PickerScreen(self.ink, "Earlier prompts", rows), chosen)

    def on_prompt_editing(self) -> None:
        self._edit()

    @work(exclusive=True, group="editor", exit_on_error=False)
    async def _edit(self) -> None:
        """The terminal is the editor's meanwhile; the agent works on, and nothing is drawn."""
        from tui.prompting.editor import edited

        prompt = self.prompt
        text, fault = prompt.tokens.expanded(prompt.text), ""
        self.away = True
        try:
            with self.batch_update(), self.suspend():
                # Nothing may be raised in here: the screen would not come back.
                try:
                    text = await edited(text, os.environ)
                except DoorError as error:
                    fault = f"{error}; {error.hint}".rstrip("; ")
        except SuspendNotSupported:
            fault = "this terminal cannot be lent to an editor"
        finally:
            self.away = False
        if fault:
            self._say(fault)
        else:
            prompt.put(prompt.tokens.collapsed(cleaned(text)))

    def _say(self, text: str) -> None:
        if self.stage:
            self.stage.say(text, "bad")

    def _tell_shell(self) -> None:
        """Whoever types a command of their own sees that it goes to the shell."""
        self.screen_stack[0].query_one(Mark).show(shell=self.prompt.text.startswith("!"))

    @work(exclusive=True, group="offers", exit_on_error=False)
    async def _seek(self, typed: str) -> None:
        stage = self.stage
        if stage is None:
            self._offered_late = typed
            return
        if not typed.startswith("/"):
            await asyncio.sleep(_BREATH)
        self.prompt.offer(typed, await stage.offering.at(typed))

    def _keep(self) -> None:
        self._keeping = None
        self.keep_draft()
