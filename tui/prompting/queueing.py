"""The part of the app that is the queue: what waits is shown, and can be taken back before it is sent."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from textual.app import App

from tui.bindings import key_for
from tui.transcript.ink import Ink
from tui.widgets.prompt import Prompt
from tui.widgets.queue import QueueView

if TYPE_CHECKING:
    from agent.session import Session
    from tui.stage import Stage

_LONGEST_TITLE = 200


class Queueing(App[int]):
    """Derive, and put `prompt` and a `QueueView` on the screen."""

    ink: Ink
    prompt: Prompt
    waiting: tuple[str, ...] = ()

    @property
    @abstractmethod
    def stage(self) -> Stage | None: ...

    @abstractmethod
    def keep_draft(self, *, leaving: bool = False) -> None:
        """What is not sent yet must outlive the app."""

    def show_queue(self, session: Session) -> None:
        self.waiting = (*session.steering, *session.queued)
        self.prompt.queued = len(session.inbox) > 0
        # A line that came and went at once would move the whole screen twice.
        queued = () if session.listening else session.queued
        self.screen_stack[0].query_one(QueueView).show(session.steering, queued, self._hint)
        self.keep_draft()

    @property
    def _hint(self) -> str:
        """Whoever is typing does not look for what waits."""
        if not self.prompt.queued:
            return ""
        back = "" if self.prompt.text else f"{key_for(self.prompt, 'prompt-up')} edits  "
        return f"{back}{key_for(self, 'queue')} all"

    def on_text_area_changed(self, message: Prompt.Changed) -> None:
        if message.text_area is self.prompt:
            self.screen_stack[0].query_one(QueueView).advise(self._hint)

    def reclaim(self) -> None:
        """The session was left: what still waited for it goes back to where it was typed."""
        if self.waiting:
            self.prompt.put("\n\n".join((*self.waiting, self.prompt.text)).rstrip())
        self.waiting, self.prompt.queued = (), False
        self.screen_stack[0].query_one(QueueView).show((), ())

    def on_prompt_withdrawing(self) -> None:
        stage = self.stage
        newest = list(stage.session.inbox)[-1:] if stage else []
        if newest:
            self._take_back(newest[0].id)

    def list_todo(self, text: str) -> None:
        """On the list instead of in the queue: a long text is its notes, below a title made of it."""
        title, _, rest = text.strip().partition("\n")
        if not title or self.stage is None:
            return
        notes = rest.strip()
        if len(title) > _LONGEST_TITLE:
            title, notes = f"{title[: _LONGEST_TITLE - 1]}…", text.strip()
        self.stage.submit(f"/todo add {title}" + (f"\n{notes}\n/endtodo" if notes else ""))

    async def action_queue(self) -> None:
        from tui.screens.queue import QueueScreen

        stage = self.stage
        if stage is None or not stage.session.inbox:
            return

        def closed(chosen: str | None) -> None:
            if chosen:
                self._take_back(int(chosen))
            stage.refresh()

        await self.push_screen(QueueScreen(self.ink, stage.session.inbox), closed)

    def _take_back(self, queued_id: int) -> None:
        """Into the prompt, before what stands there."""
        stage = self.stage
        queued = stage.session.inbox.withdraw(queued_id) if stage else None
        if stage and queued:
            text = self.prompt.text
            self.prompt.put(f"{queued.text}\n\n{text}" if text.strip() else queued.text)
            stage.refresh()
