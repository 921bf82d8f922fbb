"""A question in the place of the prompt; the transcript above stays readable and can be scrolled."""

from __future__ import annotations

import time
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from agent.events import Choice, QuestionAsked
from tui.asking import by_key, by_line
from tui.bindings import app_key, key_for
from tui.proposals import Shown, headline, proposal
from tui.transcript.diffs import Change
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line
from tui.widgets.choices import Choices
from tui.widgets.field import Field
from tui.widgets.lines import Edge, Lines

# Whoever is typing when a question comes up must not answer it by accident.
GRACE = 0.5
# Seconds for which a key stands alone before it answers.
ALONE = 0.25
# What goes to the prompt then, beside letters; a line end there would send what is not finished.
_EDITING = frozenset(("backspace", "ctrl+h", "delete", "left", "right", "ctrl+w", "home", "end"))
# Rows with room for padding, and for a reason that tells nothing new.
_ROOMY = 30
# Below so many, answers give way to what is proposed.
_CRAMPED = 16
# Of a large screen the conversation keeps a third; of a small one the proposal may have all.
_SHARE = 2 / 3
_ENOUGH = 20
# The header and the line at the bottom.
_FRAME = 2
# Columns of the edge, and of the bar of what scrolls.
_BESIDE = 3
_PLACEHOLDERS = {
    "no": "why? the agent reads it; enter refuses, esc goes back",
    "wish": "what matters most; enter does it, esc goes back",
}


class _Drawn(NamedTuple):
    """`circumstances` are width and colours."""

    question: QuestionAsked
    circumstances: tuple[int, Ink]
    title: list[Line]
    shown: Shown


class QuestionPanel(Horizontal, can_focus=True):
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
        self._ink = ink
        self._edge = Edge(ink)
        self._headline = Lines(ink, "headline")
        self._proposal = Lines(ink, "proposal")
        # Kept by name: a question may come before they are on the screen.
        self._scroll = VerticalScroll(self._proposal, id="proposal-scroll", can_focus=False)
        self._field = Field(id="reason", compact=True)
        self._choices = Choices(ink)
        self._moved = self._given = False
        self._last: _Drawn | None = None
        self._refusing: Choice | None = None
        self._pressed: events.Key | None = None
        self.grace, self.alone = GRACE, ALONE
        self._ready = 0.0

    def compose(self) -> ComposeResult:
        yield self._edge
        with Vertical(id="asked"):
            yield self._headline
            yield self._scroll
            yield self._choices
            yield self._field

    def on_mount(self) -> None:
        self.watch(self._scroll, "scroll_y", self._tell, init=False)

    def ask(self, question: QuestionAsked | None, *, waits: bool = False) -> None:
        """One that `waits` has no keys until it is gone to."""
        self.question, self._last = question, None
        self._refusing = self._pressed = None
        self._moved = self._given = False
        self._choices.show(question.choices if question else ())
        self._words(question is not None and question.purpose == "ask_user", "type your answer")
        self._ready = time.monotonic() + self.grace
        if question and not waits:
            self.focus()
            self._settle()

    @property
    def answering(self) -> Widget:
        """Who takes the keys of an answer."""
        words = self._field
        return words if words.display else self

    def focus_answer(self) -> None:
        self.answering.focus()

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
        if event.key == "escape":
            self._pressed = None
            if self._refusing:
                event.stop()
                self._back()
        elif self._too_early(event):
            event.stop()
            event.prevent_default()
            self._pass_on(event)
        elif self._pressed:
            event.stop()
            first, self._pressed = self._pressed, None
            self._pass_on(first, event)
        elif not self._field.display:
            self._take_key(question, event)

    def _take_key(self, question: QuestionAsked, event: events.Key) -> None:
        choice = by_key(question, event.character or "")
        if choice and not choice.text and not self._choices.is_in_sight(choice):
            # Nobody allows what they could not read: the key shows it first.
            event.stop()
            self._choices.choose(choice)
            self.fit()
        elif choice:
            event.stop()
            self._give_alone(choice, event)
        elif event.is_printable and event.key not in self.screen.active_bindings:
            event.stop()
            self._pass_on(event)

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
        self.set_timer(self.alone, give)

    def _pass_on(self, *keys: events.Key) -> None:
        """To the prompt, as what follows without a rest; an enter behind words, late or not, is no answer."""
        self._ready = time.monotonic() + self.grace
        for event in keys:
            if event.is_printable or event.key in _EDITING:
                self._choices.mark(marked=False)
                self.post_message(self.Typed(event))
        self._tell()

    def on_input_changed(self, event: Input.Changed) -> None:
        """What enter would give is marked: the answer whose number was typed, or none where words are."""
        event.stop()
        question, text = self.question, event.value.strip()
        if question is None or self._refusing or event.value != event.input.value:
            return
        reply = by_line(question, text) if text else None
        if reply and not reply.text:
            self._choices.choose(next(each for each in question.choices if each.name == reply.choice))
        else:
            self._choices.mark(marked=not text)
        self.fit()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        question = self.question
        if question is None or self._too_early(event):
            return
        text = event.value.strip()
        if self._refusing:
            self._answer(question, self._refusing.name, text)
        elif text and (reply := by_line(question, text)):
            self._answer(question, reply.choice, reply.text)
        elif not text:
            self.action_choose()

    def on_choices_clicked(self, event: Choices.Clicked) -> None:
        event.stop()
        question = self.question
        if question and event.among is question.choices and not self._too_early(event):
            self._give(event.choice)

    def action_step(self, by: int) -> None:
        if not self._field.value:
            self._choices.step(by)
            self.fit()

    def action_scroll(self, by: int) -> None:
        self._moved = True
        scroll = self._scroll
        scroll.scroll_relative(y=by * max(1, scroll.size.height - 1), animate=False)

    def action_choose(self) -> None:
        choice = self._choices.chosen
        if choice and time.monotonic() >= self._ready:
            self._give(choice)

    def wear(self, ink: Ink) -> None:
        self._ink = ink
        self.fit()

    def _give(self, choice: Choice) -> None:
        question = self.question
        if question is None:
            return
        if choice.text and not self._refusing:
            self._refusing = choice
            self._choices.choose(choice)
            self._words(True, _PLACEHOLDERS.get(choice.name, "enter answers, esc goes back"))
            self.focus_answer()
        else:
            self._answer(question, choice.name)

    def _answer(self, question: QuestionAsked, choice: str, text: str = "") -> None:
        """Once: a key that repeats must not reach what is asked next."""
        if not self._given:
            self._given = True
            self.post_message(self.Answered(question, choice, text))

    def _too_early(self, message: Message) -> bool:
        """It was sent, or comes, before this question could be read: it belongs to what was there before."""
        return min(message.time, time.monotonic()) < self._ready

    def _back(self) -> None:
        self._refusing = None
        self._words(False, "")
        self.focus()

    def _words(self, wanted: bool, placeholder: str) -> None:
        words = self._field
        words.value, words.placeholder, words.display = "", placeholder, wanted
        self.fit()

    def on_focus(self) -> None:
        self._settle()
        self.call_later(self.fit)

    def on_blur(self) -> None:
        self.call_later(self.fit)

    on_descendant_focus = on_descendant_blur = on_blur

    def fit(self, size: Size | None = None) -> None:
        """However long the proposal is, every answer stays in sight below it, or comes there by its key."""
        question, words = self.question, self._field
        width, height = size or self.screen.size
        roomy, cramped = height >= _ROOMY, height < _CRAMPED
        self.set_class(roomy, "-roomy")
        self.set_class(cramped, "-cramped")
        if question is None:
            self.screen.remove_class("alone")
            return
        title, shown = self._drawn(question, width - _BESIDE)
        around = 0 if cramped else bool(question.choices) + (2 if roomy else 0)
        if words.display:
            around += 1 if cramped else 2
        answers = self._choices.needed(width - _BESIDE)
        needed = len(title) + len(shown.lines) + around + answers
        room = self._room(needed, height)
        if needed > room:
            answers = 1 if cramped else min(answers, room // 2)
        room -= around + self._choices.fit(width - _BESIDE, answers)
        if len(title) + len(shown.lines) > room and len(title) > room // 2:
            title, shown = [], Shown([*title, *shown.lines], None)
        self._edge.light(lit=not self._elsewhere)
        self._choices.light(lit=not self._elsewhere)
        self._headline.show(title)
        self._proposal.show(shown.lines)
        view = max(0, min(len(shown.lines), room - len(title)))
        self._scroll.styles.height = view
        if not self._moved:
            self.call_after_refresh(self._reveal, shown.change, view)
        self.call_after_refresh(self._tell)

    def _drawn(self, question: QuestionAsked, width: int) -> tuple[list[Line], Shown]:
        """Draw it again only where it looks different: a long diff takes a while."""
        last, wanted = self._last, (width, self._ink)
        if last is None or last.question is not question or last.circumstances != wanted:
            title = headline(question, width, self._ink, "input")
            shown = proposal(question, width, self._ink, "input")
            self._last = last = _Drawn(question, wanted, title, shown)
        return last.title, last.shown

    def _room(self, needed: int, height: int) -> int:
        """Rows of the screen; on a small one all else gives way, unless it is looked at."""
        most, left = max(_ENOUGH, int(height * _SHARE)), height - _FRAME
        crowded = needed > left and most > left
        self.screen.set_class(crowded and not self._elsewhere, "alone")
        if self._elsewhere:
            return left // 2
        return height if crowded else min(most, left)

    @property
    def _elsewhere(self) -> bool:
        """Something else takes the keys."""
        focused = self.screen.focused
        return focused is not None and self not in focused.ancestors_with_self

    def _reveal(self, change: Change | None, height: int) -> None:
        """A change too long to be seen whole is read from its beginning.

        In the few rows of a cramped screen what is put there is seen rather than what goes.
        """
        if change is None or change.end <= height:
            top = 0
        elif change.end - change.start <= height:
            top = change.end - height
        elif self.has_class("-cramped"):
            top = max(change.start, change.added - height // 2)
        else:
            top = change.start
        self._scroll.scroll_to(y=top, animate=False)

    def _tell(self) -> None:
        """Which part of a long proposal is in sight and how to see the rest, or how to come back to it."""
        if self.question is None:
            return
        if self._elsewhere:
            key = app_key(self, "hold", "esc")
            self._choices.remark(f"{key} comes back here to answer", f"{key} answers", key)
        elif not self._choices.marked and self._field.value:
            self._choices.remark("enter answers with what you typed", "enter answers")
        elif not self._choices.marked:
            where = "typed into the prompt"
            self._choices.remark(f"{where}, for after the answer", where, "in the prompt")
        else:
            self._choices.remark(*self._whereabouts())

    def _whereabouts(self) -> tuple[str, ...]:
        scroll, lines = self._scroll, self._proposal.size.height
        top, height = round(scroll.scroll_y), scroll.size.height
        part = self._choices.part
        answers = (f"answers {part}", part) if part else ()
        if not lines > height > 0:
            return answers
        bottom = min(top + height, lines)
        key = key_for(self, "proposal-down" if bottom < lines else "proposal-up")
        where = f"lines {top + 1}-{bottom} of {lines}"
        forms = (f"{where}  {key} scrolls", where)
        both = tuple(f"{each}  {where}" for each in answers)
        return (*both, *answers, *forms) if part else (*forms, f"{top + 1}-{bottom}/{lines}")
