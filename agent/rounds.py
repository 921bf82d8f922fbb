"""What a session does by itself: messages and wakes, one turn after the other, while there is work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Protocol

from agent.agenda import Agenda
from agent.events import Event, Notice, TurnEnded, TurnStarted, WakeCountdown, WakeStarted
from agent.inbox import Inbox, Queued
from agent.journal import Journal
from agent.limits import Limit
from agent.loop import Turn
from agent.money import known_cost
from agent.questions import Questions
from agent.schedules import ScheduleService
from agent.standing import WORKING, Standing
from agent.titles import title_of
from agent.tools.tool import Attachment
from agent.turns import Ending, TurnRunner
from agent.wake import AT_REST, Stay, Wake, after_side_question, decide, stagnation
from store import sessions
from store.clock import now
from store.database import Store
from store.frozen import frozen
from store.records import Message, Origin, SessionState
from store.records import Session as SessionRecord

# A clock that is set, or a schedule added elsewhere, is noticed after this many seconds at the latest.
_LONGEST_REST = 30.0
_FAILURES = {
    "failed": "the last turn failed",
    "refused": "the model refused to answer",
    "empty": "the model sent an empty reply",
    "repeating": "the model went round in circles",
}
# A turn begins with one of these; what else has the user's role is added on its way.
_BEGINS = ("human", "wake", "peer")


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


class Voice(Protocol):
    """Tells those who watch, and those who talk."""

    def emit(self, event: Event) -> None: ...

    async def hear(self, queued: Queued) -> Message: ...

    async def say(self, text: str, origin: Origin, attachments: tuple[Attachment, ...] = ()) -> Message: ...


class Rounds:
    """`interrupted` is the user's word until it is stored; `floor` is held to change the conversation."""

    def __init__(
        self,
        store: Store,
        standing: Standing,
        voice: Voice,
        *,
        journal: Journal,
        questions: Questions,
        schedules: ScheduleService,
    ) -> None:
        self.inbox = Inbox()
        self.steered = Inbox()
        self.turns = TurnRunner(voice.emit)
        self.floor = asyncio.Lock()
        self.interrupted = False
        self._store = store
        self._standing = standing
        self._voice = voice
        self._journal = journal
        self._questions = questions
        self._schedules = schedules
        self._changes: list[Callable[[], None]] = []
        # A session that was killed at work goes on where it was.
        self.due = standing.record.state not in AT_REST
        self._stirred = asyncio.Event()
        self._acted = asyncio.Event()
        self._again: Message | None = None

    def equip(self, turn: Turn, agenda: Agenda) -> None:
        self.turn = turn
        self.agenda = agenda

    @property
    def listening(self) -> bool:
        """Whether a message begins a turn as soon as it is sent."""
        held = self.interrupted or self._standing.record.held_at is not None
        return not (self.turns.busy or held or self.floor.locked())

    def between_turns(self, change: Callable[[], None]) -> None:
        """At once, or when the running turn has ended: what a turn works with never changes under it."""
        if self.turns.busy:
            self._changes.append(change)
        else:
            change()

    @property
    def failed(self) -> bool:
        """True if the last turn failed and none runs."""
        return not self.turns.busy and self.turns.ending in _FAILURES

    def retry(self) -> bool:
        """Run the failed turn again, on the message that began it; return False if there is none."""
        if not self.failed:
            return False
        begun = (each for each in reversed(self._journal.messages) if each.origin in _BEGINS)
        self._again = next(begun, None)
        return self._again is not None

    def stir(self) -> None:
        """The user did something: decide anew, and let no countdown go on."""
        self._acted.set()
        self._stirred.set()

    def news(self) -> None:
        """Something is different that nobody here did: decide anew."""
        self._stirred.set()

    async def run(self, *, until_idle: bool) -> Outcome:
        """With `until_idle`, return when the user would be needed."""
        while True:
            while self._changes:
                self._changes.pop(0)()
            self._stirred.clear()
            record = await self._standing.read()
            if self.inbox and not (self.interrupted or record.held_at):
                async with self.floor:
                    await self._human_turn(self.inbox.take())
                continue
            again, self._again = self._again, None
            if again is not None and not (self.interrupted or record.held_at):
                async with self.floor:
                    self.agenda.begin_activation()
                    await self._run_turn(again, again.origin)
                continue
            match self.decision(record):
                case Wake() as wake:
                    async with self.floor:
                        await self._wake_turn(wake)
                case Stay() as stay:
                    self.due = self.due and stay.deferred
                    await self._standing.tell(stay)
                    if until_idle:
                        return self._outcome(stay)
                    await self._rest()

    def decision(self, record: SessionRecord) -> Wake | Stay:
        """What this session would do next, were no turn running; the record is what is stored of it."""
        situation = self.agenda.situation(record, now())
        ending = self.turns.ending
        failure = self.turns.error or _FAILURES.get(ending or "", "")
        if ending == "interrupted":
            situation = replace(situation, ended="aborted")
        elif failure and ending != "limit":
            situation = replace(situation, ended="failed", failure=failure)
        held = self.interrupted or record.held_at is not None
        waiting = "human" if self._questions.open else None
        begun = bool(self._journal.messages)
        return decide(
            replace(situation, held=held, waiting=waiting, queued=len(self.inbox), begun=begun, due=self.due)
        )

    async def _rest(self) -> None:
        """Until the user or another process does something, or a schedule is due."""
        due = await self._schedules.next()
        seconds = _LONGEST_REST if due is None else min(_LONGEST_REST, max(0.0, (due - now()) / 1000))
        try:
            async with asyncio.timeout(seconds):
                await self._stirred.wait()
        except TimeoutError:
            for schedule in await self._schedules.fire():
                await self._store.write(sessions.refill, self._standing.record.id)
                # However often it fires during a hold, it is to be done once.
                if schedule.prompt not in self.inbox.texts:
                    self.inbox.add(schedule.prompt)

    async def _human_turn(self, queued: Queued) -> None:
        text = queued.text
        if not self._standing.record.title:
            await self._store.write(sessions.rename, self._standing.record.id, title_of(text))
        self._again = None
        self.agenda.begin_activation()
        message = await self._voice.hear(queued)
        await self.agenda.begin_run(message.id)
        if standing := await self.agenda.standing():
            await self._voice.say(standing, "todos")
        await self._run_turn(message, "human")
        if self.agenda.open_count and await self.agenda.left_all_as_it_was():
            stagnant = after_side_question(self.agenda.limits)
            await self._store.write(sessions.set_stagnant, self._standing.record.id, stagnant)

    async def _wake_turn(self, wake: Wake) -> None:
        if self.agenda.countdown > 0 and not await self._counted_down(self.agenda.countdown, wake):
            return
        if self.interrupted:
            return
        stagnant = self._standing.record.stagnant
        await self._store.write(sessions.count_wake, self._standing.record.id, stagnant=stagnant)
        self._voice.emit(WakeStarted(wake.number, wake.of))
        message = await self._voice.say(await self.agenda.nudge(), "wake")
        await self._run_turn(message, "wake")
        stagnant = stagnation(stagnant, progress=await self.agenda.progressed())
        await self._store.write(sessions.set_stagnant, self._standing.record.id, stagnant)

    async def _counted_down(self, seconds: float, wake: Wake) -> bool:
        """The countdown that everybody can see, and that anything the user does ends.

        Another process that keeps changing things must not put it off for ever, but may leave nothing to do.
        """
        self._acted.clear()
        self._standing.retell()
        self._voice.emit(WakeCountdown(seconds, wake.number, wake.of))
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
        await self._journal.read_all()
        self._voice.emit(TurnStarted(message.id, origin))
        spent_before = await self._store.read(sessions.get, self._standing.record.id)
        await self.agenda.begin_turn()
        ending = await self._uninterrupted_turn()
        self.due = True
        if ending in ("failed", "refused", "interrupted", "limit"):
            await self._journal.abandon(ending, self.turns.failure)
            # A change whose caller was cut off is committed all the same; nobody was told of it yet.
            await self.agenda.service.refresh()
        await self.agenda.end_turn()
        spent = await self._store.read(sessions.get, self._standing.record.id)
        usage, cost = spent.usage - spent_before.usage, spent.cost - spent_before.cost
        priced = self.turn.entry.prices is not None
        self._voice.emit(TurnEnded(ending, usage, known_cost(cost, priced=priced, used=bool(usage.total))))
        if announcement := self.agenda.announcement():
            self._voice.emit(Notice("info", announcement))
        # What came too late for this turn is the next message.
        self.inbox.put_first(self.steered)

    async def _uninterrupted_turn(self) -> Ending:
        if self.interrupted:
            self.turns.ending = "interrupted"
            return "interrupted"
        try:
            return await self.turns.run(self.turn)
        except asyncio.CancelledError:
            await self._journal.abandon("interrupted")
            raise

    def _outcome(self, stay: Stay) -> Outcome:
        text = next((message.text for message in self.replies() if message.text), "")
        out_of_wakes = self._standing.spent and self.agenda.open_count > 0
        turns = self.turns
        return Outcome(stay.state, stay.reason, turns.ending, turns.limit, turns.error, text, out_of_wakes)

    def replies(self) -> Iterator[Message]:
        """What was said since the user last spoke, newest first."""
        since = takewhile(lambda message: message.origin != "human", reversed(self._journal.messages))
        return (message for message in since if message.role == "assistant")
