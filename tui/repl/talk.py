"""What a line typed at the prompt means, and what the session answers: the REPL without its terminal."""

from __future__ import annotations

import asyncio
import time
from base64 import b64encode
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from agent.bus import Subscription
from agent.commands.builtin import context_for
from agent.commands.completion import complete
from agent.commands.errors import CommandError
from agent.commands.execution import execute
from agent.commands.registry import is_command
from agent.commands.results import Confirm, Copy, Prompt, Quit, Reopen
from agent.events import Choice, Event, QuestionAsked, ReasoningDelta, TextDelta, ToolOutput
from agent.opening import Opened, Opening
from agent.questions import UnknownQuestionError
from store import prompts, sessions
from store.errors import StoreError
from store.ids import new_session_id
from tui.escapes import EscapeFilter
from tui.repl import shell
from tui.repl.asking import by_line
from tui.repl.status import Status, updated
from tui.repl.telling import Telling

Found = tuple[str, int, str, str]
"""An offer: the text, where it goes counted from the cursor, its label and what is said beside it."""

Ending = int | Opening
"""How a sitting ends: with an exit status, or with another session to go on in."""

_YES_OR_NO = (Choice("yes", "Yes", "y"), Choice("no", "No", "n"))
_CLIPBOARD = 100_000


class Terminal(Protocol):
    """Where lines go: `write` prints above whatever is being typed, `refresh` redraws what may be redrawn."""

    def write(self, text: str) -> None: ...
    def refresh(self) -> None: ...


class Talk:
    """`tasks` owns whatever a line sets in motion."""

    def __init__(
        self,
        opened: Opened,
        telling: Telling,
        terminal: Terminal,
        tasks: asyncio.TaskGroup,
        status: Status,
        leave: Callable[[Ending], None],
    ) -> None:
        self.opened = opened
        self.session = opened.session
        self.telling = telling
        self.status = status
        self._terminal = terminal
        self._tasks = tasks
        self._leave = leave
        self._started: set[asyncio.Task[None]] = set()
        self._command: asyncio.Task[None] | None = None
        self.context = context_for(opened)

    @property
    def question(self) -> QuestionAsked | None:
        """The oldest that waits; it goes away with its turn."""
        waiting = self.session.questions.open
        return waiting[0] if waiting else None

    @property
    def interruptible(self) -> bool:
        status = self.status
        busy = status.working or status.waits_for_you or status.wakes_at is not None
        return busy or self.session.busy or self._command is not None

    def submit(self, text: str) -> None:
        text = text.strip()
        if not text:
            return
        question = self.question
        if question is not None and not text.startswith(("!", "/")):
            reply = by_line(question, text)
            if reply is not None:
                self.answer(question, reply.choice, reply.text)
                return
        working = self._start(self.take(text))
        if text.startswith("!"):
            self._command = working

    async def take(self, text: str) -> None:
        """What the line asks for, until that is done or with the agent."""
        await self._remember(text)
        if text.startswith("!"):
            await self._run(text)
        elif is_command(text):
            await self._execute(text)
        else:
            await self.session.send(text)

    def steer(self, text: str) -> None:
        """Into the turn that runs, without waiting for its end."""
        text = text.strip()
        if not text:
            return
        self._start(self._remember(text))
        self._start(self.session.steer(text))

    def answer(self, question: QuestionAsked, choice: str, text: str = "") -> None:
        try:
            self.session.answer(question.question_id, choice, text)
        except UnknownQuestionError:
            # Its turn ended in the same moment.
            self.say("that question is no longer open")

    def interrupt(self) -> None:
        """Stop and hold; the user's own command first, since it is what they see."""
        if self._command is not None:
            self._command.cancel()
        else:
            self._start(self.session.interrupt())

    def say(self, text: str, role: str = "faint") -> None:
        self._terminal.write(self.telling.finish() + self.telling.note(text, role))

    async def follow(self, events: Subscription) -> None:
        async for event in events:
            self.hear(event)

    def hear(self, event: Event) -> None:
        self.status = updated(self.status, event, time.monotonic())
        self._terminal.write(self.telling.told(event))
        if not isinstance(event, TextDelta | ReasoningDelta | ToolOutput):
            # What streams is drawn as the clock ticks, however fast it comes.
            self._terminal.refresh()

    def settle(self) -> None:
        """Nothing happened for a moment: the plan may be shown as it is. In a turn more is to come."""
        if not self.session.busy or self.question is not None:
            self._terminal.write(self.telling.finish())

    def recall(self, asked: str, replied: str) -> None:
        """What was said before, as it looked then."""
        self._terminal.write(self.telling.recalled(asked, replied))
        service = self.session.agenda.service
        if service.snapshot.open:
            block = self.telling.plan.block(service.snapshot.todos, service.snapshot.progress)
            self._terminal.write("\n" + block)
        self.telling.plan.known(service.snapshot.todos)

    def farewell(self) -> str:
        if not self.session.journal.messages:
            return ""
        return self.telling.finish() + self.telling.note(
            f"session {self.session.id} is kept; `wakeful repl -c` continues it"
        )

    def cancel(self) -> None:
        """Nothing the user set in motion outlives the prompt."""
        for task in self._started:
            task.cancel()

    async def history(self) -> list[str]:
        """Oldest first."""
        kept = await self.opened.store.read(prompts.recent, str(self.root))
        return [prompt.text for prompt in reversed(kept)]

    @property
    def root(self) -> Path:
        return Path(self.session.agenda.service.workspace)

    async def _remember(self, text: str) -> None:
        await self.opened.store.write(prompts.add, str(self.root), self.session.id, text)

    async def offers(self, typed: str) -> list[Found]:
        """What could follow a command that is being typed."""
        found = await complete(self.context, typed)
        return [(each.text, each.start - len(typed), each.label, each.detail) for each in found]

    async def _execute(self, line: str) -> None:
        self._terminal.write(self.telling.finish() + self.telling.spoken(line))
        try:
            result = await execute(self.context, line)
        except CommandError as error:
            self.say(str(error), "bad")
            return
        match result:
            case Prompt(text):
                await self.session.send(text)
            case Confirm():
                await self._confirm(result)
            case Copy(text, what):
                self._terminal.write(clipboard(text))
                self.say(f"copied {what}", "good")
            case Reopen(session_id, note):
                self.say(note)
                opening = replace(
                    self.opened.opening, resume=session_id, proceed="new", model_name=None, agent=None
                )
                self._leave(opening)
            case Quit():
                self._leave(0)
            case _:
                self._terminal.write(self.telling.finish() + self.telling.result(result))

    async def _confirm(self, asked: Confirm) -> None:
        if not self.session.questions.attended:
            self._terminal.write(self.telling.result(asked))
            return
        answer = await self.session.questions.ask("confirm", asked.question, _YES_OR_NO, detail=asked.detail)
        if answer.choice == "yes":
            await self._execute(asked.line)

    async def _run(self, text: str) -> None:
        """`!` shows what the command says; `!!` also tells the agent."""
        told, command = text.startswith("!!"), text.lstrip("!").strip()
        self._terminal.write(self.telling.finish() + self.telling.spoken(text))
        filtered = EscapeFilter()
        log = self.opened.opening.paths.state_folder / "outputs" / f"user-{new_session_id()}.log"
        try:
            ran = await shell.run(
                command, self.root, log, lambda piece: self._terminal.write(filtered.feed(piece))
            )
        except asyncio.CancelledError:
            self.say(f"stopped: {command}", "waiting")
            raise
        except OSError as error:
            self.say(f"{command}: {error.strerror}", "bad")
            return
        finally:
            self._command = None
        if not ran.output.endswith("\n") and ran.output:
            self._terminal.write("\n")
        if ran.code:
            self.say(f"exit code {ran.code}", "bad")
        if told:
            await self.session.send(ran.message())

    def _start(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = self._tasks.create_task(self._guarded(work))
        self._started.add(task)
        task.add_done_callback(self._started.discard)
        return task

    async def _guarded(self, work: Coroutine[object, object, None]) -> None:
        """A full disk or a locked database is told, and the conversation goes on."""
        try:
            await work
        except StoreError as error:
            self.say(str(error), "bad")
        # The queue may be longer or shorter now, and no event tells of it.
        self._terminal.refresh()


def clipboard(text: str) -> str:
    """The sequence by which a terminal, also a far one, takes something into its clipboard."""
    return f"\x1b]52;c;{b64encode(text[:_CLIPBOARD].encode()).decode()}\a"


async def first_status(opened: Opened) -> Status:
    session = opened.session
    record = await opened.store.read(sessions.get, session.id)
    snapshot = session.agenda.service.snapshot
    return Status(
        state=record.state if record.state in ("idle", "dormant") else "idle",
        reason=record.reason,
        resume="type or /wake to continue" if snapshot.open else "type to begin",
        wakes=record.wakes,
        max_wakes=session.limits.max_cycles,
        model=opened.model_name,
        agent=record.agent,
        cost=record.cost,
        progress=snapshot.progress,
    )
