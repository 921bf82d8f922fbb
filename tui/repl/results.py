"""What commands answer, as lines of this terminal."""

from __future__ import annotations

from rich.table import Table as Grid
from rich.text import Text as Line

from agent.commands.results import Diff, Found, Picker, Result, Table, TodoList
from agent.commands.text import as_text, hit_head
from agent.todos.rules import nested
from store.search import Hit, pieces
from tui.escapes import safe
from tui.repl.calls import git_lines
from tui.repl.paper import Paper
from tui.repl.plan import Plan

# Of one file. It was asked for, so nearly all of it; more is for a pager: wakeful run /diff | less
_DIFF_ROWS = 1_000


def shown(result: Result, paper: Paper, plan: Plan, *, words: bool) -> str:
    match result:
        case TodoList(frame="") if result.todos:
            counts = [f"{n} {status.replace('_', ' ')}" for status, n in result.counts.items() if n]
            head = plan.head(result.progress, words=words, more=", ".join(counts))
            rows = [plan.row(level, todo, words=words) for level, todo in nested(result.todos)]
            return paper.show(Line("\n").join([head, *rows]))
        case Table():
            return _table(result, paper)
        case Picker(title, options):
            rows = tuple(
                ("*" if each.current else "", each.label, each.detail, each.line) for each in options
            )
            return paper.show(Line(safe(title), "bold")) + _table(Table((), rows), paper)
        case Diff(text, note):
            rows = [Line(safe(note), "bold"), *git_lines(text, paper, most=_DIFF_ROWS)]
            return "".join(paper.show(row, breaking=index == 0) for index, row in enumerate(rows))
        case Found(_, hits) if hits:
            return "".join(paper.show(_hit(hit, paper)) for hit in hits)
        case _:
            text = safe(as_text(result, unicode=paper.abilities.unicode))
            return paper.show(Line(text)) if text else ""


def _hit(hit: Hit, paper: Paper) -> Line:
    snippet = [
        (safe(text), f"bold {paper.palette.accent}" if match else "") for text, match in pieces(hit.snippet)
    ]
    return Line.assemble((safe(hit_head(hit)), paper.palette.faint), "\n    ", *snippet)


def _table(table: Table, paper: Paper) -> str:
    faint = paper.palette.faint
    grid = Grid.grid(padding=(0, 2, 0, 0))
    columns = max((len(row) for row in (table.headers, *table.rows)), default=0)
    for number in range(columns):
        grid.add_column(overflow="fold", style=faint if number else "")
    if table.headers:
        grid.add_row(*(Line(safe(cell), f"bold {faint}") for cell in table.headers))
    for row in table.rows:
        grid.add_row(*(Line(safe(cell)) for cell in row))
    note = paper.show(Line(safe(table.note), faint)) if table.note else ""
    return paper.show(grid) + note
