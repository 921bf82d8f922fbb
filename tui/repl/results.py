"""What commands answer, as lines of this terminal."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text as Line

from agent.commands.results import Diff, Found, Picker, Result, Table, TodoList
from agent.commands.text import as_text, hit_head, table_text
from agent.todos.rules import nested
from store.search import Hit, pieces
from tui.escapes import safe
from tui.repl.calls import git_lines
from tui.repl.paper import Paper
from tui.repl.plan import Plan

# Of one file. It was asked for, so nearly all of it; more is for a pager: wakeful run /diff | less
_DIFF_ROWS = 1_000
# Two columns side by side are hard to read where there is room for one.
_NARROW = 60
# Nobody reads a longer list to choose from it.
_MOST = 50
_LEAST = 22


def shown(result: Result, paper: Paper, plan: Plan, *, words: bool) -> str:
    match result:
        case TodoList() if result.todos:
            counts = [f"{n} {status.replace('_', ' ')}" for status, n in result.counts.items() if n]
            head = plan.head(result.progress, words=words, more=", ".join(counts))
            rows = [
                plan.row(level, todo, words=words, artifacts=result.artifacts)
                for level, todo in nested(result.todos)
            ]
            return paper.show(Group(head, *rows))
        case Table():
            return _table(result, paper)
        case Picker(title) if result.options:
            return paper.show(Line(safe(title), "bold")) + _options(result, paper)
        case Diff(text, note):
            rows = [Line(safe(note), "bold"), *git_lines(text, paper, most=_DIFF_ROWS)]
            return "".join(paper.show(row, breaking=index == 0) for index, row in enumerate(rows))
        case Found(_, hits) if hits:
            return "".join(paper.show(_hit(hit, paper)) for hit in hits)
        case _:
            text = safe(as_text(result, unicode=paper.abilities.unicode))
            return paper.show(Line(text)) if text else ""


def _hit(hit: Hit, paper: Paper) -> RenderableType:
    snippet = [
        (paper.spelled(safe(text)), f"bold {paper.palette.accent}" if match else "")
        for text, match in pieces(hit.snippet)
    ]
    head = Line(safe(hit_head(hit)), paper.palette.faint)
    return Group(head, paper.hanging(Line("    "), Line.assemble(*snippet)))


def _options(picker: Picker, paper: Paper) -> str:
    """What all lines begin with stands once, below; a name that is its own line is not said twice."""
    lines = [each.line for each in picker.options]
    typed = lines[0].rpartition(" ")[0]
    ends = [line.removeprefix(f"{typed} ") for line in lines]
    # Some labels are, or begin with, what is typed.
    named = all(each.label == end for end, each in zip(ends, picker.options, strict=True))
    leading = all(each.label.split(" ")[0] == end for end, each in zip(ends, picker.options, strict=True))
    rows = [
        (each.label, each.detail, "" if leading else end)
        for end, each in zip(ends[:_MOST], picker.options, strict=False)
    ]
    filled = [at for at in range(3) if any(row[at] for row in rows)]
    beside = sum(2 + max(cell_len(safe(row[at])) for row in rows) for at in filled[1:])
    room = max(_LEAST, paper.width - 2 - beside) if paper.width >= _NARROW else paper.width - 2
    marks = [paper.spelled("› ") if each.current else "  " for each in picker.options]
    shown_rows = tuple(
        (f"{mark}{paper.clipped(safe(row[0]), room)}", *(row[at] for at in filled[1:]))
        for mark, row in zip(marks, rows, strict=False)
    )
    where = "first" if leading else "last"
    how = f"{typed} NAME chooses one" if named else f"{typed} with the {where} word of a line chooses it"
    left = len(lines) - _MOST
    note = f"and {left} more; {typed} and the tab key show them" if left > 0 else how
    return _table(Table((), shown_rows, note), paper)


def _table(table: Table, paper: Paper) -> str:
    rows = [tuple(paper.spelled(safe(cell)) for cell in row) for row in table.rows]
    note = paper.show(Line(safe(table.note), paper.palette.faint)) if table.note else ""
    if not paper.abilities.styled:
        return paper.show(Line(table_text(Table(table.headers, tuple(rows))))) + note
    wide = max((cell_len(row[0]) for row in rows), default=0) > paper.width // 3
    if paper.width < _NARROW and wide and not table.headers:
        return _stacked(rows, paper) + note
    return paper.show(_grid(table.headers, rows, paper)) + note


def _grid(headers: tuple[str, ...], rows: list[tuple[str, ...]], paper: Paper) -> Grid:
    """With a headline all is of one weight; without one the first column names what the rest is about."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for number in range(max((len(row) for row in (headers, *rows)), default=0)):
        grid.add_column(overflow="fold", style="" if number or headers else paper.palette.accent)
    if headers:
        grid.add_row(*(Line(safe(cell), paper.palette.faint) for cell in headers))
    for row in rows:
        grid.add_row(*map(Line, row))
    return grid


def _stacked(rows: list[tuple[str, ...]], paper: Paper) -> str:
    """Each row as a line with the rest of it below."""
    stack: list[RenderableType] = []
    for first, *rest in rows:
        stack.append(Line(first, paper.palette.accent))
        stack += [paper.hanging(Line("  "), Line(cell)) for cell in rest if cell]
    return paper.show(Group(*stack))
