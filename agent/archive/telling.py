"""How things of a session are called where people read it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.archive.records import Archive, change_of
from agent.money import all_priced, amount
from agent.todos import journal
from agent.todos.lines import ratio
from agent.todos.rules import progress
from agent.turn_failure import of_message
from store.clock import format_time
from store.records import Message, Origin

_SPEAKERS: dict[Origin, str] = {
    "human": "You",
    "agent": "Agent",
    "todos": "The plan, as told to the agent",
    "wake": "Woken by open todos",
    "limit": "A limit, as told to the agent",
    "command": "Results of commands",
    "continue": "Told to continue",
    "summary": "Summary of what came before",
    "peer": "Another agent",
}
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def speaker(message: Message) -> str:
    if message.role == "assistant" and message.agent:
        return f"{message.agent} ({message.model})" if message.model else message.agent
    return _SPEAKERS[message.origin]


def ending(message: Message) -> str:
    """How a reply ended, where it did not end well."""
    if message.finish == "interrupted":
        return "interrupted"
    failure = of_message(message, after_calls=True)
    return failure.message if failure else ""


def when(milliseconds: int) -> str:
    return format_time(milliseconds)[:16].replace("T", " ")


def spent(archive: Archive) -> Iterator[tuple[str, str]]:
    """What stands at the head of the page."""
    head = archive.session
    yield "folder", head.workspace
    yield "agent", f"{head.agent}, {head.model}"
    yield "time (UTC)", f"{when(head.created_at)} to {when(head.updated_at)}"
    yield "messages", f"{len(archive.messages):,}"
    if archive.todos:
        yield "plan", f"{ratio(progress(archive.todos))} done"
    models = {each.model for each in archive.messages if each.usage.total} or {head.model}
    yield "tokens", f"{head.usage.total:,}"
    yield "cost", amount(head.cost, priced=all_priced(models), used=bool(head.usage.total))


def moments(archive: Archive) -> Iterator[journal.Entry]:
    undone = frozenset(each.undoes for each in archive.timeline if each.undoes is not None)
    return (journal.entry(change_of(each, archive.session), undone) for each in archive.timeline)


def plain(text: str) -> str:
    """Without the characters that steer a terminal or turn the reading order round."""
    return _STEERING.sub("", text)
