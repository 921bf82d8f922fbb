"""The line above the prompt: what is happening, or why nothing is and what would resume it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from textual.timer import Timer

from tui.bindings import first_key, written
from tui.escapes import safe
from tui.oneline import one_line
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn, cut, hint

if TYPE_CHECKING:
    from textual.app import App

    from tui.status import Status

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
PLAIN_SPINNER = "|/-\\"
PACE = 8
# Seconds for which a word in passing usually stands.
_NOTED = 2.0
# Cells that stay free at both ends.
_INDENT = 4


class Activity(Drawn):
    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="activity")
        self.clock = time.monotonic
        # Whether something else takes the key that holds before the agent does.
        self.taken: Callable[[], bool] = bool
        self._status: Status | None = None
        self._tick: Timer | None = None
        self._note, self._note_role = "", "ok"
        self._noted: Timer | None = None

    @property
    def noted(self) -> str:
        return self._note

    def note(self, text: str, role: str = "ok", seconds: float = _NOTED) -> None:
        """Something small that was done, or could be, in passing."""
        if self._noted:
            self._noted.stop()
        self._note, self._note_role = text, role
        self._noted = self.set_timer(seconds, lambda: self.note("")) if text else None
        self.refresh()

    def show(self, status: Status) -> None:
        self._status = status
        moving = status.working or status.wakes_at is not None or bool(status.own)
        if moving and self._tick is None:
            self._tick = self.set_interval(1 / PACE, self.refresh)
        elif not moving and self._tick is not None:
            self._tick.stop()
            self._tick = None
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        status, ink = self._status, self.ink
        if self._note:
            return [self._line(self._note_role, self._note, "", width)]
        if status is None:
            return [[("  opening", ink.style("dim"))]]
        moment = self.clock()
        seconds = status.countdown(moment)
        reading = f"read-only, {status.owner} runs it" if status.owner else status.in_background
        if seconds is not None:
            return [self._line("accent", f"wakes in {seconds} s", reading or "any key holds it", width)]
        if status.own and not status.waits_for_you:
            # The key stops it before it means the agent.
            newest = status.own[-1]
            took = elapsed(moment - newest.since)
            return [self._busy(newest.doing, took, width, self._presses("stops"))]
        if status.working:
            took = elapsed(moment - status.since) if status.since and not status.retry else ""
            took = (" - " if ink.glyphs.ascii else " · ").join(filter(None, (took, status.in_background)))
            keys = [(reading, ink.style("dim"))] if status.owner else self._presses("holds")
            return [self._busy(self._doing(status, moment), took, width, keys)]
        room = width - _INDENT - (len(reading) + 3 if reading else 0)
        return [self._line(status.role, status.sentence_in(room, ink.glyphs.ellipsis), reading, width)]

    def _doing(self, status: Status, moment: float) -> str:
        if status.active:
            return one_line(safe(status.active[-1][1]))
        return status.retrying(moment) or ("answering" if status.answering else "thinking")

    def _busy(self, doing: str, took: str, width: int, keys: Sequence[Run]) -> list[Run]:
        frames = PLAIN_SPINNER if self.ink.glyphs.ascii else SPINNER
        mark = frames[int(self.clock() * PACE) % len(frames)]
        return self._line("accent", f"{mark} {doing}", took, width, keys)

    def _presses(self, does: str) -> list[Run]:
        key = first_key(cast("App[int]", self.app), "hold") or "escape"  # pyright: ignore[reportUnknownMemberType] # of any result
        if self.taken():
            # A click presses a key once.
            return [(f"{written(key)} twice {does}", self.ink.style("dim"))]
        return hint((key, does), self.ink, self.pointed)

    def _line(self, role: str, text: str, more: str, width: int, keys: Sequence[Run] = ()) -> list[Run]:
        ink = self.ink
        dim, dot = ink.style("dim"), "-" if ink.glyphs.ascii else "·"
        runs: list[Run] = [("  ", ink.style()), (text, ink.style(role))]
        if more or keys:
            runs.append((f" {dot} {more}{'  ' if more and keys else ''}", dim))
        return cut([*runs, *keys], width - 2, ink)


def elapsed(seconds: float) -> str:
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
