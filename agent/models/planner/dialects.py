"""Says the same few things about a plan in each dialect a model may be offered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol

from agent.models.loose import as_dict, as_list
from agent.models.planner.listing import Listed
from agent.models.planner.work import Ask
from agent.models.protocol import ToolSpec
from store.frozen import frozen

SPOKEN = "/todo"
"""The tool of asks that are made as a line of text."""

TOOLS = frozenset(
    (
        "todo_add", "todo_update", "todo_complete", "todo_list", "todo_get", "todo_delete", "todo_write",
        "todowrite", "todoread", "task_create", "task_update",
    )
)  # fmt: skip


Kind = Literal["start", "finish", "block", "cancel"]


@frozen
class Step:
    """A change of one todo; `reason` says why it is blocked or cancelled."""

    kind: Kind
    id: int
    reason: str = ""


@frozen
class Change:
    """One ask, and the steps it takes."""

    ask: Ask
    steps: tuple[Step, ...]


class Dialect(Protocol):
    def add(self, titles: Sequence[str], listed: Sequence[Listed]) -> tuple[Ask, ...]: ...

    def change(self, steps: Sequence[Step], listed: Sequence[Listed]) -> tuple[Change, ...]:
        """`listed` is the list as it was last shown."""
        ...

    def look(self) -> tuple[Ask, ...]: ...


def offered(tools: Sequence[ToolSpec], system: str) -> Dialect | None:
    """The dialect of these tools; lines of text where only the system prompt speaks of them."""
    specs = {tool.name: tool for tool in tools}
    if "todo_add" in specs:
        return _Standard(specs)
    if "todo_write" in specs:
        return _Skills(specs)
    if "todowrite" in specs:
        return _Whole(specs)
    if "task_create" in specs:
        return _Tasks(specs)
    return _Writ() if "/todo add" in system else None


_STATUS = {"start": "in_progress", "finish": "completed", "block": "blocked", "cancel": "cancelled"}


class _Standard:
    def __init__(self, specs: Mapping[str, ToolSpec]) -> None:
        self._specs = specs

    def add(self, titles: Sequence[str], listed: Sequence[Listed]) -> tuple[Ask, ...]:
        del listed
        return (Ask("todo_add", {"items": [{"title": title} for title in titles]}),)

    def change(self, steps: Sequence[Step], listed: Sequence[Listed]) -> tuple[Change, ...]:
        del listed
        return tuple(Change(self._ask(step), (step,)) for step in steps)

    def look(self) -> tuple[Ask, ...]:
        return (Ask("todo_list", {}),) if "todo_list" in self._specs else ()

    def _ask(self, step: Step) -> Ask:
        if step.kind == "finish" and "todo_complete" in self._specs:
            return Ask("todo_complete", {"id": step.id})
        arguments: dict[str, object] = {"id": step.id, "status": _STATUS[step.kind]}
        if step.kind == "block":
            named = _named(self._specs, "todo_update", ("blocked_reason", "reason")) or "blocked_reason"
            arguments[named] = step.reason
        return Ask("todo_update", arguments)


class _Skills:
    """Knows only how an item closes: done, or blocked for a reason."""

    def __init__(self, specs: Mapping[str, ToolSpec]) -> None:
        self._specs = specs

    def add(self, titles: Sequence[str], listed: Sequence[Listed]) -> tuple[Ask, ...]:
        del listed
        return (Ask("todo_write", {"items": list(titles)}),)

    def change(self, steps: Sequence[Step], listed: Sequence[Listed]) -> tuple[Change, ...]:
        del listed
        word = _named(self._specs, "todo_update", ("status", "state")) or "status"
        changes: list[Change] = []
        for step in steps:
            arguments: dict[str, object] = {"id": step.id}
            if step.kind == "finish":
                arguments[word] = "done"
            elif step.kind == "block":
                arguments.update({word: "blocked", "reason": step.reason})
            else:
                continue
            changes.append(Change(Ask("todo_update", arguments), (step,)))
        return tuple(changes)

    def look(self) -> tuple[Ask, ...]:
        return (Ask("todo_list", {}),) if "todo_list" in self._specs else ()


class _Whole:
    """Rewrites the whole list at each change, so it must carry along what others put there."""

    def __init__(self, specs: Mapping[str, ToolSpec]) -> None:
        self._specs = specs
        self._title = _named(specs, "todowrite", ("content", "title")) or "content"
        self._reason = _named(specs, "todowrite", ("blocked_reason", "reason")) or "reason"
        self._stuck = "blocked" if _allows(specs, "todowrite", "blocked") else "cancelled"

    def add(self, titles: Sequence[str], listed: Sequence[Listed]) -> tuple[Ask, ...]:
        fresh = [{self._title: title, "status": "pending", "priority": "medium"} for title in titles]
        return (Ask("todowrite", {"todos": [*(self._row(item) for item in listed if item.open), *fresh]}),)

    def change(self, steps: Sequence[Step], listed: Sequence[Listed]) -> tuple[Change, ...]:
        if not steps:
            return ()
        # What is finished stays so without being repeated, and a list has only so much room.
        moved = {step.id for step in steps}
        rows = {item.id: self._row(item) for item in listed if item.open or item.id in moved}
        for step in steps:
            row = rows.get(step.id, {})
            row["status"] = self._stuck if step.kind == "block" else _STATUS[step.kind]
            if step.kind == "block":
                row[self._reason] = step.reason
        return (Change(Ask("todowrite", {"todos": list(rows.values())}), tuple(steps)),)

    def look(self) -> tuple[Ask, ...]:
        return (Ask("todoread", {}),) if "todoread" in self._specs else ()

    def _row(self, item: Listed) -> dict[str, object]:
        row: dict[str, object] = {
            "id": str(item.id),
            self._title: item.title,
            "status": item.status,
            "priority": item.priority or "medium",
        }
        return {**row, self._reason: item.reason} if item.reason else row


class _Tasks:
    def __init__(self, specs: Mapping[str, ToolSpec]) -> None:
        self._specs = specs

    def add(self, titles: Sequence[str], listed: Sequence[Listed]) -> tuple[Ask, ...]:
        del listed
        return (Ask("task_create", {"items": list(titles)}),)

    def change(self, steps: Sequence[Step], listed: Sequence[Listed]) -> tuple[Change, ...]:
        del listed
        return tuple(Change(self._ask(step), (step,)) for step in steps)

    def look(self) -> tuple[Ask, ...]:
        return ()

    def _ask(self, step: Step) -> Ask:
        arguments: dict[str, object] = {"id": step.id, "status": _STATUS[step.kind]}
        reason = _named(self._specs, "task_update", ("blocked_reason", "reason"))
        if step.kind == "block" and not _allows(self._specs, "task_update", "blocked"):
            stuck = "cancelled" if _allows(self._specs, "task_update", "cancelled") else "completed"
            arguments["status"] = stuck
        elif step.kind == "block" and reason:
            arguments[reason] = step.reason
        return Ask("task_update", arguments)


class _Writ:
    def add(self, titles: Sequence[str], listed: Sequence[Listed]) -> tuple[Ask, ...]:
        del listed
        return tuple(_spoken(f"add {title}") for title in titles)

    def change(self, steps: Sequence[Step], listed: Sequence[Listed]) -> tuple[Change, ...]:
        del listed
        return tuple(Change(_spoken(line), (step,)) for step in steps for line in self._lines(step))

    def look(self) -> tuple[Ask, ...]:
        return (_spoken("list"),)

    def _lines(self, step: Step) -> Iterator[str]:
        match step.kind:
            case "start":
                yield f"start {step.id}"
            case "finish":
                yield f"done {step.id}"
            case "block":
                yield f"block {step.id}: {step.reason}"
            case "cancel":
                yield f"describe {step.id}: {step.reason}"
                yield f"cancel {step.id}"


def _spoken(command: str) -> Ask:
    return Ask(SPOKEN, {"line": f"/todo {' '.join(command.split())}"})


def _named(specs: Mapping[str, ToolSpec], tool: str, names: Sequence[str]) -> str | None:
    """Which of these the tool calls its argument, at any depth of its schema."""
    known = set(_properties(specs[tool].parameters)) if tool in specs else set[str]()
    return next((name for name in names if name in known), None)


def _properties(schema: Mapping[str, object]) -> Iterator[str]:
    for key, value in schema.items():
        if key == "properties":
            yield from as_dict(value)
        for inner in (value, *as_list(value)):
            yield from _properties(as_dict(inner))


def _allows(specs: Mapping[str, ToolSpec], tool: str, status: str) -> bool:
    """Whether its schema knows the status; one that lists none leaves it to the service."""
    written = json.dumps(specs[tool].parameters) if tool in specs else ""
    return status in written or "completed" not in written
