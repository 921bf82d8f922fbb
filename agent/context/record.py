"""Stores a compaction in one transaction: the summary, what is carried over, and the word to go on."""

from __future__ import annotations

from dataclasses import replace

from agent.context.compaction import Mark
from agent.journal import write_message
from store import messages, sessions
from store.clock import now
from store.database import Writer
from store.frozen import frozen
from store.records import Message, Origin, Part, Usage


@frozen
class Draft:
    """`covered` is the id of the last message the summary speaks for; `following` comes behind it."""

    text: str
    mark: Mark
    covered: int
    following: tuple[tuple[str, Origin], ...]
    agent: str
    model: str
    usage: Usage
    cost: float


async def fold(writer: Writer, session_id: str, draft: Draft) -> tuple[Message, ...]:
    # Somebody may have spoken while the summary was written; that stays.
    kept = await messages.count(writer, session_id, after=draft.covered)
    summary = await messages.append(
        writer, session_id, "user", "summary", agent=draft.agent, model=draft.model
    )
    data = replace(draft.mark, kept=kept).to_json()
    moment = now()
    drafts = (
        Part(0, summary.id, "text", text=draft.text, started_at=moment, ended_at=moment),
        Part(0, summary.id, "compaction", data=data, started_at=moment, ended_at=moment),
    )
    parts = [await messages.add_part(writer, session_id, part) for part in drafts]
    await messages.end(
        writer, session_id, summary.id, usage=draft.usage, cost=draft.cost, finish="stop", ended_at=moment
    )
    await sessions.spend(writer, session_id, draft.usage, draft.cost)
    ended = replace(summary, parts=tuple(parts), finish="stop", usage=draft.usage, cost=draft.cost)
    following = [await write_message(writer, session_id, text, origin) for text, origin in draft.following]
    return (replace(ended, ended_at=moment), *following)
