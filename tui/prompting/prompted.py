"""The part of the app that is the prompt: what is offered, what was written before, and what is kept."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import App
from textual.timer import Timer

from tui.transcript.ink import Ink
from tui.widgets.menu import MenuView
from tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from tui.prompting.drafts import Draft
    from tui.stage import Stage

# Looking through many files for every letter of a word would be for nothing.
_BREATH = 0.04
_KEPT_AFTER = 0.5
_LONGEST_LABEL = 2_000


class Prompted(App[int]):
    """Derive, `expect` at birth, and put `prompt` and a `MenuView` on the screen."""

    ink: Ink
    prompt: Prompt
    _waiting: list[str]
    _places: tuple[Path, Path]
    _keeping: Timer | None = None
    _kept: Draft | None = None

    @property
    @abstractmethod
    def stage(self) -> Stage | None: ...

    def expect(self, state_folder: Path, project: Path, prompt: str) -> None:
        """Where drafts are kept, and what is to be sent as soon as there is a session."""
        self.prompt = Prompt("message, / commands, @ files, ! shell")
        self._places = (state_folder, project)
        self._waiting = [prompt] if prompt else []

    async def ready_prompt(self) -> None:
        """Behind the first frame: what was left unsent comes back, unless something was typed already."""
        from tui.prompting import drafts

        left = await asyncio.to_thread(drafts.recall, *self._places)
        if self.prompt.text:
            self.prompt.past.add(left.text)
        elif not left.empty:
            self.prompt.put(left.text)
        self._kept = left

    async def seat_prompt(self, stage: Stage) -> None:
        """A session is there: what was written before it can be found, and what waited for it is sent."""
        self.prompt.past.load(await stage.history())
        for text in self._waiting:
            stage.submit(text)
        self._waiting.clear()

    def keep_draft(self, *, leaving: bool = False) -> None:
        # JSON and hashes, which the first frame does without.
        from tui.prompting.drafts import Draft, keep

        draft = Draft(self.prompt.text)
        if draft != self._kept or leaving:
            self._kept = draft
            keep(*self._places, draft, leaving=leaving)

    def on_text_area_changed(self, message: Prompt.Changed) -> None:
        if isinstance(message.text_area, Prompt) and self._keeping is None:
            self._keeping = self.set_timer(_KEPT_AFTER, self._keep)

    def on_prompt_submitted(self, message: Prompt.Submitted) -> None:
        if self.stage is None:
            self._waiting.append(message.text)
        else:
            self.stage.submit(message.text)

    def on_prompt_steered(self, message: Prompt.Steered) -> None:
        if self.stage is None:
            self._waiting.append(message.text)
        else:
            self.stage.steer(message.text)

    def on_prompt_sought(self, message: Prompt.Sought) -> None:
        self._seek(message.typed)

    def on_prompt_offered(self, message: Prompt.Offered) -> None:
        self.screen_stack[0].query_one(MenuView).show(message.menu)

    def on_menu_view_clicked(self, message: MenuView.Clicked) -> None:
        self.prompt.pick(message.at)

    def on_prompt_recalling(self) -> None:
        from tui.screens.picker import PickerScreen, Row

        texts = list(dict.fromkeys(reversed(self.prompt.past.texts)))
        rows = [Row(str(at), text[:_LONGEST_LABEL]) for at, text in enumerate(texts)]

        def chosen(at: str | None) -> None:
            if at is not None:
                self.prompt.put(texts[int(at)])

        self.push_screen(PickerScreen(self.ink, "Earlier prompts", rows), chosen)

    @work(exclusive=True, group="offers", exit_on_error=False)
    async def _seek(self, typed: str) -> None:
        stage = self.stage
        if stage is None:
            return
        if not typed.startswith("/"):
            await asyncio.sleep(_BREATH)
        self.prompt.offer(typed, await stage.offering.at(typed))

    def _keep(self) -> None:
        self._keeping = None
        self.keep_draft()
