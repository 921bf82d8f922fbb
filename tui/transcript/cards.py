"""Draws the entries of a transcript: messages, reasoning, tool calls, notices."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from tui.clipping import clipped
from tui.escapes import in_ascii
from tui.transcript.blocks import Block, joined
from tui.transcript.differences import counts
from tui.transcript.diffs import diff_lines, glance
from tui.transcript.entries import (
    AssistantText,
    Body,
    Failure,
    Notice,
    Printed,
    Reasoning,
    ToolCall,
    UserMessage,
)
from tui.transcript.ink import Ink
from tui.transcript.printed import printed_lines
from tui.transcript.renderer import GUTTER, render, strips, widened
from tui.transcript.splitter import split
from tui.transcript.wrapping import MEASURE, Line, Run, cells, fold, strip, wrap

_ANNOUNCED = re.compile(r"(?<=\.) [^.]*:$")
_MARKS = str.maketrans("", "", "*`")
_CLICK = Style(meta={"act": "fold"})
TAB = 8
# Cells by which the lines of a call stand further in than its name.
INDENT = 2
# A folded diff still shows the change, if it is not a whole new file.
DIFF_ROWS = 16


def draw(body: Body, width: int, ink: Ink, *, folded: bool) -> list[Strip]:
    match body:
        case UserMessage():
            return _user(body, width, ink)
        case AssistantText():
            return draw_blocks(split(body.text), width, ink)
        case Reasoning():
            return _reasoning(body, width, ink, folded=folded)
        case ToolCall():
            return _tool(body, width, ink, folded=folded)
        case Notice():
            role = {"info": "dim", "warning": "waiting", "done": "ok"}[body.level]
            return strips(_plain(body.text, width - 2 * GUTTER, ink, role), width, ink)
        case Failure():
            return _failure(body, width, ink)
        case Printed():
            return strips(printed_lines(body, max(1, width - 2 * GUTTER), ink), width, ink)
        case _:
            assert_never(body)


def hides(body: Body, width: int, ink: Ink) -> bool:
    """Whether folding it leaves anything out."""
    if isinstance(body, ToolCall):
        return _contents(body, width - 2 * GUTTER, ink, folded=True)[1]
    return isinstance(body, Reasoning)


def draw_blocks(
    blocks: Iterable[Block], width: int, ink: Ink, role: str = "text", *, below: bool = False
) -> list[Strip]:
    """`below` says that other blocks stand above these."""
    found: list[Strip] = []
    blocks = list(blocks)
    # The end of a code may be wider than its beginning.
    for block in blocks:
        widened(block)
    for block in blocks:
        if (found or below) and not joined(block):
            found.append(blank(width, ink))
        found += render(block, width, ink, role)
    return found


def blank(width: int, ink: Ink) -> Strip:
    return strip([(" " * width, ink.gutter())], width, ink.style())


def _user(body: UserMessage, width: int, ink: Ink) -> list[Strip]:
    lines = _plain(body.text, width - 2 * GUTTER, ink, "text", "user")
    if body.label:
        lines.insert(0, Line([(body.label, ink.gutter(role="dim", fill="user"))]))
    return _barred(lines, width, ink, "accent", "user")


def _failure(body: Failure, width: int, ink: Ink) -> list[Strip]:
    lines = _plain(body.text, width - 2 * GUTTER, ink, "error")
    if body.hint:
        lines += _plain(body.hint, width - 2 * GUTTER, ink, "dim")
    return _barred(lines, width, ink, "error", "page")


def _barred(lines: Sequence[Line], width: int, ink: Ink, role: str, fill: str) -> list[Strip]:
    """With a coloured edge, so that one finds them while scrolling."""
    found: list[Strip] = []
    for line in lines:
        edge: list[Run] = [
            (ink.glyphs.bar, ink.gutter(line.joint, role, fill)),
            (" ", ink.gutter(line.joint, fill=fill)),
        ]
        found.append(strip([*edge, *line.runs], width, ink.room(fill)))
    return found


def _clickable(found: list[Strip]) -> list[Strip]:
    return [each.apply_style(_CLICK) for each in found]


def _reasoning(body: Reasoning, width: int, ink: Ink, *, folded: bool) -> list[Strip]:
    glyph = ink.glyphs.folded if folded else ink.glyphs.unfolded
    title = body.title or ("Thinking" if body.thinking else "Thought")
    runs: list[Run] = [(f"{glyph} {title}", ink.style("dim", "page", "italic"))]
    if folded and not body.title:
        written = [line for line in body.text.splitlines() if line.strip()]
        line = (written[-1] if body.thinking else written[0]).strip() if written else ""
        room = min(MEASURE, width - 2 * GUTTER) - cells(runs) - 3
        separator = "-" if ink.glyphs.ascii else "·"
        shown = clipped(_shown(line.translate(_MARKS).strip("# "), ink), max(0, room), ink.glyphs.ellipsis)
        runs.append((f" {separator} {shown}" if shown else "", ink.style("dim")))
    head = _clickable(strips([Line(runs)], width, ink))
    return head if folded else head + draw_blocks(split(body.text), width, ink, "dim")


def _tool(body: ToolCall, width: int, ink: Ink, *, folded: bool) -> list[Strip]:
    room = width - 2 * GUTTER
    lines, hiding = _contents(body, room, ink, folded=folded)
    inner = [Line([(" " * INDENT, ink.gutter(line.joint)), *line.runs], line.joint) for line in lines]
    head = strips([_head(body, room, ink, folded=folded if hiding else None)], width, ink)
    return (_clickable(head) if hiding else head) + strips(inner, width, ink)


def _contents(body: ToolCall, room: int, ink: Ink, *, folded: bool) -> tuple[list[Line], bool]:
    """With whether folding it hides any of it."""
    if not body.diff:
        return _output(body, room, ink, folded=folded) if body.output else ([], False)
    lines, hiding = _diff(body.diff, max(1, room - INDENT), ink, folded=folded)
    # One line says no more than the diff itself.
    if "\n" not in body.output.strip("\n"):
        return lines, hiding
    return lines if folded else lines + _output(body, room, ink, folded=False)[0], True


def _head(body: ToolCall, room: int, ink: Ink, *, folded: bool | None) -> Line:
    """`folded` is None where folding would hide nothing."""
    mark, role = _mark(body, ink)
    room = min(room, MEASURE)
    ended = body.status if body.status in ("failed", "interrupted") else ""
    took = duration(body.duration_ms) if body.duration_ms is not None else ""
    separator = " - " if ink.glyphs.ascii else " · "
    right = separator.join(filter(None, (ended, body.tally, took)))
    if cell_len(right) > room // 2:
        # In a narrow window it is more to be read what was called for than how long it took.
        right = separator.join(filter(None, (ended, body.tally)))
    if folded is not None:
        right = f"{right} {ink.glyphs.folded if folded else ink.glyphs.unfolded}".lstrip()
    runs: list[Run] = [(f"{mark} ", ink.style(role)), (f"{body.verb} ", ink.style("text", "page", "bold"))]
    plus, minus = counts(body.diff) if body.diff else (0, 0)
    tail: list[Run] = []
    if body.diff:
        tail = [(f" +{plus}", ink.style("ok")), (f" {ink.glyphs.minus}{minus}", ink.style("error"))]
    left = room - cells(runs) - cells(tail) - cell_len(right) - 2
    runs.append((clipped(_shown(body.subject, ink), max(0, left), ink.glyphs.ellipsis), ink.style("text")))
    runs += tail
    space = room - cells(runs) - cell_len(right)
    if space > 0:
        runs += [(" " * space, ink.gutter()), (right, ink.gutter(role="error" if role == "error" else "dim"))]
    return Line(runs)


def _mark(body: ToolCall, ink: Ink) -> tuple[str, str]:
    match body.status:
        case "completed":
            return ink.glyphs.done, "ok"
        case "failed":
            return ink.glyphs.failed, "error"
        case "denied" | "interrupted":
            return ink.glyphs.denied, "waiting"
        case "running":
            return ink.glyphs.running, "accent"
        case "pending":
            return ink.glyphs.open, "waiting"
        case _:
            assert_never(body.status)


def _output(body: ToolCall, room: int, ink: Ink, *, folded: bool) -> tuple[list[Line], bool]:
    """With whether folding it hides any of it."""
    style, room = ink.style("dim"), max(1, room - INDENT)
    lines = [_shown(line, ink) for line in body.output.strip("\n").expandtabs(TAB).split("\n")]
    shown = _glimpse(body, lines)
    hidden = len(lines) - len(shown)
    hiding = hidden > 0 or any(cell_len(line) > room for line in shown)
    if not folded:
        return [part for line in lines for part in fold([(line, style)], room)], hiding
    found = [Line([(clipped(line, room, ink.glyphs.ellipsis), style)]) for line in shown]
    return [_more(hidden, ink), *found] if hidden and body.preview else found, hiding


def _glimpse(body: ToolCall, lines: list[str]) -> list[str]:
    """What is seen of an output while it is folded: its end tells how it went, or one line why it did not."""
    if body.preview:
        return lines[-body.preview :] if len(lines) > body.preview + 1 else lines
    # What announces the lines below it says nothing without them.
    return [_ANNOUNCED.sub("", lines[0])] if body.status in ("failed", "denied") else []


def _diff(diff: str, width: int, ink: Ink, *, folded: bool) -> tuple[list[Line], bool]:
    edge = min(width, MEASURE - INDENT)
    lines = diff_lines(diff, width, ink, edge)
    hiding = len(lines) > DIFF_ROWS + 1
    if not folded or not hiding:
        return lines, hiding
    shown = glance(diff, width, ink, DIFF_ROWS, edge)
    return [*shown, _more(len(lines) - len(shown), ink)], hiding


def _more(count: int, ink: Ink) -> Line:
    text = _shown(f"… {count} more line{'' if count == 1 else 's'}", ink)
    return Line([(text, ink.gutter(role="dim") + _CLICK)])


def _plain(text: str, width: int, ink: Ink, role: str, fill: str = "page") -> list[Line]:
    text = _shown(text.strip("\n").expandtabs(TAB), ink)
    return wrap([(text, ink.style(role, fill))], min(width, MEASURE))


def _shown(text: str, ink: Ink) -> str:
    return in_ascii(text) if ink.glyphs.ascii else text


def duration(milliseconds: int) -> str:
    seconds = milliseconds / 1_000
    if seconds < 1:
        return f"{milliseconds} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
