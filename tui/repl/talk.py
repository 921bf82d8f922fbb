"""The talk with the session as lines of an ordinary terminal."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from agent.commands.results import Result, Show, Table
from agent.events import Event, QuestionAsked, ReasoningDelta, TextDelta, ToolOutput
from agent.opening import Opened
from tui import talk
from tui.asking import by_line, hint
from tui.clipboard import sequence
from tui.farewell import counted, ended_with
from tui.plain import one_line
from tui.repl.last_exchange import LastExchange
from tui.repl.telling import Telling
from tui.status import Status
from tui.talk import Ending, Role


class Terminal(Protocol):
    """Where lines go: `write` prints above whatever is being typed, `refresh` redraws what may be redrawn."""

    @property
    def takes_sequences(self) -> bool: ...
    @property
    def keys(self) -> Table: ...
    def write(self, text: str) -> None: ...
    def refresh(self) -> None: ...
    def draft(self, text: str) -> None:
        """Put it where the user types, if that is empty and there is such a place."""


class Talk(talk.Talk):
    def __init__(
        self,
        opened: Opened,
        telling: Telling,
        terminal: Terminal,
        tasks: asyncio.TaskGroup,
        status: Status,
        leave: Callable[[Ending], None],
    ) -> None:
        super().__init__(opened, tasks, status, leave)
        self.telling = telling
        self._terminal = terminal
        self._line = ""
        self._asked: deque[QuestionAsked] = deque()
        self._printed: QuestionAsked | None = None

    def say(self, text: str, role: Role = "faint") -> None:
        self._terminal.write(self.telling.aside() + self.telling.note(text, role))

    def show_event(self, event: Event) -> None:
        if isinstance(event, QuestionAsked):
            self._asked.append(event)
        else:
            self._terminal.write(self.telling.told(event))
        self._print_question()
        if not isinstance(event, TextDelta | ReasoningDelta | ToolOutput):
            # What streams is drawn as the clock ticks, however fast it comes.
            self._terminal.refresh()

    @property
    def question(self) -> QuestionAsked | None:
        """The question that was printed last, while it is open: an answer goes to what the user has read."""
        printed = self._printed
        return printed if printed and self.session.questions.is_open(printed) else None

    def submit(self, text: str, named: Sequence[Path] = ()) -> None:
        printed = self._printed
        closed = printed and printed.purpose != "ask_user" and not self.question
        if printed and closed and by_line(printed, text):
            # Nothing was printed since it was answered or its turn ended, so the line can mean no other.
            self._printed = None
            self.answer(printed, "")
        else:
            super().submit(text, named)

    def _print_question(self) -> None:
        """The oldest that is open, and only that: several calls may ask at once."""
        while self._asked and not self.session.questions.is_open(self._asked[0]):
            self._asked.popleft()
        oldest = self._asked[0] if self._asked else None
        if oldest is self._printed:
            return
        self._printed = oldest
        if oldest:
            self._terminal.write(self.telling.told(oldest))
            if self.telling.words:
                self.say(f"Answer with a line: {hint(oldest).replace('   ', ', ')}.")

    def show_spoken(self, line: str) -> None:
        self._terminal.write(self.telling.aside() + self.telling.spoken(line))

    def show_result(self, result: Result) -> None:
        self._terminal.write(self.telling.aside() + self.telling.result(result))

    def show_screen(self, wanted: Show) -> bool:
        if wanted.screen == "keys":
            self.show_result(self._terminal.keys)
        return wanted.screen == "keys"

    def show_output(self, name: str, piece: str) -> None:
        """Whole lines: the prompt, or a reply, may come between any two of them."""
        del name
        whole, line_break, self._line = (self._line + piece).rpartition("\n")
        self._terminal.write(whole + line_break)

    def copy(self, text: str) -> bool:
        if self._terminal.takes_sequences:
            self._terminal.write(sequence(text))
        return self._terminal.takes_sequences

    def draft(self, text: str) -> None:
        self._terminal.draft(text)

    def refresh(self) -> None:
        self._terminal.refresh()

    def settle(self) -> None:
        """Nothing happened for a moment: the plan may be shown as it is. In a turn more is to come."""
        if not self.session.busy:
            self._terminal.write(self.telling.finish())
        elif self.question is not None:
            self._terminal.write(self.telling.aside())

    def recall(self, exchange: LastExchange) -> None:
        """What was said before, as it looked then; nothing where nothing was."""
        self._terminal.write(self.telling.recalled(exchange))
        service = self.session.agenda.service
        if service.snapshot.open:
            self._terminal.write(self.telling.planned(service.snapshot.open, service.snapshot.progress))
        self.telling.plan.known(service.snapshot.todos)

    def warn(self, key: str) -> None:
        """Say what the next press of a key that leaves would end."""
        if key == "ctrl+c":
            jobs = f" and ends {counted(self.jobs)}" if self.jobs else ""
            self.say(f"ctrl+c again leaves{jobs}, or ctrl+d", "waiting" if jobs else "faint")
        else:
            self.say(f"{counted(self.jobs)} would end; {key} again leaves", "waiting")

    def tell_ended(self) -> str:
        """Name the jobs that end with the sitting."""
        return self.telling.note(ended_with(self.jobs), "waiting") if self.jobs else ""

    def farewell(self) -> str:
        session = self.session
        if not (session.journal.messages or session.agenda.service.snapshot.todos or session.queued):
            return ""
        kept = f"session {session.id} is kept; `wakeful repl -c` continues it"
        return self.telling.finish() + self._unsent() + self.tell_ended() + self.telling.note(kept)

    def tell_unsent(self) -> None:
        self._terminal.write(self.telling.finish() + self._unsent())

    def _unsent(self) -> str:
        unsent = (*self.session.steering, *self.session.queued)
        return "".join(self.telling.note(f"not sent: {one_line(text)}", "waiting") for text in unsent)
