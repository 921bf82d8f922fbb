"""The one way to ask a person anything: permissions, choices of a tool, doubts of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Literal

from agent.events import Choice, Event, QuestionAnswered, QuestionAsked
from store.frozen import frozen

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
        self._numbers = count(1)
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
    ) -> Answer:
        number = f"q{next(self._numbers)}"
        asked = QuestionAsked(number, purpose, prompt, choices, detail, tool, diff, call_id)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._open[asked.question_id] = (asked, future)
        self._emit(asked)
        try:
            return await future
        finally:
            del self._open[asked.question_id]

    def answer(self, question_id: str, choice: str, text: str = "") -> None:
        if question_id not in self._open:
            raise UnknownQuestionError(f"no open question {question_id}; it may have been answered already")
        asked, future = self._open[question_id]
        names = [offered.name for offered in asked.choices]
        if names and choice not in names:
            raise UnknownQuestionError(
                f"'{choice}' is not an answer to {question_id}; choose {', '.join(names)}"
            )
        if not future.done():
            future.set_result(Answer(choice, text))
            self._emit(QuestionAnswered(question_id, choice, text))
