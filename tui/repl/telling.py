"""Turns the events of a session into lines that are printed once, in the order in which things happened."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.text import Text

from agent.commands.results import Result
from agent.events import (
    ContextCompacted,
    ContextPruned,
    Event,
    Failed,
    MessageAdded,
    Notice,
    QuestionAnswered,
    QuestionAsked,
    RetryWaiting,
    SessionStateChanged,
    TaskFinished,
    TaskStarted,
    TextDelta,
    TodoUpdated,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    WakeStarted,
)
from store.records import Progress, Todo
from tui.escapes import EscapeFilter, safe
from tui.failures import way_on
from tui.oneline import one_line
from tui.plain import compacted_line, pruned_line
from tui.repl.asking import question_text
from tui.repl.blocks import Blocks
from tui.repl.calls import Calls
from tui.repl.last_exchange import LastExchange
from tui.repl.paper import Paper
from tui.repl.plan import Plan
from tui.repl.results import shown
from tui.verbs import is_planning


class Telling:
    """`words` leaves signs and bars away, for those who listen to the screen."""

    def __init__(self, paper: Paper, *, words: bool = False, echo: bool = True) -> None:
        self.plan = Plan(paper)
        self.words = words
        self._paper = paper
        self._echo = echo
        self._calls = Calls(paper, words=words)
        self._filter = EscapeFilter()
        self._blocks = Blocks()
        self._titles: dict[int, str] = {}
        self._choices: dict[str, QuestionAsked] = {}
        self._last = ""

    @property
    def pending(self) -> str:
        """The piece of the reply that is still being written."""
        return self._blocks.pending

    @property
    def in_code(self) -> bool:
        return self._blocks.in_code

    def told(self, event: Event) -> str:
        match event:
            case TextDelta():
                blocks = self._blocks.feed(self._filter.feed(event.text))
                return self._joined("text", "".join(map(self._paper.block, blocks)))
            case TodoUpdated():
                self.plan.update(event)
                return ""
            case ToolStarted():
                self._titles[event.part_id] = event.title
                return "" if is_planning(event.name) else self.finish()
            case RetryWaiting():
                # What came so far is void; the part of it that was not printed need not be.
                self._blocks = Blocks()
                return self.finish() + self._said(event)
            case TurnEnded() | SessionStateChanged():
                return self.finish() + self._said(event)
            case _:
                held_back = self.aside if self._is_aside(event) else self.finish
                said = self._said(event)
                return held_back() + said if said else ""

    def finish(self) -> str:
        """What was still held back: the end of a reply, and what moved on the plan."""
        blocks = self._blocks.end()
        self._filter = EscapeFilter()
        rest = self._joined("text", "".join(map(self._paper.block, blocks)))
        return rest + self.aside()

    def aside(self) -> str:
        """What moved on the plan, before a line of our own; a reply that is being written goes on behind."""
        return self._joined("plan", self.plan.news(words=self.words))

    def recalled(self, exchange: LastExchange) -> str:
        """An exchange of an earlier sitting, and how it ended."""
        if not (exchange.asked or exchange.replied or exchange.failure):
            return ""
        said = self.spoken(exchange.asked) if exchange.asked else ""
        blocks = self._blocks.feed(safe(exchange.replied))
        said += self._joined("text", "".join(map(self._paper.block, blocks))) + self.finish()
        if exchange.interrupted:
            said += self.note("interrupted here", "waiting")
        if failure := exchange.failure:
            said += self._failed(failure.code, failure.message, failure.hint)
        return said

    def _failed(self, code: str, message: str, hint: str) -> str:
        return self.note("; ".join(part for part in (message, way_on(code, hint)) if part), "bad")

    def note(self, text: str, role: str = "faint") -> str:
        """A line of our own; what stands in it may come from anywhere."""
        said = safe(text).replace(" · ", ", ") if self.words else safe(text)
        return self._joined("note", self._paper.show(Text(said, getattr(self._paper.palette, role))))

    def result(self, result: Result) -> str:
        return self._joined("result", shown(result, self._paper, self.plan, words=self.words))

    def spoken(self, text: str) -> str:
        """What the user said, where the conversation takes it up."""
        if not self._echo:
            return ""
        lines = safe(text).split("\n")
        accent = f"bold {self._paper.palette.accent}"
        rows = [
            self._paper.hanging(
                Text(self._paper.spelled("› ") if not number else "  ", accent),
                Text(self._paper.spelled(line), "bold"),
            )
            for number, line in enumerate(lines)
        ]
        return self._joined("spoken", self._paper.show(Group(*rows)))

    def planned(self, todos: Sequence[Todo], progress: Progress) -> str:
        """The whole plan, whatever of it was shown before."""
        return self._joined("plan", self.plan.block(todos, progress, words=self.words))

    def _is_aside(self, event: Event) -> bool:
        """It may come in the middle of a reply, and has nothing to do with it."""
        match event:
            case QuestionAsked(purpose=purpose):
                return purpose == "confirm"
            case QuestionAnswered(question_id=question_id):
                asked = self._choices.get(question_id)
                return asked is not None and asked.purpose == "confirm"
            case _:
                return isinstance(event, Notice)

    def _said(self, event: Event) -> str:
        match event:
            case MessageAdded():
                return self.spoken(event.message.text) if event.message.origin == "human" else ""
            case ToolFinished():
                title = self._titles.pop(event.part_id, event.name)
                return self._joined("call", self._calls.finished(event, title))
            case QuestionAsked():
                self._choices[event.question_id] = event
                asked = question_text(event, self._paper, words=self.words)
                return self._joined("question", asked)
            case QuestionAnswered():
                return self.note(self._answer(event), "waiting")
            case _:
                return self._remarked(event)

    def _remarked(self, event: Event) -> str:
        match event:
            case WakeStarted():
                return self.note(f"woken {event.wake}/{event.max_wakes}: open todos are left", "accent")
            case RetryWaiting():
                return self.note(
                    f"{event.reason}; try {event.attempt + 1} in {event.seconds:.0f} s", "waiting"
                )
            case Notice():
                return self.note(
                    event.text, {"info": "good", "warning": "waiting", "error": "bad"}[event.level]
                )
            case Failed():
                return self._failed(event.code, event.message, event.hint)
            case ContextCompacted(automatic=True):
                return self.note(compacted_line(event))
            case ContextPruned():
                return self.note(pruned_line(event))
            case TaskStarted():
                return self.note(f"{event.agent} started: {one_line(event.title)}")
            case TaskFinished():
                return self.note(f"subagent {event.status}: {one_line(event.text)}")
            case TurnEnded(reason="interrupted"):
                return self.note("interrupted", "waiting")
            case _:
                return ""

    def _answer(self, event: QuestionAnswered) -> str:
        asked = self._choices.pop(event.question_id, None)
        labels = [choice.label for choice in asked.choices if choice.name == event.choice] if asked else []
        if asked and asked.purpose == "ask_user":
            return f"you: {event.text or event.choice}"
        said = (labels or [event.choice])[0]
        # "No, and say why" has been said by then.
        return f"you: {said.partition(',')[0]}: {event.text}" if event.text else f"you: {said}"

    def _joined(self, kind: str, text: str) -> str:
        """An empty line between different kinds of things, none between calls that follow each other."""
        if not text:
            return ""
        apart = self._last not in ("", kind) or kind in ("spoken", "plan")
        first, self._last = not self._last, kind
        gap = "" if first or not apart or text.startswith("\n") else "\n"
        return gap + text
