"""How a row of the plan looks: runs of styled text for each of its lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.style import Style

from store.clock import short
from store.frozen import frozen
from store.records import Stretch, Todo
from tui.clipping import clipped
from tui.escapes import in_ascii, safe
from tui.plain import MARKS, PLAIN_MARKS
from tui.plan.editor import Typed
from tui.plan.rows import Group, Item, Names
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Line, Run, cells, fold, wrap

# A title may have 200 letters; what does not fit here is in the details.
LINES, REMARK = 3, 2
# What stands at the right edge goes away before a title has less than this.
TITLE = 12
_LEAD = 1
_CLOCK = 6
_MARKS = MARKS | {"pending": "○"}
_PLAIN_MARKS = PLAIN_MARKS | {"pending": "o"}
_CLOSED = ("completed", "cancelled")


@frozen
class Sight:
    """What all rows are drawn with. In a `dense` list each has one line."""

    ink: Ink
    width: int
    moment: int
    names: Names
    dense: bool = False
    stretch: Stretch | None = None


def draw(row: Item | Group, sight: Sight, *, selected: bool = False) -> list[list[Run]]:
    fill = "input" if selected else "panel"
    if isinstance(row, Group):
        line = _lead(sight, selected=selected) + _group(row, sight, fill)
        return [[], line] if row.gap and not sight.dense else [line]
    return _item(row, sight, fill, selected=selected)


def height(row: Item | Group, sight: Sight) -> int:
    """How many lines `draw` gives, for a fraction of what that costs."""
    if sight.dense:
        return 1
    if isinstance(row, Group):
        return 2 if row.gap else 1
    remarks = len(_remark_lines(row, sight)) if _remarked(row, sight.names) else 0
    title, room = row.todo.title, _room(row, sight)
    # Most titles are short; what is left of one is never longer than what was written.
    fits = len(title) <= room and title.isascii()
    return remarks + (1 if fits else len(_title_lines(row, sight)))


def mark_column(level: int) -> int:
    return _LEAD + 2 * level


def typed_rows(
    typed: Typed, sight: Sight, row: Item | None = None, label: str = "", *, waiting: bool = False
) -> list[list[Run]]:
    """A line being typed: in place of a title, or below it when it has a `label`.

    One that is `waiting` has no cursor: keys go elsewhere meanwhile.
    """
    ink = sight.ink
    level = row.level if row else 0
    dim = ink.style("dim", "input")
    runs = [(words(typed.text, ink, keep=True), dim)] if waiting else typed_runs(typed, ink, "input")
    lines = _typed_lines([(label, dim), *runs], max(1, sight.width - mark_column(level) - 3))
    sign = "" if label else mark(row.todo if row else None, ink)
    hang = " " * (mark_column(level) - _LEAD)
    return [
        [*_lead(sight, selected=True), (f"{hang}{sign if first else '':<2}", dim), *line.runs]
        for first, line in zip([True] + [False] * len(lines), lines, strict=False)
    ]


def typed_runs(typed: Typed, ink: Ink, fill: str) -> list[Run]:
    """The cursor is where the next letter goes."""
    text = ink.style("text", fill)
    at = typed.under
    return [
        (words(typed.before, ink, keep=True), text),
        (words(typed.after[:at], ink, keep=True) or " ", ink.style("text", fill, "reverse")),
        (words(typed.after[at:], ink, keep=True), text),
    ]


def words(text: str, ink: Ink, *, keep: bool = False) -> str:
    """Foreign text on one line; with `keep` every space stays where it is."""
    shown = safe(text)
    shown = shown.replace("\n", " ").replace("\t", " ") if keep else " ".join(shown.split())
    return in_ascii(shown) if ink.glyphs.ascii else shown


def worked(todo: Todo, stretch: Stretch | None, moment: int) -> int:
    """How long it was worked on, in milliseconds, with what is not charged yet."""
    if stretch is None or stretch.todo_id != todo.id:
        return todo.spent.milliseconds
    running = 0 if stretch.since is None else max(0, moment - stretch.since)
    return todo.spent.milliseconds + stretch.milliseconds + running


def clock(milliseconds: int) -> str:
    """`42 s`, `59 min`, `1:05 h`, `12 h`, `3 d`: at most six cells; empty for nothing."""
    minutes = milliseconds // 60_000
    if minutes < 60:
        return short(milliseconds) if milliseconds else ""
    hours = minutes // 60
    if hours < 10:
        return f"{hours}:{minutes % 60:02} h"
    return f"{hours} h" if hours < 48 else f"{hours // 24} d"


def mark(todo: Todo | None, ink: Ink) -> str:
    return _marks(ink)[todo.status if todo else "pending"]


def _marks(ink: Ink) -> Mapping[str, str]:
    return _PLAIN_MARKS if ink.glyphs.ascii else _MARKS


def _item(row: Item, sight: Sight, fill: str, *, selected: bool) -> list[list[Run]]:
    todo, ink = row.todo, sight.ink
    blank, dim = ink.style("text", fill), ink.style("dim", fill)
    style = _title_style(todo, ink, fill)
    lead = _lead(sight, selected=selected)
    room = _room(row, sight)
    lines = _title_lines(row, sight)
    remarks = _remark_lines(row, sight) if _remarked(row, sight.names) else []
    title: list[Run] = [
        *lead,
        (" " * (2 * row.level), blank),
        (mark(todo, ink), _mark_style(todo, ink, fill)),
        (" ", blank),
        (lines[0], style),
    ]
    if sight.dense and remarks:
        title.append((clipped(f"  {remarks[0]}", room - cell_len(lines[0]), ink.glyphs.ellipsis), dim))
    right = _right(row, sight, fill)
    gap = sight.width - cells(title) - cells(right)
    first = [*title, (" " * max(1 if right else 0, gap), blank), *right]
    if sight.dense:
        return [first]
    hang = (" " * (mark_column(row.level) + 2 - _LEAD), blank)
    below = [(line, style) for line in lines[1:]] + [(line, dim) for line in remarks]
    return [first, *([*lead, hang, run] for run in below)]


def _group(row: Group, sight: Sight, fill: str) -> list[Run]:
    ink = sight.ink
    glyphs = ink.glyphs
    dim = ink.style("dim", fill)
    said = [f"{row.completed} done"] if row.completed else []
    said += [f"{row.cancelled} cancelled"] if row.cancelled else []
    return [
        (glyphs.done, ink.style("ok", fill)) if row.completed else (_marks(ink)["cancelled"], dim),
        (f" {', '.join(said)} {glyphs.folded if row.folded else glyphs.unfolded}", dim),
    ]


def _lead(sight: Sight, *, selected: bool) -> list[Run]:
    ink = sight.ink
    if selected:
        return [(ink.glyphs.bar, ink.style("accent", "input"))]
    return [(" " * _LEAD, ink.style("text", "panel"))]


def _right(row: Item, sight: Sight, fill: str) -> list[Run]:
    """What stands at the right edge, behind the first line of the title."""
    return [(text, sight.ink.style(role, fill)) for text, role in _figures(row, sight)]


def _figures(row: Item, sight: Sight) -> list[tuple[str, str]]:
    todo, plain = row.todo, sight.ink.glyphs.ascii
    found: list[tuple[str, str]] = []
    if todo.status == "in_progress":
        # As wide as any time, so that no title wraps anew while the figure grows.
        found.append((f"{clock(worked(todo, sight.stretch, sight.moment)):>{_CLOCK}} ", "accent"))
    if row.hidden:
        found.append((f"{sight.ink.glyphs.folded}{row.hidden} ", "dim"))
    if todo.priority == "high" and todo.status not in _CLOSED:
        found.append(("^ " if plain else "↑ ", "text"))
    elif todo.priority == "low" and todo.status not in _CLOSED:
        found.append(("v " if plain else "↓ ", "dim"))
    if todo.session_id is None:
        found.append(("w " if plain else "⌂ ", "dim"))
    found.append((f"#{todo.id}", "dim"))
    while found and _left(row, sight, found) < TITLE:
        found.pop()
    return found


def _room(row: Item, sight: Sight) -> int:
    return max(1, _left(row, sight, _figures(row, sight)))


def _left(row: Item, sight: Sight, figures: Sequence[tuple[str, str]]) -> int:
    """What is left for the title beside these."""
    taken = sum(len(text) for text, _ in figures)
    return sight.width - mark_column(row.level) - 2 - (taken + 1 if taken else 0)


def _title_lines(row: Item, sight: Sight) -> list[str]:
    """Only the first has something beside it; those below have all the room there is."""
    room = _room(row, sight)
    text = words(row.todo.title, sight.ink)
    first, *more = [clipped(text, room, sight.ink.glyphs.ellipsis)] if sight.dense else _wrapped(text, room)
    if not more:
        return [first]
    whole = max(1, _left(row, sight, ()))
    return [first, *_lines(text[len(first) :], whole, LINES - 1, sight)]


def _typed_lines(runs: Sequence[Run], room: int) -> list[Line]:
    """Broken behind spaces where there are any, and none is lost: the cursor may stand on each."""
    text = "".join(piece for piece, _ in runs)
    breaks: list[int] = []
    start = 0
    # As much as may fit, however many signs are stacked on a letter: what was pasted has any length.
    while len(fitting := fold([(text[start : start + 8 * room], Style())], room)) > 1:
        end = start + sum(len(piece) for piece, _ in fitting[0].runs)
        space = text.rfind(" ", start, end)
        if not text[end].isspace() and space >= 0:
            end = space + 1
        breaks.append(end)
        start = end
    found, at = list[Run](), 0
    for piece, style in runs:
        ends = [0, *(each - at for each in breaks if at < each <= at + len(piece)), len(piece)]
        found.append(("\n".join(piece[a:b] for a, b in pairwise(ends)), style))
        at += len(piece)
    return fold(found, room)


def _wrapped(text: str, room: int) -> list[str]:
    return ["".join(text for text, _ in line.runs) for line in wrap([(text, Style())], room)]


def _lines(text: str, room: int, most: int, sight: Sight) -> list[str]:
    ink = sight.ink
    text = words(text, ink)
    if sight.dense:
        return [clipped(text, room, ink.glyphs.ellipsis)]
    lines = _wrapped(text, room)
    if len(lines) > most:
        last = clipped(f"{lines[most - 1]} {lines[most]}", room, ink.glyphs.ellipsis)
        return [*lines[: most - 1], last]
    return lines


def _remarked(row: Item, names: Names) -> bool:
    todo = row.todo
    return todo.status not in _CLOSED and bool(
        todo.blocked_reason or row.waits or (todo.artifact_id or 0) in names.artifacts
    )


def _remark_lines(row: Item, sight: Sight) -> list[str]:
    return _lines(_remark(row, sight), max(1, sight.width - mark_column(row.level) - 3), REMARK, sight)


def _remark(row: Item, sight: Sight) -> str:
    todo, ink = row.todo, sight.ink
    parts: list[str] = []
    if todo.blocked_reason:
        parts.append(words(todo.blocked_reason, ink))
    if row.waits:
        parts.append(f"after {', '.join(f'#{each}' for each in row.waits)}")
    artifact = sight.names.artifacts.get(todo.artifact_id or 0)
    if artifact is not None:
        parts.append(f"{'->' if ink.glyphs.ascii else '→'} {words(artifact, ink)}")
    return (" - " if ink.glyphs.ascii else " · ").join(parts)


def _mark_style(todo: Todo, ink: Ink, fill: str) -> Style:
    match todo.status:
        case "in_progress":
            return ink.style("accent", fill, "bold")
        case "completed":
            return ink.style("ok", fill)
        case "blocked":
            # Amber is for what only the user can resolve.
            return ink.style("waiting" if todo.blocked_on == "human" else "text", fill)
        case _:
            return ink.style("dim", fill)


def _title_style(todo: Todo, ink: Ink, fill: str) -> Style:
    match todo.status:
        case "in_progress":
            return ink.style("accent", fill, "bold")
        case "completed":
            return ink.style("dim", fill)
        case "cancelled":
            return ink.style("dim", fill, "strike")
        case _:
            return ink.style("text", fill)
