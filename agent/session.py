"""The one object a door holds: what was asked goes in, what happens comes out as events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from itertools import takewhile

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
    SessionRewound,
    SessionStarted,
    TodoUpdated,
    ToolFinished,
    TurnEnded,
    TurnStarted,
    UsageUpdated,
    WakeCountdown,
    WakeStarted,
)
from agent.inbox import Inbox, Queued
from agent.journal import Journal
from agent.limits import Limit
from agent.loop import Turn
from agent.questions import Answer, Questions
from agent.schedules import ScheduleService
from agent.standing import WORKING, Standing
from agent.titles import title_of
from agent.todos.texts import completion_hint
from agent.tools.tool import Attachment
from agent.turns import Ending, TurnRunner
from agent.wake import Limits, Stay, Wake, decide, stagnation
from store import changes, sessions
from store.clock import now
from store.database import Store
from store.errors import StoreError
from store.frozen import frozen
from store.records import Message, Origin, SessionState
from store.records import Session as SessionRecord
from store.watch import watch

log = logging.getLogger(__name__)

# A clock that is set, or a schedule added elsewhere, is noticed after this many seconds at the latest.
_LONGEST_REST = 30.0
_FAILURES = {
    "failed": "the last turn failed",
    "refused": "the model refused to answer",
    "repeating": "the model went round in circles",
}


@frozen
class Outcome:
    """How the work stands when nothing more will happen by itself."""

    state: SessionState
    reason: str
    ending: Ending | None
    limit: Limit | None
    error: str | None
    text: str
    out_of_wakes: bool


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
        self.inbox = Inbox()
        self.steered = Inbox()
        self._stirred = asyncio.Event()
        self._acted = asyncio.Event()
        self._floor = asyncio.Lock()
        self._turns = TurnRunner(self.emit)
        self._changes: list[Callable[[], None]] = []
        self._interrupted = False
        self._announced = False
        self._standing = Standing(store, record, self.emit, lambda: self.limits.max_cycles)
        self.waiting = self._standing.waiting

    def equip(self, turn: Turn, agenda: Agenda) -> None:
        """Right after birth, and between turns: what they run with needs the session to report through."""
        self._turn = turn
        self.agenda = agenda

    async def resume(self) -> None:
        """A restart changes no decision: an error still stops it, and old progress counts no second time."""
        if not any(message.origin == "human" for message in self.journal.messages):
            # It worked by itself for so long that its beginning was not read yet.
            await self.journal.read_all()
        self.agenda.recall(await self._store.read(changes.activation, self.id), self._replies())
        match self.journal.messages[-1:]:
            case [Message(role="assistant", finish=("failed" | "refused") as finish)]:
                self._turns.ending = finish
            case _:
                pass

    def between_turns(self, change: Callable[[], None]) -> None:
        """At once, or when the running turn has ended: what a turn works with never changes under it."""
        if self.busy:
            self._changes.append(change)
        else:
            change()

    @property
    def busy(self) -> bool:
        return self._turns.busy

    @property
    def listening(self) -> bool:
        """Whether a message begins a turn as soon as it is sent."""
        held = self._interrupted or self._standing.record.held_at is not None
        return not (self.busy or held or self._floor.locked())

    @property
    def context(self) -> ContextKeeper:
        return self._turn.context

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
                self.agenda.spent(event.usage, event.cost)
            case TodoUpdated():
                self.agenda.changed()
            case _:
                pass
        self.bus.emit(event)

    async def say(self, text: str, origin: Origin, attachments: Sequence[Attachment] = ()) -> Message:
        """Into the conversation, as part of what is going on; doors `send`."""
        message = await self.journal.say(text, origin, attachments)
        self.emit(MessageAdded(message, message.role))
        return message

    async def send(self, text: str, attachments: Sequence[Attachment] = ()) -> None:
        """A message of the user: it ends a hold, starts the wake budget anew, and waits its turn."""
        self.inbox.add(text, tuple(attachments))
        self._interrupted = False
        await self._store.write(sessions.activate, self.id)
        self.stir()

    async def steer(self, text: str, attachments: Sequence[Attachment] = ()) -> None:
        """Into the turn that is running, before its next request; as a message of its own when none is."""
        if self.busy:
            self.steered.add(text, tuple(attachments))
            await self._store.write(sessions.refill, self.id)
        else:
            await self.send(text, attachments)

    def answer(self, question_id: str, choice: str, text: str = "") -> None:
        self.questions.answer(question_id, choice, text)

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
        self._interrupted = True
        self._turns.cut_off()
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
        async with self._floor:
            yield

    async def compact(self, focus: str) -> ContextCompacted:
        """Between turns; while one runs `context.want` is the way."""
        self.stir()
        async with self._floor:
            return await self.context.compact(focus)

    async def rewound(self, event: SessionRewound) -> None:
        """What was said is not what it was: read it again, and tell."""
        await self.journal.load()
        self._turns.forget()
        self.emit(event)
        self.stir()

    def warn_of_cap(self) -> None:
        """A cap that cannot be counted in money says so at once."""
        cap = self.limits.max_cost
        if cap is not None and not self.limits.priced:
            text = budget.uncountable(self.journal.model, cap, self.limits.max_tokens)
            self.emit(Notice("warning", text))

    def stir(self) -> None:
        """The user changed something outside the turn: decide anew what to do and what to say."""
        self._acted.set()
        self._stirred.set()

    async def wake(self) -> None:
        """End the hold and grant a fresh wake budget, as a message would, without saying anything."""
        self._interrupted = False
        self._turns.forget()
        await self._store.write(sessions.activate, self.id)
        self.stir()

    async def run(self, *, until_idle: bool = False) -> Outcome:
        """Work through messages and open todos. With `until_idle`, return when the user would be needed."""
        self._announce()
        following = asyncio.create_task(self._follow_others(), name="follow other processes")
        try:
            return await self._work(until_idle=until_idle)
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

    async def _work(self, *, until_idle: bool) -> Outcome:
        while True:
            while self._changes:
                self._changes.pop(0)()
            self._stirred.clear()
            record = await self._standing.read()
            if self.inbox and not (self._interrupted or record.held_at):
                async with self._floor:
                    await self._human_turn(self.inbox.take())
                continue
            match self.decision(record):
                case Wake() as wake:
                    async with self._floor:
                        await self._wake_turn(wake)
                case Stay() as stay:
                    await self._standing.tell(stay)
                    if until_idle:
                        return self._outcome(stay)
                    await self._rest()

    async def _rest(self) -> None:
        """Until the user or another process does something, or a schedule is due."""
        due = await self.schedules.next()
        seconds = _LONGEST_REST if due is None else min(_LONGEST_REST, max(0.0, (due - now()) / 1000))
        try:
            async with asyncio.timeout(seconds):
                await self._stirred.wait()
        except TimeoutError:
            for schedule in await self.schedules.fire():
                await self._store.write(sessions.refill, self.id)
                # However often it fires during a hold, it is to be done once.
                if schedule.prompt not in self.queued:
                    self.inbox.add(schedule.prompt)

    def hint(self) -> None:
        """What a run without a screen leaves open, said without asking the model."""
        if hint := completion_hint(self.agenda.work):
            self.emit(Notice("info", hint))

    async def _follow_others(self) -> None:
        try:
            async for found in watch(self._store):
                await self.agenda.service.apply_foreign(found)
                self._stirred.set()
        except StoreError:
            # Whoever works on the list meets the same fault and can tell the user.
            log.exception("cannot follow other processes any more")

    def decision(self, record: SessionRecord) -> Wake | Stay:
        """What this session would do next, were no turn running; the record is what is stored of it."""
        situation = self.agenda.situation(record, now())
        ending = self._turns.ending
        failure = self._turns.error or _FAILURES.get(ending or "", "")
        if ending == "interrupted":
            situation = replace(situation, ended="aborted")
        elif failure and ending != "limit":
            situation = replace(situation, ended="failed", failure=failure)
        held = self._interrupted or record.held_at is not None
        waiting = "human" if self.questions.open else None
        begun = bool(self.journal.messages)
        return decide(replace(situation, held=held, waiting=waiting, queued=len(self.inbox), begun=begun))

    async def _human_turn(self, queued: Queued) -> None:
        text = queued.text
        if not self._standing.record.title:
            await self._store.write(sessions.rename, self.id, title_of(text))
        self.agenda.begin_activation()
        message = await self.say(text, "human", queued.attachments)
        await self.agenda.begin_run(message.id)
        if standing := await self.agenda.standing():
            await self.say(standing, "todos")
        await self._run_turn(message, "human")

    async def _wake_turn(self, wake: Wake) -> None:
        if self.agenda.countdown > 0 and not await self._counted_down(self.agenda.countdown, wake):
            return
        if self._interrupted:
            return
        stagnant = self._standing.record.stagnant
        await self._store.write(sessions.count_wake, self.id, stagnant=stagnant)
        self.emit(WakeStarted(wake.number, wake.of))
        message = await self.say(await self.agenda.nudge(), "wake")
        await self._run_turn(message, "wake")
        stagnant = stagnation(stagnant, progress=await self.agenda.progressed())
        await self._store.write(sessions.set_stagnant, self.id, stagnant)

    async def _counted_down(self, seconds: float, wake: Wake) -> bool:
        """The countdown that everybody can see, and that anything the user does ends.

        Another process that keeps changing things must not put it off for ever, but may leave nothing to do.
        """
        self._acted.clear()
        self._standing.retell()
        self.emit(WakeCountdown(seconds, wake.number, wake.of))
        try:
            async with asyncio.timeout(seconds):
                await self._acted.wait()
        except TimeoutError:
            record = await self._standing.read()
            await self.agenda.service.refresh()
            return isinstance(self.decision(record), Wake)
        return False

    async def _run_turn(self, message: Message, origin: Origin) -> None:
        await self._standing.tell(WORKING)
        await self.journal.read_all()
        self.emit(TurnStarted(message.id, origin))
        spent_before = await self._store.read(sessions.get, self.id)
        await self.agenda.begin_turn()
        ending = await self._uninterrupted_turn()
        if ending in ("failed", "refused", "interrupted", "limit"):
            await self.journal.abandon(ending)
            # A change whose caller was cut off is committed all the same; nobody was told of it yet.
            await self.agenda.service.refresh()
        await self.agenda.account()
        spent = await self._store.read(sessions.get, self.id)
        self.emit(TurnEnded(ending, spent.usage - spent_before.usage, spent.cost - spent_before.cost))
        if announcement := self.agenda.announcement():
            self.emit(Notice("info", announcement))
        # What came too late for this turn is the next message.
        self.inbox.put_first(self.steered)

    async def _uninterrupted_turn(self) -> Ending:
        if self._interrupted:
            self._turns.ending = "interrupted"
            return "interrupted"
        try:
            return await self._turns.run(self._turn)
        except asyncio.CancelledError:
            await self.journal.abandon("interrupted")
            raise

    def _outcome(self, stay: Stay) -> Outcome:
        text = next((message.text for message in self._replies() if message.text), "")
        out_of_wakes = self._standing.record.wakes >= self.limits.max_cycles and self.agenda.open_count > 0
        turns = self._turns
        return Outcome(stay.state, stay.reason, turns.ending, turns.limit, turns.error, text, out_of_wakes)

    def _replies(self) -> Iterator[Message]:
        """What was said since the user last spoke, newest first."""
        since = takewhile(lambda message: message.origin != "human", reversed(self.journal.messages))
        return (message for message in since if message.role == "assistant")
