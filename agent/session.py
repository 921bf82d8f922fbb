"""The one object a door holds: what was asked goes in, what happens comes out as events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace

from agent import limits as budget
from agent.agenda import Agenda
from agent.bus import Bus, Subscription
from agent.context.keeper import ContextKeeper
from agent.events import (
    Choice,
    ContextCompacted,
    Event,
    MessageAdded,
    Notice,
    QuestionAsked,
    SessionRewound,
    SessionStarted,
    SessionStateChanged,
    TodoUpdated,
    ToolFinished,
    UsageUpdated,
)
from agent.inbox import Queued
from agent.journal import Journal
from agent.loop import Turn
from agent.mentions import Mentioned, Mentions
from agent.questions import Answer, Questions
from agent.rounds import Outcome, Rounds
from agent.schedules import ScheduleService
from agent.standing import Standing
from agent.todos.texts import completion_hint
from agent.tools.tool import Attachment
from agent.turn_failure import is_empty, of_message
from agent.wake import Limits
from store import changes, sessions
from store.database import Store
from store.errors import StoreError
from store.records import Message, Origin
from store.records import Session as SessionRecord
from store.watch import watch

log = logging.getLogger(__name__)


class BusyError(Exception):
    """A turn runs, and what was asked for has to wait for its end."""


class Session:
    """Doors send, steer, answer, interrupt and read `subscribe()`; one task of theirs runs `run`."""

    def __init__(
        self,
        store: Store,
        record: SessionRecord,
        *,
        bus: Bus,
        questions: Questions,
        journal: Journal,
        limits: Limits,
    ) -> None:
        self.id = record.id
        self.bus = bus
        self.questions = questions
        self.journal = journal
        self.limits = limits
        self.schedules = ScheduleService(store, record.id)
        self._store = store
        self._announced = False
        self._standing = Standing(store, record, self.emit, lambda: self.limits.max_cycles)
        self.waiting = self._standing.waiting
        self._rounds = Rounds(
            store, self._standing, self, journal=journal, questions=questions, schedules=self.schedules
        )
        self.inbox, self.steered = self._rounds.inbox, self._rounds.steered
        self.between_turns, self.decision = self._rounds.between_turns, self._rounds.decision
        self.stir = self._rounds.stir

    def equip(self, turn: Turn, agenda: Agenda, mentions: Mentions) -> None:
        """Right after birth, and between turns: what they run with needs the session to report through."""
        self.agenda = agenda
        self._mentions = mentions
        self._rounds.equip(turn, agenda)

    async def resume(self) -> None:
        """A restart changes no decision: an error still stops it, and old progress counts no second time."""
        if not any(message.origin == "human" for message in self.journal.messages):
            # It worked by itself for so long that its beginning was not read yet.
            await self.journal.read_all()
        self.agenda.recall(await self._store.read(changes.activation, self.id), self._rounds.replies())
        match self.journal.messages[-2:]:
            case [*_, Message(role="assistant", finish=("failed" | "refused") as finish) as last]:
                self._rounds.turns.remember(finish, of_message(last))
            case [*_, Message(role="user"), Message(role="assistant", finish="stop") as last] if is_empty(
                last
            ):
                self._rounds.turns.remember("empty", of_message(last))
            case _:
                pass

    @property
    def busy(self) -> bool:
        return self._rounds.turns.busy

    @property
    def failed(self) -> bool:
        """True if the last turn failed and none runs: `wake` runs it again."""
        return self._rounds.failed

    @property
    def listening(self) -> bool:
        """Whether a message begins a turn as soon as it is sent."""
        return self._rounds.listening

    @property
    def context(self) -> ContextKeeper:
        return self._rounds.turn.context

    @property
    def queued(self) -> tuple[str, ...]:
        return self.inbox.texts

    @property
    def steering(self) -> tuple[str, ...]:
        """What goes into the running turn with its next request."""
        return self.steered.texts

    def subscribe(self, *, merged: bool = False) -> AbstractContextManager[Subscription]:
        return self.bus.subscribe(merged=merged)

    def emit(self, event: Event) -> None:
        match event:
            case ToolFinished():
                self.agenda.noticed(event)
            case UsageUpdated():
                self.agenda.spent(event.usage, event.cost or 0.0)
            case TodoUpdated():
                self.agenda.changed()
            case SessionStateChanged():
                self.agenda.heed(event.state)
            case _:
                pass
        self.bus.emit(event)

    async def say(self, text: str, origin: Origin, attachments: Sequence[Attachment] = ()) -> Message:
        """Into the conversation, as part of what is going on; doors `send`."""
        message = await self.journal.say(text, origin, attachments)
        self.emit(MessageAdded(message, message.role))
        return message

    async def hear(self, queued: Queued) -> Message:
        """A message of the user into the conversation, with the files that it mentions."""
        found = (
            Mentioned() if queued.quoted else await self._mentions.attached(queued.text, queued.attachments)
        )
        for problem in found.problems:
            self.emit(Notice("warning", problem))
        return await self.say(queued.text, "human", (*queued.attachments, *found.attachments))

    async def send(self, text: str, attachments: Sequence[Attachment] = (), *, quoted: bool = False) -> None:
        """A message of the user: it ends a hold, starts the wake budget anew, and waits its turn.

        A `quoted` text is output of a command: what looks like a mention of a file is none.
        """
        self.inbox.add(text, tuple(attachments), quoted=quoted)
        self._rounds.interrupted = False
        await self._store.write(sessions.activate, self.id)
        self.stir()

    async def steer(self, text: str, attachments: Sequence[Attachment] = ()) -> None:
        """Into the turn that is running, before its next request; as a message of its own when none is."""
        if self.busy:
            self.steered.add(text, tuple(attachments))
            await self._store.write(sessions.refill, self.id)
        else:
            await self.send(text, attachments)

    def answer(self, question: QuestionAsked, choice: str, text: str = "") -> None:
        """Answer the question that was shown; raises UnknownQuestionError if it is no longer open."""
        self.questions.answer(question, choice, text)

    async def confirm(self, question: str, choices: tuple[Choice, ...], *, detail: str = "") -> Answer:
        """What a command of the user's asks before it does anything; no wake comes in between."""
        # A countdown that runs ends with it.
        self.stir()
        try:
            return await self.questions.ask("confirm", question, choices, detail=detail)
        finally:
            self.stir()

    async def interrupt(self) -> None:
        """Stop at once and hold: nothing wakes the session until the user acts."""
        if self.context.cut_off() and not self.busy:
            return
        self._rounds.interrupted = True
        self._rounds.turns.cut_off()
        self.stir()
        await self._store.write(sessions.hold, self.id, held=True)

    async def hold(self) -> None:
        """As an interrupt, but the turn that is running may end."""
        await self._store.write(sessions.hold, self.id, held=True)
        self.stir()

    async def set_budget(self, max_cost: float | None) -> None:
        await self._store.write(sessions.set_budget, self.id, max_cost)
        self.limits = self.agenda.limits = replace(self.limits, max_cost=max_cost)
        self.warn_of_cap()
        self.stir()

    @asynccontextmanager
    async def at_rest(self) -> AsyncGenerator[None, None]:
        """For what may not happen during a turn: none runs, none begins, and the session is held after."""
        if self.busy:
            raise BusyError("the agent is at work; stop it first (esc), then try again")
        await self.hold()
        try:
            async with self._rounds.floor:
                yield
        finally:
            # What was done may have changed why the session rests.
            self.stir()

    async def compact(self, focus: str) -> ContextCompacted:
        """Between turns; while one runs `context.want` is the way."""
        self.stir()
        async with self._rounds.floor:
            return await self.context.compact(focus)

    async def rewound(self, event: SessionRewound) -> None:
        """What was said is not what it was: read it again, and tell."""
        await self.journal.load()
        self._rounds.turns.forget()
        self.emit(event)
        self.stir()

    def warn_of_cap(self) -> None:
        """A cap that cannot be counted in money says so at once."""
        cap = self.limits.max_cost
        if cap is not None and not self.limits.priced:
            text = budget.uncountable(self.journal.model, cap, self.limits.max_tokens)
            self.emit(Notice("warning", text))

    async def wake(self) -> bool:
        """End the hold and grant a fresh wake budget, as a message would, without saying anything.

        Return True if the last turn had failed: it runs again, and the user's message is not stored twice.
        """
        self._rounds.interrupted = False
        again = self._rounds.retry()
        self._rounds.turns.forget()
        self._rounds.due = True
        await self._store.write(sessions.activate, self.id)
        self.stir()
        return again

    async def run(self, *, until_idle: bool = False) -> Outcome:
        """Work through messages and open todos. With `until_idle`, return when the user would be needed."""
        self._announce()
        following = asyncio.create_task(self._follow_others(), name="follow other processes")
        try:
            return await self._rounds.run(until_idle=until_idle)
        finally:
            following.cancel()
            await asyncio.wait([following])

    def _announce(self) -> None:
        """Once, before anything else that is told of this session."""
        if self._announced:
            return
        self._announced = True
        record, journal = self._standing.record, self.journal
        resumed = bool(journal.messages)
        self.emit(SessionStarted(record.workspace, journal.agent, journal.model, record.title, resumed))

    def hint(self) -> None:
        """What a run without a screen leaves open, said without asking the model."""
        if hint := completion_hint(self.agenda.work):
            self.emit(Notice("info", hint))

    async def _follow_others(self) -> None:
        try:
            async for found in watch(self._store):
                await self.agenda.service.apply_foreign(found)
                self._rounds.news()
        except StoreError:
            # Whoever works on the list meets the same fault and can tell the user.
            log.exception("cannot follow other processes any more")
