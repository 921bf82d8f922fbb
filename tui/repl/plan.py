"""The plan as a block of lines: all of it when it is new, later only what moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from agent.commands.text import filled
from agent.events import TodoUpdated
from agent.todos.lines import NOTHING
from agent.todos.rules import nested
from store.records import Progress, Todo
from tui.oneline import one_line
from tui.plain import MARKS, PLAIN_MARKS, todo_remarks
from tui.repl.paper import Paper

_BAR = 12
# A longer plan is shown by what is in progress and next; /todos has the rest.
_MOST = 14


class Plan:
    """Remembers what was printed, so that the next block says only what is new."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._shown: dict[int, tuple[str, str]] = {}
        self._news: TodoUpdated | None = None

    def update(self, event: TodoUpdated) -> None:
        self._news = event

    def news(self, *, words: bool = False) -> str:
        """The block for what changed since it was last asked for; `words` spells the statuses."""
        event, self._news = self._news, None
        if event is None:
            return ""
        seen = {todo.id: (todo.status, todo.title) for todo in event.todos}
        changed = [todo for todo in event.todos if self._shown.get(todo.id) != seen[todo.id]]
        gone = self._shown.keys() - seen.keys()
        fresh = not self._shown
        self._shown = seen
        if not changed and not gone:
            return ""
        # The order in which it was planned, which does not jump about as things get done.
        todos = sorted(event.todos if fresh else changed, key=lambda todo: (todo.position, todo.id))
        return self.block(todos, event.progress, removed=len(gone), words=words)

    def known(self, todos: Sequence[Todo]) -> None:
        """What the reader has seen another way."""
        self._shown = {todo.id: (todo.status, todo.title) for todo in todos}

    def block(
        self, todos: Sequence[Todo], progress: Progress, *, removed: int = 0, words: bool = False
    ) -> str:
        head = self.head(progress, words=words)
        rows: list[RenderableType] = [self.row(level, todo, words=words) for level, todo in nested(todos)]
        if len(rows) > _MOST:
            rows = [*rows[:_MOST], Text(f"  and {len(rows) - _MOST} more, see /todos")]
        if removed:
            rows.append(Text(f"  {removed} removed"))
        return self._paper.show(Group(head, *rows))

    def head(self, progress: Progress, *, words: bool, more: str = "") -> Text:
        palette = self._paper.palette
        count = f"{progress.completed}/{progress.total}"
        if words:
            counts = f" {more}." if more else ""
            return Text(f"Plan: {progress.completed} of {progress.total} done.{counts}")
        done = filled(progress, _BAR)
        full, empty = ("━", "─") if self._paper.abilities.unicode else ("#", "-")
        return Text.assemble(
            (f"Plan {count} ", "bold"),
            (full * done, palette.good),
            (empty * (_BAR - done), palette.faint),
            (f"  {more}" if more else "", palette.faint),
        )

    def row(
        self, level: int, todo: Todo, *, words: bool, artifacts: Mapping[int, str] = NOTHING
    ) -> RenderableType:
        palette = self._paper.palette
        remarks = self._paper.spelled(todo_remarks(todo, artifacts))
        title = self._paper.spelled(f"#{todo.id} {one_line(todo.title)}")
        if words:
            return Text(f"  {todo.status.replace('_', ' ')}: {title}{remarks}")
        marks = _MARKS if self._paper.abilities.unicode else PLAIN_MARKS
        style = {
            "in_progress": f"bold {palette.accent}",
            "blocked": palette.waiting,
            "completed": palette.faint,
            "cancelled": palette.faint,
        }.get(todo.status, "")
        mark = f"  {'  ' * level}{marks[todo.status]} "
        done = palette.good if todo.status == "completed" else style
        behind = palette.waiting if todo.status == "blocked" else palette.faint
        return self._paper.hanging(Text(mark, done), Text.assemble((title, style), (remarks, behind)))


_MARKS = MARKS | {"pending": "○"}
