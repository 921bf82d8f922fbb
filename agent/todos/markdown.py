"""Task lists in Markdown: the list written out, and a file brought in once, however often it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.todos.drafts import Draft, Edit
from agent.todos.rules import OPEN, nested
from agent.todos.transaction import Plan
from store.records import Todo, TodoStatus

_MARKS: dict[TodoStatus, str] = {
    "pending": " ",
    "in_progress": " ",
    "blocked": "!",
    "completed": "x",
    "cancelled": "~",
}
_STATUSES: dict[str, TodoStatus] = {"x": "completed", "X": "completed", "~": "cancelled", "!": "blocked"}
_ITEM = re.compile(r"(\s*)[-*+] \[([ xX~!])\]\s+(\S.*)")
_NOTE = re.compile(r"\s+>\s?(.*)")
_REASON = re.compile(r"(.+?) \(blocked: (.+)\)")
_UNNAMED = "no reason given"


@dataclass(slots=True)
class Item:
    """`status` is None for an empty box, which only says that the item exists; `text` is all behind it."""

    text: str
    title: str
    status: TodoStatus | None = None
    reason: str | None = None
    notes: list[str] = field(default_factory=list[str])
    below: list[Item] = field(default_factory=list["Item"])


def export(todos: Iterable[Todo]) -> str:
    """Every todo as `- [ ] title`, subtasks indented, notes quoted below; in the order of their positions."""
    lines: list[str] = []
    for level, todo in nested(sorted(todos, key=lambda each: (each.position, each.id))):
        indent = "  " * level
        lines.append(f"{indent}- [{_MARKS[todo.status]}] {_text(todo)}")
        lines += [f"{indent}  > {line}".rstrip() for line in (todo.notes or "").splitlines()]
    return "".join(f"{line}\n" for line in lines)


def parse(text: str) -> tuple[Item, ...]:
    """The boxes of a text; everything else in it is passed over."""
    top: list[Item] = []
    open_items: list[tuple[int, Item]] = []
    for line in text.expandtabs(4).splitlines():
        box, note = _ITEM.fullmatch(line), _NOTE.fullmatch(line)
        if box:
            indent, item = len(box[1]), _item(box[2], box[3].rstrip())
            while open_items and open_items[-1][0] >= indent:
                open_items.pop()
            (open_items[-1][1].below if open_items else top).append(item)
            open_items.append((indent, item))
        elif note and open_items:
            open_items[-1][1].notes.append(note[1])
    return tuple(top)


def merged(todos: Sequence[Todo], items: Iterable[Item]) -> Plan:
    """What is missing is added; a ticked, dropped or blocked box also moves the todo of that name.

    An empty box never reopens anything: a plan that is read again after the work was done changes nothing.
    """
    changes: list[Draft | Edit] = []
    _merge(list(todos), items, None, changes)
    return Plan(tuple(changes))


def _merge(left: list[Todo], items: Iterable[Item], parent: int | None, changes: list[Draft | Edit]) -> None:
    for item in items:
        todo = _same([each for each in left if each.parent_id == parent], item)
        if todo is None:
            changes.append(_draft(item, parent))
            continue
        left.remove(todo)
        if item.status and item.status != todo.status and todo.status in OPEN:
            changes.append(Edit(todo.id, status=item.status, blocked_reason=item.reason))
        _merge(left, item.below, todo.id, changes)


def _same(todos: Sequence[Todo], item: Item) -> Todo | None:
    """A title may itself end like a reason, so that what was written out is looked for first."""
    written = (todo for todo in todos if item.status == todo.status == "blocked" and _text(todo) == item.text)
    return next(written, None) or next((todo for todo in todos if todo.title == item.title), None)


def _text(todo: Todo) -> str:
    return f"{todo.title} (blocked: {todo.blocked_reason})" if todo.blocked_reason else todo.title


def _item(mark: str, text: str) -> Item:
    status = _STATUSES.get(mark)
    if status != "blocked":
        return Item(text, text, status)
    found = _REASON.fullmatch(text)
    return Item(text, found[1], status, found[2]) if found else Item(text, text, status, _UNNAMED)


def _draft(item: Item, parent: int | None = None) -> Draft:
    return Draft(
        item.title,
        notes="\n".join(item.notes) or None,
        status=item.status or "pending",
        blocked_reason=item.reason,
        parent_id=parent,
        subtasks=tuple(_draft(below) for below in item.below),
    )
