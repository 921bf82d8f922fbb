"""Says what was under way when an earlier process ended without warning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.titles import call_title
from store.records import Message, Session

_LONGEST = 60


def told(torn: Sequence[Message], record: Session, last: Message | None) -> str | None:
    """One line for the user; None when everything had come to its end.

    `torn` is what had to be closed, `record` the session as it was left, `last` its newest message.
    """
    points = [*_calls(torn), *_replies(torn)]
    if not points and last is not None and last.origin == "human" and not record.held_at:
        points = [f"{_end(last.text)} was not answered yet"]
    cut = bool(torn) or record.state not in ("idle", "dormant")
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
