"""The one way to ask a person anything: permissions, choices of a tool, doubts of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from agent.events import Choice, Event, QuestionAnswered, QuestionAsked
from store.frozen import frozen
from store.ids import new_question_id

Purpose = Literal["permission", "ask_user", "plan", "loop", "confirm"]


class UnknownQuestionError(Exception):
    """The question was answered already, or its turn has ended."""


@frozen
class Answer:
    choice: str
    text: str = ""


class Questions:
    """`attended` says whether a person is there at all; where nobody is, `ask` must not be called."""

    def __init__(self, emit: Callable[[Event], None], *, attended: bool) -> None:
        self.attended = attended
        self._emit = emit
        self._open: dict[str, tuple[QuestionAsked, asyncio.Future[Answer]]] = {}

    @property
    def open(self) -> tuple[QuestionAsked, ...]:
        return tuple(asked for asked, future in self._open.values() if not future.done())

    async def ask(
        self,
        purpose: Purpose,
        prompt: str,
        choices: tuple[Choice, ...],
        *,
        detail: str = "",
        tool: str = "",
        diff: str = "",
        call_id: str = "",
        reason: str = "",
    ) -> Answer:
        asked = QuestionAsked(
            new_question_id(), purpose, prompt, choices, detail, tool, diff, call_id, reason
        )
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[asked.question_id] = (asked, future)
        self._emit(asked)
        try:
            return await future
        finally:
            del self._open[asked.question_id]

    def is_open(self, question: QuestionAsked) -> bool:
        return self._waiting(question) is not None

    def answer(self, question: QuestionAsked, choice: str, text: str = "") -> None:
        """Answer the very question that was shown.

        Raises UnknownQuestionError and does nothing if it is closed, or was asked by another session.
        """
        waiting = self._waiting(question)
        if waiting is None:
            raise UnknownQuestionError("that question is no longer open; nothing was answered")
        names = [offered.name for offered in question.choices]
        if names and choice not in names:
            raise UnknownQuestionError(f"'{choice}' is no answer to it; choose {', '.join(names)}")
        waiting.set_result(Answer(choice, text))
        self._emit(QuestionAnswered(question.question_id, choice, text))

    def _waiting(self, question: QuestionAsked) -> asyncio.Future[Answer] | None:
        """A copy that came over the bus is the same question; one with other words is not."""
        asked, future = self._open.get(question.question_id, (None, None))
        if future is None or future.done() or replace(question, seq=0, session="", time=0) != asked:
            return None
        return future
