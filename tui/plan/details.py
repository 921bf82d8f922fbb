"""All there is to know about one todo: notes, check, what it waits for, what it cost, what happened to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, repeat
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from agent.todos.journal import Entry
from agent.todos.rules import OPEN
from store.clock import now, short
from store.frozen import frozen
from store.records import Stretch, Todo
from tui.escapes import in_ascii, safe
from tui.plan.drawing import mark, words, worked
from tui.plan.lines import Lines
from tui.plan.rows import Names
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap

# As a status, not as a word in the reason of a block.
_IN_PROGRESS = re.compile(r"^(?:undo: )?in_progress(?= )|(?<= → )in_progress$|(?<= again, was )in_progress$")
_NAMED = 12


@frozen
class Known:
    """A todo and what is known around it; `history` is None until it was read."""

    todo: Todo
    todos: Mapping[int, Todo]
    names: Names
    history: tuple[Entry, ...] | None = None
    stretch: Stretch | None = None


class Details(Lines, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "Scroll up", id="details-up", show=False),
        Binding("down,j", "scroll_down", "Scroll down", id="details-down", show=False),
        Binding("pageup", "page_up", "Page up", id="details-page-up"),
        Binding("pagedown", "page_down", "Page down", id="details-page-down"),
        Binding("home", "scroll_home", "Beginning", id="details-first"),
        Binding("end", "scroll_end", "End", id="details-last"),
        Binding("escape,enter,left", "back", "Back to the list", id="details-back"),
    ]

    class Closed(Message):
        pass

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="plan-details")
        self.known: Known | None = None
        self._drawn: list[list[Run]] = []
        self._stretch: Stretch | None = None

    def on_mount(self) -> None:
        self.display = False

    def show(self, known: Known) -> None:
        fresh = self.known is None or self.known.todo.id != known.todo.id
        self.known = known
        self._redraw(0 if fresh else None)

    def time(self, stretch: Stretch | None) -> None:
        """The clock of what is being worked on; its seconds are in the list."""
        self._stretch = stretch
        if self.display:
            self._redraw()

    def wear(self, ink: Ink) -> None:
        super().wear(ink)
        self._redraw()

    def line(self, number: int) -> Sequence[Run]:
        return self._drawn[number]

    def on_resize(self) -> None:
        self._redraw()

    def action_back(self) -> None:
        self.post_message(self.Closed())

    def _redraw(self, top: int | None = None) -> None:
        if self.known:
            known = replace(self.known, stretch=self._stretch)
            self._drawn = details(known, self.columns, self.ink, now())
            self.total = len(self._drawn)
            self.settle(top)


def details(known: Known, width: int, ink: Ink, moment: int) -> list[list[Run]]:
    page = _Page(ink, width)
    todo = known.todo
    page.text(f"#{todo.id} {todo.title}", "heading", "bold")
    page.text(_standing(todo, moment, ink), "accent" if todo.status == "in_progress" else "dim")
    if todo.blocked_reason:
        page.section("Blocked")
        page.text(todo.blocked_reason)
    if todo.notes:
        page.section("Notes")
        page.text(todo.notes)
    if todo.check:
        page.section("Check")
        page.text(todo.check, "name")
    page.todos("After", [known.todos[each] for each in todo.depends_on if each in known.todos])
    page.todos("Holds up", [each for each in known.todos.values() if todo.id in each.depends_on])
    page.todos("Subtasks", [each for each in known.todos.values() if each.parent_id == todo.id])
    linked = list(_links(todo, known.names))
    if linked:
        page.section("Linked")
        for each in linked:
            page.text(each)
    page.section("Spent")
    page.text(_cost(todo, worked(todo, known.stretch, moment), ink))
    page.section("History")
    if known.history is None:
        page.text("reading", "dim")
    for entry in reversed(known.history or ()):
        undone = " (undone)" if entry.undone else ""
        page.text(f"{_when(entry.time, moment)}  {_who(entry.actor)}", "dim")
        page.text(f"{_told(entry.summary)}{undone}", "dim" if entry.undone else "text", indent=2)
    return page.rows


class _Page:
    def __init__(self, ink: Ink, width: int) -> None:
        self.rows: list[list[Run]] = []
        self._ink = ink
        self._room = max(1, width - 2)
        self._blank: Run = (" ", ink.style("text", "panel"))

    def section(self, title: str) -> None:
        self.rows += [[], [self._blank, (title, self._ink.style("heading", "panel", "bold"))]]

    def text(self, text: str, role: str = "text", *attributes: str, indent: int = 0, mark: str = "") -> None:
        """All of its lines are indented; the `mark` stands before the first."""
        shown = safe(text).replace("\t", "    ")
        shown = in_ascii(shown) if self._ink.glyphs.ascii else shown
        style = self._ink.style(role, "panel", *attributes)
        leads = chain([mark.ljust(indent)], repeat(" " * indent))
        lines = wrap([(shown, style)], max(1, self._room - indent))
        self.rows += [
            [self._blank, (lead, style), *line.runs] for lead, line in zip(leads, lines, strict=False)
        ]

    def todos(self, title: str, todos: Sequence[Todo]) -> None:
        if not todos:
            return
        self.section(title)
        for todo in todos[:_NAMED]:
            role = "text" if todo.status in OPEN else "dim"
            title = f"#{todo.id} {words(todo.title, self._ink)}"
            self.text(title, role, indent=2, mark=mark(todo, self._ink))
        if len(todos) > _NAMED:
            self.text(f"and {len(todos) - _NAMED} more", "dim")


def _standing(todo: Todo, moment: int, ink: Ink) -> str:
    parts = [todo.status.replace("_", " ")]
    if todo.status == "in_progress" and todo.started_at:
        parts[0] += f" since {_when(todo.started_at, moment)}"
    if todo.completed_at:
        parts[0] += f" {_when(todo.completed_at, moment)}"
    parts[0] += f" by {_who(todo.completed_by)}" if todo.completed_by else ""
    parts += [f"{todo.priority} priority"] if todo.priority != "medium" else []
    parts += ["for every session of this project"] if todo.session_id is None else []
    return (" - " if ink.glyphs.ascii else " · ").join(parts)


def _links(todo: Todo, names: Names) -> Iterator[str]:
    if todo.artifact_id is not None:
        yield f"artifact: {names.artifacts.get(todo.artifact_id, f'#{todo.artifact_id}')}"
    if todo.sprint_id is not None:
        yield f"sprint: {names.sprints.get(todo.sprint_id, f'#{todo.sprint_id}')}"


def _cost(todo: Todo, milliseconds: int, ink: Ink) -> str:
    spent = todo.spent
    if not (milliseconds or spent.tokens or spent.calls):
        return "nothing yet"
    parts = [short(milliseconds), f"{_count(spent.tokens)} tokens"]
    parts += [f"${spent.cost:.2f}"] if spent.cost else []
    parts += [f"{spent.calls} calls" if spent.calls != 1 else "1 call"]
    return (" - " if ink.glyphs.ascii else " · ").join(parts)


def _who(actor: str) -> str:
    """`you`, or the name of the agent."""
    return "you" if actor == "user" else actor.removeprefix("agent:")


def _told(summary: str) -> str:
    """A change of status in words; what else may stand there is the user's own."""
    if summary.removeprefix("undo: ").startswith("title was: "):
        return summary
    return _IN_PROGRESS.sub(lambda found: found[0].replace("_", " "), summary)


def _count(tokens: int) -> str:
    return str(tokens) if tokens < 10_000 else f"{tokens / 1000:.0f}k"


def _when(time: int, moment: int) -> str:
    """The hour today, else the day too, as the clock on the wall has it."""
    then, today = (datetime.fromtimestamp(each / 1000).astimezone() for each in (time, moment))
    return then.strftime("%H:%M" if then.date() == today.date() else "%Y-%m-%d %H:%M")
