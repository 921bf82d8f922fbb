"""What a line typed at a prompt means, and what the session answers: a door without its terminal."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from agent.bus import Subscription
from agent.commands.builtin import context_for
from agent.commands.completion import complete, mentions_files
from agent.commands.errors import CommandError
from agent.commands.execution import execute
from agent.commands.registry import Completion, is_command
from agent.commands.results import Confirm, Copy, Draft, Prompt, Quit, Reopen, Result, Show
from agent.events import Choice, Event, QuestionAsked, SessionRewound
from agent.money import is_priced
from agent.opening import Opened, Opening
from agent.questions import UnknownQuestionError
from agent.tools.tool import Attachment
from agent.wake import Stay
from store import prompts, sessions
from store.errors import StoreError
from store.ids import new_session_id
from tui import shell
from tui.asking import by_line
from tui.clipboard import offer_to_tmux
from tui.escapes import EscapeFilter
from tui.farewell import named
from tui.files import Files
from tui.offering import Offering
from tui.pictures import attachments
from tui.status import Status, updated

Ending = int | Opening
"""How a sitting ends: with an exit status, or with another session to go on in."""

Role = Literal["faint", "accent", "good", "waiting", "bad"]

_YES, _NO = Choice("yes", "Yes", "y"), Choice("no", "No", "n")
_CLIPBOARD = 100_000
# Seconds after an interrupt in which Enter on the empty prompt does nothing.
RESUME_AFTER = 1.0


class Talk:
    """A door derives from it and says how things are shown; `tasks` owns whatever a line sets in motion."""

    def __init__(
        self, opened: Opened, tasks: asyncio.TaskGroup, status: Status, leave: Callable[[Ending], None]
    ) -> None:
        self.opened = opened
        self.session = opened.session
        self.status = status
        self._tasks = tasks
        self._over = False
        # By the monotonic clock: whoever stops the agent may still be pressing Enter.
        self.interrupted_at = float("-inf")
        self.leave = leave
        self._started: set[asyncio.Future[None]] = set()
        # Commands of the user's own that run, the newest last.
        self._commands: list[asyncio.Future[None]] = []
        self._order = asyncio.Lock()
        # Typed and not begun: for the next session, when this one is left for it.
        self.ahead: list[str] = []
        self._left = False
        self._learn()
        self.offering = Offering(
            Files(self.root, self.history), self.offers, lambda typed: mentions_files(self.context, typed)
        )

    def say(self, text: str, role: Role = "faint") -> None:
        """A line of our own."""
        raise NotImplementedError

    def show_event(self, event: Event) -> None:
        raise NotImplementedError

    def show_spoken(self, line: str) -> None:
        """A line of the user's that does not go to the agent."""
        raise NotImplementedError

    def end_spoken(self) -> None:
        """What that line asked for is done, or under way."""

    def show_result(self, result: Result) -> None:
        """What a command answered."""
        raise NotImplementedError

    def begin_output(self, command: str) -> str:
        """A command of the user's own is about to run; gives the name it has from here on."""
        return command

    def show_output(self, name: str, piece: str) -> None:
        """What that command prints, as it does; already harmless."""
        raise NotImplementedError

    def end_output(self, name: str, ran: shell.Ran | None) -> None:
        """That command has ended; None where it did not come to its own end."""
        del name
        if ran and ran.code:
            self.say(f"exit code {ran.code}", "bad")

    def copy(self, text: str) -> bool:
        """False where there is no clipboard to be reached."""
        raise NotImplementedError

    def draft(self, text: str) -> None:
        """To where the user types, unless something stands there; a door of bare lines has no such place."""

    def show_screen(self, wanted: Show) -> bool:
        """False in a door that has no such screen."""
        del wanted
        return False

    def words(self, kind: str) -> Sequence[str]:
        """What an argument may be that only the door knows of."""
        del kind
        return ()

    def refresh(self) -> None:
        """Something changed that no event tells of."""
        raise NotImplementedError

    @property
    def question(self) -> QuestionAsked | None:
        """The oldest that waits; it goes away with its turn."""
        waiting = self.session.questions.open
        return waiting[0] if waiting else None

    @property
    def interruptible(self) -> bool:
        status = self.status
        busy = status.working or status.waits_for_you or status.wakes_at is not None
        own = bool(self._commands) or self._to_confirm is not None
        return busy or own or self.session.busy or self.session.context.working

    @property
    def _to_confirm(self) -> QuestionAsked | None:
        """What a command of the user's asks before it does anything."""
        return next((each for each in self.session.questions.open if each.purpose == "confirm"), None)

    @property
    def root(self) -> Path:
        return Path(self.session.agenda.service.workspace)

    def submit(self, text: str, named: Sequence[Path] = ()) -> None:
        """`named` are pictures to go with it, where there are such files."""
        text = text.strip()
        if not text:
            self.resume()
            return
        question = self.question
        if question is not None and not self._left and not text.startswith(("!", "/")):
            reply = by_line(question, text)
            if reply is not None:
                self.answer(question, reply.choice, reply.text)
                return
        self.ahead.append(text)
        working = self.start(self.take(text, named))
        if text.startswith("!"):
            self._commands.append(working)
            working.add_done_callback(self._forget)

    def resume(self) -> None:
        """Enter on the empty prompt: run the failed turn again, or go on with open work."""
        rests = not (self._over or self._left or self.ahead or self.interruptible or self.question)
        if rests and time.monotonic() - self.interrupted_at >= RESUME_AFTER:
            session = self.session
            if session.failed or session.agenda.open_count:
                self.start(self._wake())

    async def _wake(self) -> None:
        await self.session.wake()

    async def take(self, text: str, named: Sequence[Path] = (), *, steering: bool = False) -> None:
        """What the line asks for, until that is done or with the agent; one line after the other."""
        async with self._order:
            if self._left:
                return
            if text in self.ahead:
                self.ahead.remove(text)
            await self.remember(text)
            if steering:
                await self.session.steer(text, await self._pictures(named))
                return
            if not self.lasts(text):
                await self._take(text, named)
                return
        await self._take(text, named)

    async def _take(self, text: str, named: Sequence[Path]) -> None:
        if text.startswith("!"):
            await self._run(text)
        elif is_command(text):
            await self._execute(text)
        else:
            await self.session.send(text, await self._pictures(named))

    async def _pictures(self, named: Sequence[Path]) -> tuple[Attachment, ...]:
        if not named:
            return ()
        found, problems = await asyncio.to_thread(attachments, named)
        for problem in problems:
            self.say(problem, "waiting")
        if found and not self.session.context.entry.pictures:
            self.say(f"{self.status.model} cannot see pictures; it is told their names", "waiting")
        return found

    def lasts(self, text: str) -> bool:
        """Nobody who types ahead wants to wait for it."""
        if text.startswith("!"):
            return True
        try:
            return is_command(text) and self.context.registry.find(text)[0].lasting
        except CommandError:
            return False

    def steer(self, text: str, named: Sequence[Path] = ()) -> None:
        """Into the turn that runs, without waiting for its end."""
        text = text.strip()
        if not text:
            return
        self.ahead.append(text)
        self.start(self.take(text, named, steering=True))

    def answer(self, question: QuestionAsked, choice: str, text: str = "") -> None:
        try:
            self.session.answer(question, choice, text)
        except UnknownQuestionError as error:
            # It was answered, or its turn ended in the same moment.
            self.say(str(error))
            self.refresh()

    def interrupt(self) -> None:
        """Stop and hold; what the user began themselves first, since it is what they see."""
        self.interrupted_at = time.monotonic()
        unsure = self._to_confirm
        if unsure is not None:
            self.answer(unsure, "no")
        if self._commands:
            self._commands[-1].cancel()
        elif unsure is None or self.session.busy:
            self.start(self.session.interrupt())

    def hold_wake(self) -> None:
        """Any key ends a countdown, and does what else it does."""
        if self.status.wakes_at is not None:
            self.interrupted_at = time.monotonic()
            self.start(self.session.interrupt())

    async def follow(self, events: Subscription) -> None:
        async for event in events:
            self.hear(event)

    def hear(self, event: Event) -> None:
        self.status = updated(self.status, event, time.monotonic())
        if isinstance(event, SessionRewound):
            self.status = replace(self.status, context=self.session.context.size)
        self.show_event(event)

    def cancel(self) -> None:
        """Nothing the user set in motion outlives the prompt, and nothing is begun after it."""
        self._over = True
        for task in self._started:
            task.cancel()

    async def history(self) -> list[str]:
        """Oldest first."""
        kept = await self.opened.store.read(prompts.recent, str(self.root))
        return [prompt.text for prompt in reversed(kept)]

    async def offers(self, typed: str) -> list[Completion]:
        """What could follow a command that is being typed."""
        if typed.strip() == "/":
            self._learn()
        return await complete(self.context, typed)

    def start(self, work: Coroutine[object, object, None]) -> asyncio.Future[None]:
        if self._over:
            # Whoever leaves may still be pressing keys.
            work.close()
            nothing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            nothing.set_result(None)
            return nothing
        task = self._tasks.create_task(self._guarded(work))
        self._started.add(task)
        task.add_done_callback(self._started.discard)
        return task

    def _learn(self) -> None:
        """The commands there are; the user may write one while they talk."""
        self.context = context_for(self.opened, words=self.words)

    async def remember(self, text: str) -> None:
        """To be found again, whether or not it was sent."""
        await self.opened.store.write(prompts.add, str(self.root), self.session.id, text)

    async def _execute(self, line: str) -> None:
        self.show_spoken(line)
        self._learn()
        await self._carry_out(line)
        self.end_spoken()
        shop = self.opened.workshop
        self.status = replace(self.status, model=shop.chosen.name, agent=shop.agent.name)

    async def _carry_out(self, line: str) -> None:
        try:
            result = await execute(self.context, line)
        except CommandError as error:
            self.say(str(error), "bad")
            return
        match result:
            case Prompt():
                await self._prompt(result)
            case Confirm() if self.session.questions.attended:
                # Whoever thinks about it may type other things meanwhile.
                self.start(self._confirm(result))
            case Draft(text):
                self.show_result(result)
                self.draft(text)
            case Copy(text, what) if self.copy(text[:_CLIPBOARD]):
                await offer_to_tmux(text[:_CLIPBOARD], self.opened.opening.environment)
                part = f"the first {_CLIPBOARD:,} characters of " if len(text) > _CLIPBOARD else ""
                self.say(f"copied {part}{what}", "good")
            case Reopen() | Quit():
                self._part(result)
            case Show(otherwise=shown):
                if not self.show_screen(result):
                    self.show_result(shown)
            case _:
                self.show_result(result)

    async def _prompt(self, prompt: Prompt) -> None:
        if prompt.note:
            self.say(prompt.note, "waiting")
        await self.session.send(prompt.text)

    def _reopening(self, session_id: str | None) -> Opening:
        """A session knows its model and agent; one without goes on with those of this one."""
        shop = self.opened.workshop
        return replace(
            self.opened.opening,
            resume=session_id,
            proceed="new",
            model_name=shop.chosen.name if shop.chosen.named else None,
            agent=shop.agent.name,
            prefer_stored=True,
        )

    @property
    def jobs(self) -> tuple[str, ...]:
        """The agent's commands that run in the background; they end with the sitting."""
        return tuple(job.command for job in self.opened.workshop.workspace.jobs.list() if job.code is None)

    def _part(self, wanted: Reopen | Quit) -> None:
        if self.jobs and self.session.questions.attended:
            self.start(self._ask_to_part(wanted))
        else:
            self._go(wanted)

    async def _ask_to_part(self, wanted: Reopen | Quit) -> None:
        answer = await self.session.confirm(f"{told(self.jobs)}. End them and go?", (_YES, _NO))
        if answer.choice == "no":
            self.say("the jobs go on, and so does this session")
        else:
            self._go(wanted)

    def _go(self, wanted: Reopen | Quit) -> None:
        if isinstance(wanted, Quit):
            self.leave(0)
            return
        self.say(wanted.note)
        self._left = True
        self.leave(self._reopening(wanted.session_id))

    async def _confirm(self, asked: Confirm) -> None:
        wish = (Choice("wish", asked.wish, "w", text=True),) if asked.wish else ()
        choices = (_YES, *wish, _NO)
        answer = await self.session.confirm(asked.question, choices, detail=asked.detail)
        if answer.choice != "no":
            await self._carry_out(f"{asked.line} {answer.text}".rstrip())

    async def _run(self, text: str) -> None:
        """`!` shows what the command says; `!!` also tells the agent."""
        told, command = text.startswith("!!"), text.lstrip("!").strip()
        self.show_spoken(text)
        name = self.begin_output(command)
        filtered = EscapeFilter()
        log = self.opened.opening.paths.outputs(self.root) / f"user-{new_session_id()}.log"
        try:
            ran = await shell.run(
                command, self.root, log, lambda piece: self.show_output(name, filtered.feed(piece))
            )
        except asyncio.CancelledError:
            self.end_output(name, None)
            self.say(f"stopped: {command}", "waiting")
            raise
        except OSError as error:
            self.end_output(name, None)
            self.say(f"{command}: {error.strerror}", "bad")
            return
        finally:
            self._forget(asyncio.current_task())
        if not ran.output.endswith("\n") and ran.output:
            self.show_output(name, "\n")
        self.end_output(name, ran)
        if told:
            await self.session.send(ran.message(), quoted=True)

    def _forget(self, command: asyncio.Future[None] | None) -> None:
        if command in self._commands:
            self._commands.remove(command)

    async def _guarded(self, work: Coroutine[object, object, None]) -> None:
        """A full disk or a locked database is told, and the conversation goes on."""
        try:
            await work
        except StoreError as error:
            self.say(str(error), "bad")
        # The queue may be longer or shorter now, and no event tells of it.
        self.refresh()


def told(jobs: Sequence[str]) -> str:
    """`2 jobs run in the background: make watch, npm start`."""
    count = "1 job runs" if len(jobs) == 1 else f"{len(jobs)} jobs run"
    return f"{count} in the background: {named(jobs)}"


async def leave(opened: Opened, ending: Ending) -> None:
    """To be called when a sitting has ended: a session that goes on is not left."""
    if isinstance(ending, int) or ending.resume != opened.session.id:
        await opened.leave()


async def first_status(opened: Opened) -> Status:
    session = opened.session
    record = await opened.store.read(sessions.get, session.id)
    snapshot = session.agenda.service.snapshot
    stay = session.decision(record)
    if not isinstance(stay, Stay):
        stay = Stay("idle", record.reason, "Enter or /wake to continue")
    return Status(
        state=stay.state,
        reason=stay.reason,
        resume=stay.resume,
        cause=stay.cause,
        wakes=record.wakes,
        max_wakes=session.limits.max_cycles,
        model=opened.model_name,
        agent=record.agent,
        cost=record.cost,
        unpriced=bool(record.usage.total) and not await is_priced(opened.store, record.id),
        context=session.context.size,
        context_limit=session.context.limit,
        progress=snapshot.progress,
    )
