"""What commands answer, as cells of the transcript."""

from __future__ import annotations

from agent.commands.results import Result, Table, TodoList
from agent.commands.text import as_text, bar, filled
from agent.todos.lines import ratio
from agent.todos.rules import nested
from store.records import Progress, Todo
from tui.plain import MARKS, PLAIN_MARKS, todo_line
from tui.transcript.entries import Cell, Printed

_ROLES = {"in_progress": "accent", "blocked": "waiting", "completed": "dim", "cancelled": "dim"}
_BAR = 20


def printed(result: Result, *, unicode: bool) -> Printed:
    match result:
        case TodoList() if result.todos:
            counts = [f"{n} {status.replace('_', ' ')}" for status, n in result.counts.items() if n]
            figures = (" · " if unicode else ", ").join([ratio(result.progress), *counts])
            head: tuple[Cell, ...] = ((f"{_bar(result.progress, unicode=unicode)}  {figures}", "dim"),)
            rows = [(_todo(level, todo, result, unicode=unicode),) for level, todo in nested(result.todos)]
            return Printed((head, *rows))
        case Table():
            return _table(result)
        case _:
            return Printed(tuple(((line, "text"),) for line in as_text(result, unicode=unicode).split("\n")))


def _bar(progress: Progress, *, unicode: bool) -> str:
    """As thin as that above the plan."""
    if not unicode:
        return bar(progress, _BAR, unicode=False)
    done = filled(progress, _BAR)
    return "━" * done + "─" * (_BAR - done)


def _todo(level: int, todo: Todo, result: TodoList, *, unicode: bool) -> Cell:
    marks = MARKS | {"pending": "○"} if unicode else PLAIN_MARKS
    return ("  " * level + todo_line(todo, marks, result.artifacts), _ROLES.get(todo.status, "text"))


def _table(table: Table) -> Printed:
    head = [tuple((cell, "heading") for cell in table.headers)] if any(table.headers) else []
    rows = [
        tuple((cell, "dim" if number else "text") for number, cell in enumerate(row)) for row in table.rows
    ]
    note: list[tuple[Cell, ...]] = [((table.note, "dim"),)] if table.note else []
    return Printed((*head, *rows, *note))
