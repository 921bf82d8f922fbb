"""The plan in one line, for screens without room for more: what is being done, and how far it is."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message

from store.records import Progress, Todo
from tui.bindings import app_key
from tui.plan.drawing import mark, words
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, cells
from tui.widgets.drawn import Drawn, cut

_NOTHING = Progress(0, 0)


class PlanStrip(Drawn):
    class Opened(Message):
        """All of it is wanted."""

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="strip")
        self._current: Todo | None = None
        self._progress = _NOTHING

    def show(self, todos: Sequence[Todo], progress: Progress) -> None:
        # The list begins with what is in progress, then what is next.
        current = todos[0] if todos else None
        if (current, progress) != (self._current, self._progress):
            self._current, self._progress = current, progress
            self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        key = app_key(self, "plan", "ctrl+t")
        return [strip_line(self._current, self._progress, width, self.ink, key)]

    def on_click(self, event: events.Click) -> None:
        del event
        self.post_message(self.Opened())


def strip_line(
    current: Todo | None, progress: Progress, width: int, ink: Ink, key: str = "ctrl+t"
) -> list[Run]:
    """`▶ 2/6 · Fix the loop · ctrl+t`; the title gives way first."""
    if current is None:
        return []
    dim = ink.style("dim")
    dot: Run = (" - " if ink.glyphs.ascii else " · ", dim)
    active = current.status == "in_progress"
    role = {"in_progress": "accent", "completed": "ok", "blocked": "waiting"}.get(current.status, "dim")
    left: list[Run] = [
        ("  ", dim),
        (mark(current, ink), ink.style(role, "page", "bold")),
        (
            f" {progress.completed}/{progress.total}",
            ink.style("text", "page", *(("bold",) if active else ())),
        ),
        dot,
    ]
    title = "all done" if current.status in ("completed", "cancelled") else words(current.title, ink)
    right: list[Run] = [dot, (key, dim)]
    room = width - cells(left) - cells(right) - 2
    if room < 6:
        return cut(left[:-1], width, ink)
    return [*left, *cut([(title, ink.style("text"))], room, ink), *right]
