"""Puts a summary in the place of messages: written by a model where one answers, else from the record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from random import Random

from agent.context import sizes
from agent.context.compaction import Mark, visible
from agent.context.cuts import cut
from agent.context.history import GO_ON, to_chat, weight
from agent.context.outline import outline
from agent.context.pages import page
from agent.context.record import Draft, fold
from agent.context.summary import NOTHING, Scribe, Written, write_summary
from agent.context.trimming import MARKER
from agent.events import Event, MessageAdded, Notice
from agent.journal import Journal
from agent.models.protocol import ToolSpec
from store.database import Store
from store.frozen import frozen
from store.records import Message, Origin

Following = tuple[tuple[str, Origin], ...]


@frozen
class Wish:
    """What to summarise: the first `covered` messages, in at most `longest` tokens.

    `before` is the size of a request now, and `scale` how many tokens one of our estimate is to the provider.
    `going` says that a turn is under way, which then has to go on.
    """

    covered: int
    longest: int
    before: int
    scale: float
    focus: str
    automatic: bool
    going: bool


@frozen
class Folded:
    """The message that holds the summary, and what was spent on it."""

    message: Message
    written: Written

    @property
    def local(self) -> bool:
        return not self.written.text


@frozen
class Compactor:
    """`scribes` gives the models to ask, the best first, and none when there is no use in asking.

    `carried` is what follows a summary word for word, `pictures` whether the conversation shows any.
    """

    store: Store
    journal: Journal
    system: str
    specs: Callable[[], tuple[ToolSpec, ...]]
    scribes: Callable[[], tuple[Scribe, ...]]
    carried: Callable[[], Awaitable[str]]
    emit: Callable[[Event], None]
    random: Random
    pictures: bool = True

    async def compact(self, wish: Wish) -> Folded:
        covered = self.journal.messages[: wish.covered]
        shown = visible(covered)
        self.emit(Notice("info", f"summarising {len(shown)} messages of {wish.before:,} tokens …"))
        written = await self._written(covered, wish)
        told = cut(written.text or outline(shown, wish.longest), wish.longest * sizes.BYTES, MARKER)
        text = page("summary").format(summary=told)
        following = await self._following(going=wish.going)
        added = sizes.tokens(text) + sum(sizes.tokens(said) for said, _ in following)
        after = wish.before + round((added - sum(map(weight, shown))) * wish.scale)
        mark = Mark(0, wish.before, max(0, after), wish.automatic, wish.focus, local=not written.text)
        name = written.name if written.text else ""
        draft = Draft(
            text, mark, covered[-1].id, following, self.journal.agent, name, written.usage, written.cost
        )
        stored = await self.store.write(fold, self.journal.session_id, draft)
        self.journal.absorb(stored)
        for message in stored:
            self.emit(MessageAdded(message, message.role))
        if written.problem:
            told = f"the summary was put together without a model ({written.problem})"
            self.emit(Notice("warning", told))
        return Folded(stored[0], written)

    async def _written(self, covered: Sequence[Message], wish: Wish) -> Written:
        scribes = self.scribes()
        if not scribes:
            return NOTHING
        chat = to_chat(self.system, covered, pictures=self.pictures)
        return await write_summary(
            chat[:-1] if chat[-1] is GO_ON else chat,
            self.specs(),
            scribes,
            focus=wish.focus,
            scale=wish.scale,
            random=self.random,
        )

    async def _following(self, *, going: bool) -> Following:
        carried = await self.carried()
        listed: Following = ((carried, "todos"),) if carried else ()
        go_on: Following = ((page("continue"), "continue"),) if going else ()
        return (*listed, *go_on)
