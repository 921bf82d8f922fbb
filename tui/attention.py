"""How a person who looks elsewhere is told: the window's title, a bell, a notification of the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.escapes import safe
from tui.oneline import one_line

if TYPE_CHECKING:
    from agent.events import Event
    from tui.status import Status

_LONGEST = 80


def window_title(title: str, status: Status | None) -> str:
    """The sequence that names the window after the session and what it does."""
    mark = ""
    if status is not None:
        mark = "? " if status.waits_for_you else "* " if status.working else ""
    name = _words(title)
    return f"\x1b]2;{mark}wakeful{': ' if name else ''}{name}\x1b\\"


def notification(text: str) -> str:
    return f"\x1b]9;{_words(text)}\x1b\\"


def calls_for(event: Event, before: Status) -> str:
    """What a person who is not looking should hear of; empty for everything else."""
    from agent.events import Notice, QuestionAsked, SessionStateChanged

    match event:
        case QuestionAsked():
            return f"Wakeful asks: {event.prompt}"
        case Notice(text=text) if text.startswith("all done"):
            return f"Wakeful: {text}"
        case SessionStateChanged(state="idle") if before.working:
            return f"Wakeful waits: {event.reason}"
        case _:
            return ""


def _words(text: str) -> str:
    # A title must not carry what would end it and begin something else.
    return "".join(each for each in one_line(safe(text)) if each.isprintable())[:_LONGEST]
