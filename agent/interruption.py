"""Puts in order what was under way when an earlier process ended without warning, and says what that was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.journal import Journal
from agent.titles import call_title
from agent.wake import AT_REST
from store import sessions
from store.database import Store
from store.records import Message, Part, Session, SessionState

_LONGEST = 60
_WAITED = {"awaiting_approval": "it waited for your approval", "awaiting_human": "it waited for your answer"}


async def settled(store: Store, record: Session, journal: Journal) -> tuple[str, ...]:
    """Reads the journal and closes what is open in it; the line for the user is said once."""
    torn = await journal.load()
    line = told(torn, record, journal.messages[-1] if journal.messages else None)
    if record.state not in AT_REST:
        await store.write(sessions.set_state, record.id, "idle", "interrupted")
    return (line,) if line else ()


def told(torn: Sequence[Message], record: Session, last: Message | None) -> str | None:
    """One line for the user; None when everything had come to its end.

    `torn` is what had to be closed, `record` the session as it was left, `last` its newest message.
    """
    points = [*_calls(torn, record.state), *_replies(torn)]
    if not points and last is not None and last.origin == "human" and not record.held_at:
        points = [f"{_end(last.text)} was not answered yet"]
    cut = bool(torn) or record.state not in AT_REST
    if not points and not cut:
        return None
    said = "; ".join(points) or _WAITED.get(record.state, "it was between two steps")
    return f"the last turn was interrupted: {said}; what was said and done is kept" if cut else said


def _calls(torn: Sequence[Message], state: SessionState) -> Iterator[str]:
    parts = [part for message in torn for part in message.parts]
    asking = [part for part in parts if part.status == "running" and part.tool == "ask_user"]
    running = [_named(part) for part in parts if part.status == "running" and part not in asking]
    pending = [part for part in parts if part.status == "pending"]
    for part in asking:
        yield f"{_named(part)} waited for your answer"
    if running:
        yield f"{' and '.join(running)} cut off while running, not run again by itself"
    if pending and state == "awaiting_approval":
        yield f"{_named(pending.pop(0))} waited for your approval and was not run"
    if pending:
        yield f"{len(pending)} tool call{'s' if len(pending) > 1 else ''} had not begun"


def _replies(torn: Sequence[Message]) -> Iterator[str]:
    for message in torn:
        if message.finish is None and message.text.strip():
            yield f"the reply broke off after {_end(message.text)}"


def _named(part: Part) -> str:
    return f"`{_short(call_title(part))}`"


def _end(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _LONGEST else f"“…{line[-_LONGEST:]}”"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
