"""The talk with the session as the app shows it: one place turns events into calls of widgets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from agent.commands.results import Picker, Result
from agent.events import (
    Event,
    QuestionAsked,
    ReasoningDelta,
    TextDelta,
    TodoUpdated,
    ToolOutput,
    ToolStarted,
)
from agent.opening import Opened
from store.records import Progress, Todo
from tui.results import printed
from tui.status import Status
from tui.talk import Ending, Role, Talk
from tui.transcript.entries import UserMessage
from tui.transcript.feed import Feed
from tui.transcript.ink import Ink


class Surface(Protocol):
    """What the app offers to be drawn on."""

    ink: Ink

    def pick(self, picker: Picker) -> None: ...
    def show_status(self, status: Status) -> None: ...
    def show_plan(self, todos: tuple[Todo, ...], progress: Progress) -> None: ...
    def show_question(self, question: QuestionAsked | None, arguments: Mapping[str, Any]) -> None: ...
    def copy_text(self, text: str) -> None: ...


class Stage(Talk):
    def __init__(
        self,
        opened: Opened,
        feed: Feed,
        surface: Surface,
        tasks: asyncio.TaskGroup,
        status: Status,
        leave: Callable[[Ending], None],
    ) -> None:
        super().__init__(opened, tasks, status, leave)
        self.feed = feed
        self._surface = surface
        self._arguments: dict[str, Mapping[str, Any]] = {}

    def show_event(self, event: Event) -> None:
        self.feed.show(event)
        match event:
            case TextDelta() | ReasoningDelta() | ToolOutput():
                # What streams changes nothing else on the screen.
                return
            case TodoUpdated():
                self._surface.show_plan(event.todos, event.progress)
            case ToolStarted():
                self._arguments[event.name] = event.arguments
            case _:
                pass
        self.refresh()

    def say(self, text: str, role: Role = "faint") -> None:
        if role == "bad":
            message, _, hint = text.partition("; ")
            self.feed.fail(message, hint)
        else:
            self.feed.note(text, warning=role == "waiting")

    def show_spoken(self, line: str) -> None:
        self.feed.add(UserMessage(line))

    def show_result(self, result: Result) -> None:
        if isinstance(result, Picker):
            self._surface.pick(result)
        else:
            self.feed.add(printed(result, unicode=not self._surface.ink.glyphs.ascii))

    def show_output(self, piece: str) -> None:
        self.feed.print(piece)

    def copy(self, text: str) -> None:
        self._surface.copy_text(text)

    def refresh(self) -> None:
        self._surface.show_status(self.status)
        question = self.question
        self._surface.show_question(question, self._arguments.get(question.tool, {}) if question else {})
