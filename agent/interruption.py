"""Puts in order what was under way when an earlier process ended without warning, and says what that was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.journal import Journal
from agent.titles import call_title
from store import sessions
from store.database import Store
from store.records import Message, Session

AT_REST = ("idle", "dormant")

_LONGEST = 60


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
    points = [*_calls(torn), *_replies(torn)]
    if not points and last is not None and last.origin == "human" and not record.held_at:
        points = [f"{_end(last.text)} was not answered yet"]
    cut = bool(torn) or record.state not in AT_REST
    if not points and not cut:
        return None
    said = "; ".join(points) or "it was between two steps"
    return f"the last turn was interrupted: {said}; what was said and done is kept" if cut else said


def _calls(torn: Sequence[Message]) -> Iterator[str]:
    parts = [part for message in torn for part in message.parts]
    running = [f"`{_short(call_title(part))}`" for part in parts if part.status == "running"]
    waiting = sum(part.status == "pending" for part in parts)
    if running:
        yield f"{' and '.join(running)} cut off while running, not run again by itself"
    if waiting:
        yield f"{waiting} tool call{'s' if waiting > 1 else ''} had not begun"


def _replies(torn: Sequence[Message]) -> Iterator[str]:
    for message in torn:
        if message.finish is None and message.text.strip():
            yield f"the reply broke off after {_end(message.text)}"


def _end(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _LONGEST else f"“…{line[-_LONGEST:]}”"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
