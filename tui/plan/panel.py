"""The plan beside the conversation: progress, what is being worked on, what is next, what is done."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Region
from textual.strip import Strip

from agent.todos.rules import nested
from store.records import Progress, Todo
from tui.escapes import safe
from tui.plain import MARKS, PLAIN_MARKS, one_line
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run
from tui.widgets.drawn import Drawn, cut, spread

_NOTHING = Progress(0, 0)


class PlanPanel(Drawn, can_focus=True):
    FILL = "panel"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="plan")
        self._todos: tuple[Todo, ...] = ()
        self._progress = _NOTHING

    def show(self, todos: tuple[Todo, ...], progress: Progress) -> None:
        """The whole list, as `todo.updated` brings it."""
        self._todos, self._progress = todos, progress
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        return [self.render_line(y) for y in range(crop.y, crop.bottom)]

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        ink, progress = self.ink, self._progress
        marks = PLAIN_MARKS if ink.glyphs.ascii else MARKS | {"pending": "○"}
        title: list[Run] = [(" Plan", ink.style("heading", "panel", "bold"))]
        count: list[Run] = [(f"{progress.completed}/{progress.total} ", ink.style("dim", "panel"))]
        rows: list[list[Run]] = [spread(title, count, width, ink, "panel")]
        roles = {"in_progress": "accent", "blocked": "waiting", "completed": "dim", "cancelled": "dim"}
        for level, todo in nested(self._todos):
            role = roles.get(todo.status, "text")
            mark = "ok" if todo.status == "completed" else role
            line: list[Run] = [
                (" " * (1 + 2 * level) + marks[todo.status], ink.style(mark, "panel")),
                (f" {one_line(safe(todo.title))}", ink.style(role, "panel")),
            ]
            rows.append(cut(line, width, ink))
        return rows
