"""The part of the app that is asked: a question in the place of the prompt, and where keys go meanwhile."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widget import Widget

if TYPE_CHECKING:
    from agent.events import QuestionAsked
    from tui.plan.panel import PlanPanel
    from tui.stage import Stage
    from tui.transcript.view import Transcript
    from tui.widgets.prompt import Prompt
    from tui.widgets.question import QuestionPanel
    from tui.widgets.search import SearchBar


class Asked(App[int]):
    """Derive, and say what is on the screen."""

    panel: PlanPanel
    prompt: Prompt

    @property
    @abstractmethod
    def stage(self) -> Stage | None: ...

    @property
    @abstractmethod
    def base(self) -> Screen[object]:
        """The screen below whatever lies over it."""

    @property
    @abstractmethod
    def transcript(self) -> Transcript: ...

    @property
    @abstractmethod
    def question_panel(self) -> QuestionPanel: ...

    @property
    @abstractmethod
    def search_bar(self) -> SearchBar: ...

    @property
    def _below(self) -> Widget:
        """What a question stands above: the prompt, or what is in its place."""
        return self.search_bar.field if self.base.has_class("searching") else self.prompt

    def focus_input(self) -> None:
        if self.question_panel.question:
            self.question_panel.focus_answer()
        else:
            self._below.focus()

    def write(self, text: str) -> None:
        self.prompt.insert(text)
        self.focus_input()

    def type_on(self, letter: str) -> None:
        if self.panel.writing:
            return
        self.focus_input()
        if letter:
            asking = self.question_panel
            target = asking.answering if asking.question else self._below
            target.post_message(events.Key(letter, letter))

    def show_question(self, question: QuestionAsked | None) -> None:
        panel = self.question_panel
        if question is panel.question:
            return
        had_keys = panel.has_focus_within or self.base.focused is None
        self.base.set_class(question is not None, "asking")
        # Letters mean something else in the plan, and are part of a word in a search.
        panel.ask(question, waits=self.panel.has_focus_within or self.search_bar.has_focus_within)
        if question is None and had_keys:
            self.focus_input()

    def on_question_panel_answered(self, message: QuestionPanel.Answered) -> None:
        """As after a message: whoever answers wants to see what comes of it."""
        if self.stage:
            self.transcript.show_end()
            self.stage.answer(message.question, message.choice, message.text)

    def on_question_panel_typed(self, message: QuestionPanel.Typed) -> None:
        self._below.post_message(events.Key(message.event.key, message.event.character))
