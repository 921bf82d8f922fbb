"""A question in the place of the prompt; the transcript above stays readable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual import events
from textual.message import Message

from agent.events import QuestionAsked
from tui.asking import by_key
from tui.escapes import safe
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap
from tui.widgets.drawn import Drawn


class QuestionPanel(Drawn, can_focus=True):
    FILL = "input"

    class Answered(Message):
        def __init__(self, question: QuestionAsked, choice: str, text: str = "") -> None:
            super().__init__()
            self.question, self.choice, self.text = question, choice, text

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="question")
        self.question: QuestionAsked | None = None

    def ask(self, question: QuestionAsked, arguments: Mapping[str, Any]) -> None:
        """`arguments` are those of the call that is asked about."""
        del arguments
        self.question = question
        self.refresh(layout=True)

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        question, ink = self.question, self.ink
        if question is None:
            return []
        text = "\n".join(filter(None, (question.prompt, question.detail)))
        lines = wrap([(safe(text), ink.style("text", "input"))], max(1, width - 4))
        rows: list[list[Run]] = [
            [(f"{ink.glyphs.bar} ", ink.style("waiting", "input")), *line.runs] for line in lines
        ]
        rows += [
            [
                (f"{ink.glyphs.bar} ", ink.style("waiting", "input")),
                (choice.key, ink.style("accent", "input", "bold")),
                (f" {safe(choice.label)}", ink.style("text", "input")),
            ]
            for choice in question.choices
        ]
        return rows

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        del container, viewport
        return len(self.rows(width))

    def on_key(self, event: events.Key) -> None:
        question = self.question
        choice = by_key(question, event.character or "") if question else None
        if question and choice:
            event.stop()
            self.post_message(self.Answered(question, choice.name))
