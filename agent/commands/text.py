"""Results as plain text: for headless use, pipes, and doors that can show no better."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import assert_never

from agent.commands.results import (
    Confirm,
    Copy,
    Diff,
    Draft,
    Found,
    Picker,
    Prompt,
    Quit,
    Reopen,
    Result,
    Show,
    Table,
    Text,
    TodoList,
)
from agent.todos.lines import line, ratio
from agent.todos.rules import nested
from store.clock import age
from store.records import Progress, Todo
from store.search import Hit, pieces

_WIDTH = 20


def as_text(result: Result, *, unicode: bool = True) -> str:
    match result:
        case Text(text) | Prompt(text=text) | Copy(text) | Diff(text):
            return text
        case Table():
            return table_text(result)
        case TodoList():
            return todo_text(result, unicode=unicode)
        case Picker(title, options):
            rows = tuple(
                ("*" if each.current else "", each.label, each.detail, each.line) for each in options
            )
            return f"{title}\n{table_text(Table((), rows))}"
        case Found():
            return found_text(result)
        case Confirm(question, detail, typed):
            return "\n".join(part for part in (detail, f"{question} To do it: {typed}") if part)
        case Reopen(_, note) | Draft(_, note):
            return note
        case Show(otherwise=shown):
            return as_text(shown, unicode=unicode)
        case Quit():
            return ""
        case _:
            assert_never(result)


def table_text(table: Table) -> str:
    rows = [*([table.headers] if table.headers else []), *table.rows]
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    lines = [_row(row, widths) for row in rows]
    return "\n".join([*lines, *([table.note] if table.note else [])])


def found_text(result: Found) -> str:
    """Two lines a hit; what matched stands between asterisks."""
    if not result.words:
        return "write /search WORDS"
    if not result.hits:
        return f"nothing has {result.words!r}"
    lines: list[str] = []
    for hit in result.hits:
        snippet = "".join(f"*{piece}*" if marked else piece for piece, marked in pieces(hit.snippet))
        lines += [hit_head(hit), f"    {snippet}"]
    return "\n".join(lines)


def hit_head(hit: Hit) -> str:
    """`#14 [pending] · fix the login · 2 h ago · 01K…`, or who said it."""
    where = (hit.title or "(no title)", hit.session_id) if hit.session_id else ("(workspace)",)
    return " · ".join([hit_speaker(hit), *where[:1], f"{age(hit.created_at)} ago", *where[1:]])


def hit_speaker(hit: Hit) -> str:
    if hit.kind == "todo":
        return f"#{hit.id} [{hit.detail}]"
    return {"user": "you", "assistant": "agent"}.get(hit.detail, hit.detail)


def todo_text(result: TodoList, *, unicode: bool = True) -> str:
    rows = [_todo(level, todo, result, unicode=unicode) for level, todo in nested(result.todos)]
    return "\n".join([heading(result, unicode=unicode), *rows])


def heading(result: TodoList, *, unicode: bool = True) -> str:
    """`████░░░░ 2/5 · 1 in progress · 2 pending · 2 completed`."""
    counts = [f"{count} {status.replace('_', ' ')}" for status, count in result.counts.items() if count]
    parts = [f"{bar(result.progress, unicode=unicode)} {ratio(result.progress)}", *counts]
    return (" · " if unicode else ", ").join(parts)


def bar(progress: Progress, width: int = _WIDTH, *, unicode: bool = True) -> str:
    full, empty = ("█", "░") if unicode else ("#", "-")
    done = filled(progress, width)
    return full * done + empty * (width - done)


def filled(progress: Progress, width: int) -> int:
    """How much of a bar is full: all of it only when everything is done, none only when nothing is."""
    done = progress.completed * width // progress.total if progress.total else 0
    return max(done, min(1, progress.completed))


def _todo(level: int, todo: Todo, result: TodoList, *, unicode: bool) -> str:
    mark = ("▶" if unicode else ">") if todo.status == "in_progress" else " "
    return f"{mark} {'  ' * level}{line(todo, result.artifacts)}"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    """More lines of its last cell stand below the first of them."""
    *before, last = cells
    margin = " " * sum(width + 2 for width in widths[: len(before)])
    cells = [*before, last.replace("\n", f"\n{margin}")]
    return "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False)).rstrip()
