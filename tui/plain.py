"""Prints a run without a screen: for people as it happens, for pipes only the answer, for scripts as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TextIO

from agent.events import (
    ContextCompacted,
    ContextPruned,
    Event,
    Failed,
    Notice,
    RetryWaiting,
    TextDelta,
    TodoUpdated,
    ToolFinished,
    ToolStarted,
    WakeStarted,
    to_json,
)
from agent.todos.lines import NOTHING, remarks
from store.records import Todo
from tui.escapes import EscapeFilter, in_ascii, safe
from tui.oneline import one_line

if TYPE_CHECKING:
    from agent.rounds import Outcome

MARKS = {"pending": " ", "in_progress": "▶", "blocked": "■", "completed": "✓", "cancelled": "–"}
PLAIN_MARKS = {"pending": " ", "in_progress": ">", "blocked": "!", "completed": "+", "cancelled": "-"}
TOOL_MARKS = {"completed": "✓", "failed": "✗", "denied": "✗", "interrupted": "–"}
PLAIN_TOOL_MARKS = {"completed": "ok", "failed": "failed", "denied": "denied", "interrupted": "stopped"}


class Printer(Protocol):
    def show(self, event: Event) -> None: ...
    def end(self, outcome: Outcome, why: str) -> None:
        """`why` is what kept the run from ending well, if anything did."""
        ...


class JsonLines:
    """The event stream itself, one object a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, event: Event) -> None:
        self._out.write(to_json(event) + "\n")
        self._out.flush()

    def end(self, outcome: Outcome, why: str) -> None:
        del outcome, why


def _warn(event: Event, errors: TextIO) -> None:
    if isinstance(event, Notice) and event.level != "info":
        errors.write(f"wakeful: note: {safe(event.text)}\n")


class Silent:
    """For a report that is printed by someone else at the end. Warnings go to `errors`."""

    def __init__(self, errors: TextIO) -> None:
        self._errors = errors

    def show(self, event: Event) -> None:
        _warn(event, self._errors)

    def end(self, outcome: Outcome, why: str) -> None:
        del outcome, why


def in_a_shell(text: str) -> str:
    """Slash commands as what does the same on a command line."""
    return text.replace("see /model", "choose another with -m, or `wakeful config set model.default MODEL`")


class Answer:
    """For pipes: the answer alone, byte for byte as the model wrote it, and errors beside it."""

    def __init__(self, out: TextIO, errors: TextIO) -> None:
        self._out = out
        self._errors = errors

    def show(self, event: Event) -> None:
        # Up to a minute may pass, and a silent one looks like a hang.
        if isinstance(event, RetryWaiting):
            self._errors.write(
                f"wakeful: note: trying again in {event.seconds:.0f} s: {safe(event.reason)}\n"
            )
        _warn(event, self._errors)

    def end(self, outcome: Outcome, why: str) -> None:
        if outcome.text:
            encoding = self._out.encoding or "utf-8"
            self._out.write(outcome.text.rstrip().encode(encoding, "replace").decode(encoding) + "\n")
        if why:
            self._errors.write(f"wakeful: {safe(why)}\n")


class Live:
    """For a terminal: text as it streams, a line a tool call, the plan whenever it moved."""

    def __init__(self, out: TextIO, *, unicode: bool) -> None:
        self._out = out
        self._marks = MARKS if unicode else PLAIN_MARKS
        self._tool_marks = TOOL_MARKS if unicode else PLAIN_TOOL_MARKS
        self._unicode = unicode
        self._filter = EscapeFilter()
        self._at_line_start = True
        self._titles: dict[int, str] = {}
        self._plan: dict[int, str] = {}

    def show(self, event: Event) -> None:
        match event:
            case TextDelta():
                self._write(self._filter.feed(event.text))
            case ToolStarted():
                self._titles[event.part_id] = event.title
            case ToolFinished():
                self._line(self._finished(event))
            case TodoUpdated():
                self._show_plan(event)
            case _:
                self._remark(event)

    def _remark(self, event: Event) -> None:
        match event:
            case WakeStarted():
                self._line(f"(woken {event.wake}/{event.max_wakes})")
            case RetryWaiting():
                self._line(f"(trying again in {event.seconds:.0f} s: {event.reason})")
            case ContextPruned():
                self._line(f"({pruned_line(event)})")
            case ContextCompacted(automatic=True):
                self._line(f"({compacted_line(event)})")
            case Notice():
                self._line(f"({event.text})")
            case Failed():
                self._line(in_a_shell(f"error: {event.message}{'; ' if event.hint else ''}{event.hint}"))
            case _:
                pass

    def end(self, outcome: Outcome, why: str) -> None:
        if not self._at_line_start:
            self._write("\n")
        self._line(f"({outcome.state}: {why or outcome.reason})")

    def _finished(self, event: ToolFinished) -> str:
        mark = self._tool_marks.get(event.status, "?")
        title = event.title or self._titles.pop(event.part_id, event.name)
        lines = [f"{mark} {event.name}  {one_line(title)}  {duration(event.duration_ms)}"]
        if event.status in ("failed", "denied"):
            lines.append(f"    {one_line(event.output)}")
        return "\n".join(lines)

    def _show_plan(self, event: TodoUpdated) -> None:
        changed = [todo for todo in event.todos if self._plan.get(todo.id) != todo.status]
        self._plan = {todo.id: todo.status for todo in event.todos}
        lines = [f"  {todo_line(todo, self._marks)}" for todo in changed]
        if lines:
            lines[0] = f"plan {event.progress.completed}/{event.progress.total}\n{lines[0]}"
            self._line("\n".join(lines))

    def _line(self, text: str) -> None:
        self._write(("" if self._at_line_start else "\n") + safe(text) + "\n")

    def _write(self, text: str) -> None:
        if text:
            self._out.write(text if self._unicode else in_ascii(text))
            self._out.flush()
            self._at_line_start = text.endswith("\n")


def todo_line(todo: Todo, marks: Mapping[str, str] = MARKS, artifacts: Mapping[int, str] = NOTHING) -> str:
    """`▶ #14 title (blocked: reason)`, on one line whatever the title holds."""
    return f"{marks[todo.status]} #{todo.id} {one_line(todo.title)}{todo_remarks(todo, artifacts)}"


def todo_remarks(todo: Todo, artifacts: Mapping[int, str] = NOTHING) -> str:
    """What stands behind the title, with the space between."""
    priority = "" if todo.priority == "medium" else f"({todo.priority}) "
    reason = one_line(todo.blocked_reason) if todo.blocked_reason else None
    linked = {key: one_line(title) for key, title in artifacts.items() if key == todo.artifact_id}
    said = f"{priority}{remarks(replace(todo, blocked_reason=reason), linked)}".split()
    return f" {' '.join(said)}" if said else ""


def pruned_line(event: ContextPruned) -> str:
    what = "1 tool output" if event.parts == 1 else f"{event.parts:,} tool outputs"
    return f"{what} left out of the prompt, {event.tokens:,} tokens; all of it stays in the session"


def compacted_line(event: ContextCompacted) -> str:
    if event.undone:
        return f"the summary no longer counts: {event.before:,} to {event.after:,} tokens"
    made = " without a model" if event.local else ""
    return f"context compacted{made}: {event.before:,} to {event.after:,} tokens; /compact undo takes it back"


def duration(milliseconds: int) -> str:
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"
