"""What stands between the transcript and the prompt, and below it: the only part that is drawn again."""

from __future__ import annotations

import time
from dataclasses import replace

from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from rich.cells import cell_len

from tui import status
from tui.escapes import safe
from tui.repl.paper import Paper
from tui.repl.talk import Talk

_TAIL_ROWS = 4
_QUEUE_ROWS = 3
# Longer paragraphs are rare, and not worth their cost at every piece that comes.
_LONGEST_TAIL = 4_000
_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Drawing:
    """Each piece is empty while there is nothing to say."""

    def __init__(self, talk: Talk, paper: Paper) -> None:
        self._talk = talk
        self._paper = paper
        self._tail: tuple[tuple[str, int], StyleAndTextTuples] = (("", 0), [])

    def tail(self) -> StyleAndTextTuples:
        """The end of what is being written; it moves up into the transcript once it is whole."""
        telling = self._talk.telling
        pending = telling.pending
        if not pending.strip():
            return []
        # One drawing asks for it several times.
        drawn = (pending, self._paper.width)
        if self._tail[0] != drawn:
            self._tail = (drawn, self._rendered(pending, in_code=telling.in_code))
        return self._tail[1]

    def _rendered(self, pending: str, *, in_code: bool) -> StyleAndTextTuples:
        if in_code or len(pending) > _LONGEST_TAIL:
            return [("class:faint", f"  {self._paper.spelled(pending[-self._paper.width + 2 :])}")]
        rows = self._paper.prose(pending).rstrip("\n").split("\n")
        return to_formatted_text(ANSI("\n".join(rows[-_TAIL_ROWS:])))

    def activity(self) -> StyleAndTextTuples:
        now = self._talk.status
        if not now.working or not self._talk.session.busy:
            return []
        moment = time.monotonic()
        frame = _SPINNER[int(moment * 8) % len(_SPINNER)] if self._paper.abilities.unicode else "*"
        doing = now.active[-1][1] if now.active else now.current or "thinking"
        seconds = f" · {moment - now.since:.0f} s · esc interrupts"
        shown = self._paper.clipped(doing, self._paper.width - len(seconds) - 3)
        return [("class:accent", f"{frame} "), ("", shown), ("class:faint", self._paper.spelled(seconds))]

    def queue(self) -> StyleAndTextTuples:
        session = self._talk.session
        waiting = [("steers", text) for text in session.steering]
        waiting += [("queued", text) for text in session.queued]
        room = self._paper.width - 10
        rows = [
            f"{how}  {self._paper.clipped(' '.join(safe(text).split()), room)}"
            for how, text in waiting[:_QUEUE_ROWS]
        ]
        if len(waiting) > _QUEUE_ROWS:
            rows.append(f"        and {len(waiting) - _QUEUE_ROWS} more")
        return [("class:faint", self._paper.spelled("\n".join(rows)))] if rows else []

    def toolbar(self) -> StyleAndTextTuples:
        now = replace(self._talk.status, jobs=len(self._talk.jobs))
        width = self._paper.width
        left, right = status.toolbar(now, width, time.monotonic(), unicode=self._paper.abilities.unicode)
        style = "class:waiting" if now.waits_for_you or now.wakes_at is not None else "class:faint"
        gap = " " * max(1, width - cell_len(left) - cell_len(right)) if right else ""
        return [(style, self._paper.spelled(left)), ("class:faint", self._paper.spelled(gap + right))]
