"""How a person who looks elsewhere is told: the window's title, a bell, a notification of the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events

from tui.escapes import safe
from tui.oneline import one_line

if TYPE_CHECKING:
    from agent.events import Event, QuestionAsked
    from tui.status import Status

_LONGEST = 80
# Seconds without a key after which somebody may be looking elsewhere.
_ATTENTIVE = 15.0


class Presence:
    """Whether somebody looks at the screen: many terminals never tell, and tmux only where it is asked to."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._typed = clock()
        self._told = False

    def notice(self, event: events.Event) -> None:
        if isinstance(event, events.AppFocus | events.AppBlur):
            self._told = True
        elif isinstance(event, events.Key | events.Paste):
            self._typed = self._clock()

    @property
    def doubtful(self) -> bool:
        """Nobody told where the focus is, and no key was pressed for a while."""
        return not self._told and self._clock() - self._typed > _ATTENTIVE


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
            return f"Wakeful asks: {_asked(event)}"
        case Notice(text=text) if text.startswith("all done"):
            return f"Wakeful: {text}"
        case SessionStateChanged(cause="failed") if before.working:
            return f"Wakeful stopped: {event.reason}"
        case SessionStateChanged(state="idle") if before.working:
            return f"Wakeful waits: {event.reason}"
        case SessionStateChanged(state="dormant") if before.working and not before.progress.total:
            # Where there is a plan, its end is told.
            return "Wakeful has answered"
        case _:
            return ""


def _asked(question: QuestionAsked) -> str:
    """With the first line of a command, which the prompt leaves out."""
    # With it come all events, which the first frame can do without.
    from tui.asking import told

    rows, _ = told(question)
    return ": ".join([question.prompt, *rows[:1]])


def _words(text: str) -> str:
    # A title must not carry what would end it and begin something else.
    return "".join(each for each in one_line(safe(text)) if each.isprintable())[:_LONGEST]
