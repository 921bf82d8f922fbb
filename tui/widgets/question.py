"""A question in the place of the prompt; the transcript above stays readable and can be scrolled."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Input

from agent.events import Choice, QuestionAsked
from tui.asking import by_key, by_line
from tui.bindings import key_for
from tui.escapes import safe
from tui.oneline import one_line
from tui.proposals import headline, proposal
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap
from tui.widgets.drawn import Drawn, cut, spread

# Whoever is typing when a question comes up must not answer it by accident.
GRACE = 0.5
# Seconds for which a key stands alone before it answers.
_ALONE = 0.25
# What goes to the prompt then, beside letters; a line end there would send what is not finished.
_EDITING = frozenset(("backspace", "ctrl+h", "delete", "left", "right", "ctrl+w", "home", "end"))
# Of the screen; the rest is left to the conversation.
_SHARE = 0.6
_PLACEHOLDERS = {
    "no": "why? the agent reads it; enter refuses, esc goes back",
    "wish": "what matters most; enter does it, esc goes back",
}


class QuestionPanel(Vertical, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", "Previous answer", id="answer-up"),
        Binding("down", "step(1)", "Next answer", id="answer-down"),
        Binding("enter", "choose", "Give this answer", id="answer-give"),
        Binding("shift+up", "scroll(-1)", "Scroll the proposal up", id="proposal-up"),
        Binding("shift+down", "scroll(1)", "Scroll the proposal down", id="proposal-down"),
    ]

    class Answered(Message):
        def __init__(self, question: QuestionAsked, choice: str, text: str = "") -> None:
            super().__init__()
            self.question, self.choice, self.text = question, choice, text

    class Typed(Message):
        """A key that was meant for the prompt, which was there a moment ago."""

        def __init__(self, event: events.Key) -> None:
            super().__init__()
            self.event = event

    def __init__(self, ink: Ink) -> None:
        super().__init__(id="question")
        self.question: QuestionAsked | None = None
        self._proposal = Proposal(ink)
        self._choices = Choices(ink)
        self._refusing: Choice | None = None
        self._pressed: events.Key | None = None
        self.grace = GRACE
        self._ready = 0.0

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="proposal-scroll", can_focus=False):
            yield self._proposal
        yield self._choices
        yield Input(id="reason", compact=True)

    def on_mount(self) -> None:
        self.watch(self.query_one(VerticalScroll), "scroll_y", self._tell, init=False)

    def ask(self, question: QuestionAsked | None) -> None:
        self.question = question
        self._refusing = self._pressed = None
        self._ready = time.monotonic() + self.grace
        self._proposal.show(question)
        self._choices.show(question)
        self._words(question is not None and question.purpose == "ask_user", "type your answer")
        if question:
            self.focus()
            self._settle()

    def focus_answer(self) -> None:
        words = self.query_one(Input)
        (words if words.display else self).focus()

    def _settle(self) -> None:
        """Words of one's own are taken once the fingers have rested; until then keys come by here."""
        left = self._ready - time.monotonic()
        if left > 0:
            self.set_timer(left, self._settle)
        elif self.question and self.has_focus:
            self.focus_answer()

    def on_key(self, event: events.Key) -> None:
        question = self.question
        if question is None:
            return
        if time.monotonic() < self._ready and event.key != "escape":
            self._ready = time.monotonic() + self.grace
            event.stop()
            event.prevent_default()
            if event.is_printable or event.key in _EDITING:
                self.post_message(self.Typed(event))
            return
        if event.key == "escape" and self._refusing:
            event.stop()
            self._back()
        elif self._pressed:
            event.stop()
            self._take_for_words(self._pressed, event)
        elif not self.query_one(Input).display:
            choice = by_key(question, event.character or "")
            if choice:
                event.stop()
                self._give_alone(choice, event)

    def _give_alone(self, choice: Choice, event: events.Key) -> None:
        """Unless the key turns out to begin a word: "also" must not mean "always"."""
        if choice.text or not self.grace:
            self._give(choice)
            return

        def give() -> None:
            if self._pressed is event:
                self._pressed = None
                self._give(choice)

        self._pressed = event
        self.set_timer(_ALONE, give)

    def _take_for_words(self, first: events.Key, second: events.Key) -> None:
        self._pressed = None
        self._ready = time.monotonic() + self.grace
        for event in (first, second):
            if event.is_printable or event.key in _EDITING:
                self.post_message(self.Typed(event))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        question = self.question
        if question is None or time.monotonic() < self._ready:
            return
        text = event.value.strip()
        if self._refusing:
            self.post_message(self.Answered(question, self._refusing.name, text))
        elif text and (reply := by_line(question, text)):
            self.post_message(self.Answered(question, reply.choice, reply.text))
        elif not text:
            self.action_choose()

    def on_choices_clicked(self, event: Choices.Clicked) -> None:
        event.stop()
        self._give(event.choice)

    def action_step(self, by: int) -> None:
        self._choices.step(by)

    def action_scroll(self, by: int) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_relative(y=by * max(1, scroll.size.height - 1), animate=False)

    def action_choose(self) -> None:
        choice = self._choices.chosen
        if choice and time.monotonic() >= self._ready:
            self._give(choice)

    def wear(self, ink: Ink) -> None:
        self._proposal.wear(ink)
        self._choices.wear(ink)

    def _give(self, choice: Choice) -> None:
        question = self.question
        if question is None:
            return
        if choice.text and not self._refusing:
            self._refusing = choice
            self._words(True, _PLACEHOLDERS.get(choice.name, "enter answers, esc goes back"))
            self.focus_answer()
        else:
            self.post_message(self.Answered(question, choice.name))

    def _back(self) -> None:
        self._refusing = None
        self._words(False, "")
        self.focus()

    def _words(self, wanted: bool, placeholder: str) -> None:
        words = self.query_one(Input)
        words.value, words.placeholder, words.display = "", placeholder, wanted
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """However long the proposal is, every answer stays in sight below it."""
        words, choices = self.query_one(Input), self.question.choices if self.question else ()
        around = self.styles.padding.height + len(choices) + (2 if words.display else 0)
        room = int(self.screen.size.height * _SHARE) - around
        self.query_one(VerticalScroll).styles.max_height = max(2, room)
        self.call_after_refresh(self._tell)

    def _tell(self) -> None:
        """Which part of a long proposal is in sight, and how to see the rest."""
        scroll, lines = self.query_one(VerticalScroll), self._proposal.size.height
        top, height = round(scroll.scroll_y), scroll.size.height
        long = self.question is not None and lines > height > 0
        shown = (
            f"lines {top + 1}-{min(top + height, lines)} of {lines}  {key_for(self, 'proposal-down')} scrolls"
        )
        self._choices.note(shown if long else "")


class Proposal(Drawn):
    """The question, and the whole of what would be done."""

    FILL = "input"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="proposal")
        self._question: QuestionAsked | None = None
        self._drawn: tuple[int, list[list[Run]]] = (0, [])

    def show(self, question: QuestionAsked | None) -> None:
        self._question = question
        self._drawn = (0, [])
        self.refresh(layout=True)

    def wear(self, ink: Ink) -> None:
        self._drawn = (0, [])
        super().wear(ink)

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        if self._drawn[0] != width:
            self._drawn = (width, self._draw(width))
        return self._drawn[1]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        return len(self.rows(width))

    def _draw(self, width: int) -> list[list[Run]]:
        question, ink = self._question, self.ink
        if question is None:
            return []
        title = [(headline(question), ink.style("waiting", "input", "bold"))]
        edge: Run = (f"{ink.glyphs.bar} ", ink.style("waiting", "input"))
        lines = [
            *wrap(title, max(1, width - 3)),
            *proposal(question, width - 3, ink, "input"),
        ]
        return [*([edge, *line.runs] for line in lines), [edge]]


class Choices(Drawn):
    FILL = "input"

    class Clicked(Message):
        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="choices")
        self._choices: tuple[Choice, ...] = ()
        self._at = 0
        self._note = ""

    @property
    def chosen(self) -> Choice | None:
        return self._choices[self._at] if self._choices else None

    def show(self, question: QuestionAsked | None) -> None:
        self._choices, self._at = (question.choices if question else ()), 0
        self.styles.height = len(self._choices)
        self.refresh(layout=True)

    def step(self, by: int) -> None:
        self._at = (self._at + by) % max(1, len(self._choices))
        self.refresh()

    def note(self, text: str) -> None:
        """Something small, beside the last answer where it has room."""
        if text != self._note:
            self._note = text
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        rows = [self._row(number, choice, width) for number, choice in enumerate(self._choices)]
        if rows and self._note:
            note = [(f"{self._note} ", self.ink.style("dim", "input"))]
            rows[-1] = spread(rows[-1], note, width, self.ink, "input")
        return rows

    def _row(self, number: int, choice: Choice, width: int) -> list[Run]:
        ink = self.ink
        fill = "selection" if number == self._at else "input"
        runs: list[Run] = [
            (f" {choice.key or ' '} ", ink.style("waiting", fill, "bold")),
            (f" {one_line(safe(choice.label))} ", ink.style("text", fill)),
        ]
        edge: Run = (f"{ink.glyphs.bar} ", ink.style("waiting", "input"))
        return cut([edge, *runs], width, ink)

    def on_click(self, event: events.Click) -> None:
        if 0 <= event.y < len(self._choices):
            self.post_message(self.Clicked(self._choices[event.y]))
