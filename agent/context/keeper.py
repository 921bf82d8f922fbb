"""Keeps a session's conversation within what its model can read; what is stored stays as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from agent.context import calibration, sizes
from agent.context.compaction import divide, mark_of, mark_part, newest, visible
from agent.context.compactor import Compactor, Wish
from agent.context.errors import ContextError
from agent.context.history import Conversation, to_chat, weight
from agent.context.pruning import PROTECTED, Exempt, Pruning, prune
from agent.context.window import Window, window_of
from agent.events import ContextCompacted, ContextPruned, Event, Notice, UsageUpdated
from agent.journal import Journal
from agent.models.catalog import Entry
from agent.models.protocol import ChatMessage, ContextOverflowError
from agent.money import all_priced, known_cost
from store.clock import now
from store.frozen import frozen
from store.records import Message, Usage

# Requests a provider may find too long before the turn ends with its words.
TRIES = 2
_USUAL_SUMMARY = 1_400


@frozen
class Preview:
    """What a compaction would do: the messages that go into it, their tokens, and how many stay.

    `before` and `after` are the tokens of a request; `model` is empty when none would be asked, `cost` None
    when nobody knows what it takes.
    """

    messages: tuple[Message, ...]
    tokens: int
    kept: int
    before: int
    after: int
    model: str
    cost: float | None


class LimitCheck(Protocol):
    async def __call__(self, *, turn: bool) -> None: ...


@dataclass(slots=True)
class ContextKeeper:
    """`exempt` names tools whose results stay; `check` refuses what the user's limits no longer cover."""

    journal: Journal
    entry: Entry
    compactor: Compactor
    exempt: Exempt
    check: LimitCheck
    emit: Callable[[Event], None]
    window: Window = field(init=False)
    _conversation: Conversation = field(init=False)
    _weighed: int | None = None
    _scale: float | None = None
    _asked: int = 0
    _refusals: int = 0
    _wanted: str | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _working: asyncio.Task[ContextCompacted] | None = None

    def __post_init__(self) -> None:
        self.window = window_of(self.entry)
        self._conversation = Conversation(self.compactor.system, pictures=self.entry.pictures)

    @property
    def limit(self) -> int:
        return self.entry.context

    @property
    def size(self) -> int:
        """Tokens that a request would take now; of a history not read yet, what the last one took."""
        if not self.journal.whole:
            return calibration.last_counted(self.journal.messages)
        if not self.journal.messages:
            return 0
        self._conversation.of(self.journal.messages)
        return round((self._conversation.weight + self._tools) * self._scaled())

    @property
    def _tools(self) -> int:
        if self._weighed is None:
            self._weighed = sizes.of_tools(self.compactor.specs())
        return self._weighed

    def prompt(self) -> tuple[ChatMessage, ...]:
        messages = self._conversation.of(self.journal.messages)
        self._asked = self._conversation.weight + self._tools
        return messages

    def measure(self, usage: Usage) -> None:
        """The prompt was answered, and the provider said how long it was."""
        self._refusals = 0
        self._scale = calibration.ratio(usage, self._asked) or 1.0

    async def fit(self) -> None:
        """Before a request: make room when the reply would have none."""
        async with self._lock:
            wanted, self._wanted = self._wanted, None
            covered = 0 if wanted is None else self._covered(tail=0)
            if covered:
                done = await self._compact(covered, wanted or "", automatic=False, going=True)
                self.emit(Notice("info", f"compacted as you asked: {done.before:,} to {done.after:,} tokens"))
            elif self.size + self._uncounted > self.window.usable:
                await self._make_room(self._plan())
            if self.size > self.limit:
                raise ContextOverflowError(_hopeless(self.entry, self.size))

    async def relieve(self, error: ContextOverflowError) -> None:
        """The provider found the request too long: make it shorter, or give up with its words."""
        async with self._lock:
            self._refusals += 1
            self.window = self.window.narrowed(self.size)
            plan = self._plan(prunes=self._refusals == 1)
            if self._refusals > TRIES or not plan:
                raise error
            # The reply that never came must not stand between what was said and the summary.
            await self.journal.start_over(str(error))
            await self.journal.abandon("overflow")
            await self._make_room(plan)

    def want(self, focus: str) -> None:
        """Compact before the next request of the turn that is running."""
        self._wanted = focus

    async def compact(self, focus: str = "") -> ContextCompacted:
        """At the user's wish, between turns; `cut_off` stops it."""
        return await self._interruptible(self._wished(focus))

    @property
    def working(self) -> bool:
        return self._working is not None

    def cut_off(self) -> bool:
        """True when there was something to stop."""
        return self._working is not None and self._working.cancel()

    async def preview(self) -> Preview:
        """Raises ContextError when there is nothing to summarise."""
        await self.journal.read_all()
        covered = self._wished_cover()
        shown = tuple(visible(self.journal.messages[:covered]))
        tokens, before = self._weigh(shown), self.size
        # Nobody knows how long a summary gets; a thousand words are asked for at most.
        summary = min(tokens // 2, self._longest_summary, _USUAL_SUMMARY)
        after = before - tokens + summary
        kept = len(self.journal.messages) - covered
        scribe = next(iter(self.compactor.scribes()), None)
        spent = Usage(input=before, output=summary)
        cost = scribe.entry.cost(spent) if scribe else 0.0
        return Preview(shown, tokens, kept, before, after, scribe.name if scribe else "", cost)

    async def undo(self) -> ContextCompacted:
        """The newest summary no longer counts; what it stood for is sent again."""
        async with self._lock:
            await self.journal.read_all()
            at = newest(self.journal.messages)
            message = None if at is None else self.journal.messages[at]
            mark, part = (mark_of(message), mark_part(message)) if message else (None, None)
            if message is None or mark is None or part is None:
                raise ContextError("nothing was compacted; /compact does that")
            before = self.size
            await self.journal.amend([replace(part, data=replace(mark, undone=True).to_json())])
            return self._told(ContextCompacted(message.id, before, 0, automatic=False, undone=True))

    async def _wished(self, focus: str) -> ContextCompacted:
        async with self._lock:
            await self.journal.read_all()
            await self.check(turn=False)
            return await self._compact(self._wished_cover(), focus, automatic=False, going=False)

    def _wished_cover(self) -> int:
        covered = self._covered(tail=0)
        if not covered:
            raise ContextError("there is nothing to summarise yet; the conversation is as short as it gets")
        return covered

    def _scaled(self) -> float:
        if self._scale is None:
            found = calibration.remembered(self.journal.messages, self.entry.name, self._estimate)
            self._scale = found or 1.0
        return self._scale

    def _estimate(self, messages: Sequence[Message]) -> int:
        chat = to_chat(self.compactor.system, messages, pictures=self.entry.pictures)
        return sizes.of_chat(chat) + self._tools

    def _weigh(self, messages: Sequence[Message]) -> int:
        return round(sum(map(weight, messages)) * self._scaled())

    @property
    def _uncounted(self) -> int:
        """Part of the last reply: it counts when room is made, not in what is sent."""
        found = calibration.uncounted(self.journal.messages, lambda message: self._weigh([message]))
        # More than the model can hold is a figure for something else.
        return found if found <= self.limit else 0

    @property
    def _longest_summary(self) -> int:
        return max(500, self.window.usable // 10)

    def _covered(self, *, tail: int) -> int:
        """How many messages a summary would speak for; 0 when only an earlier summary is among them."""
        messages, scale = self.journal.messages, self._scaled()
        most = self.window.usable / 2
        covered = divide(messages, weight, tail=round(tail / scale), most=round(most / scale))
        fresh = any(message.origin != "summary" for message in visible(messages[:covered]))
        return covered if fresh else 0

    def _plan(self, *, prunes: bool = True) -> Pruning | int:
        """Outputs to leave out when that is enough, else how many messages to summarise; 0 for nothing."""
        usable, size, scale = self.window.usable, self.size + self._uncounted, self._scaled()
        if prunes:
            pruning = prune(
                visible(self.journal.messages),
                self.exempt,
                # Well below the limit, or the next step would break the provider's cache again.
                excess=round((size - usable * 3 / 4) / scale),
                needed=round((size - usable) / scale),
                protected=round(min(PROTECTED, usable / 2) / scale),
                moment=now(),
            )
            if pruning:
                return pruning
        covered = self._covered(tail=usable // 8)
        gain = self._weigh(visible(self.journal.messages[:covered])) - self._longest_summary
        enough = size - gain <= usable or size > self.limit
        return covered if gain > 0 and enough else 0

    async def _make_room(self, plan: Pruning | int) -> None:
        if isinstance(plan, Pruning):
            await self.journal.amend(plan.parts)
            freed = round(plan.freed * self._scaled())
            self.emit(ContextPruned(len(plan.parts), freed, self.size, self.limit))
            # It was an estimate, and what does not fit is not sent.
            plan = self._plan(prunes=False) if self.size > self.window.usable else 0
        if plan and not isinstance(plan, Pruning):
            await self._compact(plan, "", automatic=True, going=True)

    async def _compact(self, covered: int, focus: str, *, automatic: bool, going: bool) -> ContextCompacted:
        before, scale = self.size, self._scaled()
        wish = Wish(covered, self._longest_summary, before, scale, focus, automatic, going)
        folded = await self.compactor.compact(wish)
        spent = folded.written
        if spent.usage.total:
            cost = known_cost(spent.cost, priced=all_priced([spent.name]))
            self.emit(UsageUpdated(spent.usage, cost, self.size, self.limit))
        told = self._told(ContextCompacted(folded.message.id, before, 0, automatic, local=folded.local))
        if going and spent.usage.total:
            await self.check(turn=True)
        return told

    def _told(self, event: ContextCompacted) -> ContextCompacted:
        told = replace(event, after=self.size, context_limit=self.limit)
        self.emit(told)
        return told

    async def _interruptible(self, work: Coroutine[object, object, ContextCompacted]) -> ContextCompacted:
        task = asyncio.create_task(work, name="compaction")
        self._working = task
        try:
            await asyncio.wait([task])
        finally:
            self._working = None
            if not task.done():
                task.cancel()
                await asyncio.wait([task])
        if task.cancelled():
            raise ContextError("the compaction was stopped; nothing has changed")
        return task.result()


def _hopeless(entry: Entry, size: int) -> str:
    return (
        f"the last message is too long for {entry.name}: about {size:,} of {entry.context:,} tokens"
        f"; put the text into a file, choose a larger model with /model, or set model.context"
    )
