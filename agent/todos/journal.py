"""How a change is written into the log, and read back for history, undo and the wake decision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from store.frozen import frozen
from store.records import Change, Spent, Todo, TodoStatus

# The kind of a change that took another one back.
UNDONE = "todo.undone"
# The kind of a change that takes the list back to an earlier moment.
REWOUND = "todo.rewound"
# Kinds of changes that nobody asked for.
_HOUSEKEEPING = ("todo.archived", "todo.unlinked")
_FIELDS = tuple(field.name for field in fields(Todo) if field.name != "spent")


@frozen
class Entry:
    """One line of the history. `undone` says that a later change took it back."""

    seq: int
    kind: str
    actor: str
    time: int
    ids: tuple[int, ...]
    summary: str
    undone: bool


@frozen
class Step:
    """One todo moved from one status to another; None stands for not being there."""

    seq: int
    todo_id: int
    before: TodoStatus | None
    after: TodoStatus | None
    actor: str


def write(todos: Iterable[Todo]) -> str | None:
    rows = [_row(todo) for todo in todos]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")) if rows else None


def read(text: str | None) -> dict[int, Todo]:
    rows: list[dict[str, Any]] = json.loads(text) if text else []
    return {todo.id: todo for todo in map(_todo, rows)}


def join_ids(ids: Iterable[int]) -> str:
    return ",".join(map(str, ids))


def split_ids(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split(",") if each)


def entry(change: Change, undone: frozenset[int], *, back: bool = False) -> Entry:
    """With `back` it is told as what taking it back leads to."""
    ids = split_ids(change.entity_id)
    return Entry(
        change.seq,
        change.kind,
        change.actor,
        change.created_at,
        ids,
        _summary(read(change.before), read(change.after), change.undoes, back=back),
        change.seq in undone,
    )


def entry_of(change: Change, undone: frozenset[int], todo_id: int) -> Entry:
    """The same for one todo alone, without saying which."""
    before, after = read(change.before).get(todo_id), read(change.after).get(todo_id)
    undo = change.undoes is not None
    summary = f"undo: {_happened(after, before, back=True)}" if undo else _happened(before, after)
    return Entry(
        change.seq, change.kind, change.actor, change.created_at, (todo_id,), summary, change.seq in undone
    )


def steps(change: Change) -> tuple[Step, ...]:
    before, after = read(change.before), read(change.after)
    return tuple(
        Step(change.seq, each, _status(before, each), _status(after, each), change.actor)
        for each in dict.fromkeys((*before, *after))
        if _status(before, each) != _status(after, each)
    )


def earliest(found: Iterable[Change]) -> dict[int, Todo | None]:
    """How the todos were before these changes, the oldest first; None was not there."""
    before: dict[int, Todo | None] = {}
    for change in found:
        if change.kind in _HOUSEKEEPING:
            continue
        old = read(change.before)
        for each in dict.fromkeys((*old, *read(change.after))):
            before.setdefault(each, old.get(each))
    return before


def touched(before: Mapping[int, Todo], after: Mapping[int, Todo]) -> dict[int, frozenset[str]]:
    """Which fields of which todos a change wrote; all of them where one came or went."""
    return {
        each: frozenset(
            _different(before[each], after[each]) if each in before and each in after else _FIELDS
        )
        for each in dict.fromkeys((*before, *after))
    }


def _status(todos: dict[int, Todo], todo_id: int) -> TodoStatus | None:
    return todos[todo_id].status if todo_id in todos else None


def _summary(before: dict[int, Todo], after: dict[int, Todo], undoes: int | None, *, back: bool) -> str:
    """Of an undo, what was undone: taking back an adding is no removal to whoever did it."""
    if undoes:
        before, after = after, before
    back = back or bool(undoes)
    ids = dict.fromkeys((*before, *after))
    parts = [_difference(before.get(each), after.get(each), back=back) for each in ids]
    more = f" … and {len(parts) - 3} more" if len(parts) > 3 else ""
    prefix = "undo: " if undoes else ""
    return prefix + "; ".join(parts[:3]) + more


def _difference(before: Todo | None, after: Todo | None, *, back: bool) -> str:
    if after is None:
        return f"removed #{before.id} {before.title}" if before else ""
    if before is None:
        return f"added #{after.id} {after.title}"
    if before.status != after.status:
        return f"#{after.id} {after.title}: {_step(before, after, back=back)}"
    return f"#{after.id} {after.title}: {', '.join(_different(before, after))}"


def _happened(before: Todo | None, after: Todo | None, *, back: bool = False) -> str:
    if before is None or after is None:
        return "added" if after else "removed"
    if before.status != after.status:
        return _step(before, after, back=back)
    if before.title != after.title:
        return f"title was: {before.title}"
    return f"changed {', '.join(_different(before, after))}"


def _step(before: Todo, after: Todo, *, back: bool) -> str:
    """Of one taken back, where it is now comes first: an arrow would point the wrong way."""
    old, new = _standing(before), _standing(after)
    return f"{old} again, was {new}" if back else f"{old} → {new}"


def _standing(todo: Todo) -> str:
    """The status, and the reason of a block: another status has no place for it."""
    return f"{todo.status} ({todo.blocked_reason})" if todo.blocked_reason else todo.status


def _different(before: Todo, after: Todo) -> list[str]:
    return [
        name for name in _FIELDS if name != "updated_at" and getattr(before, name) != getattr(after, name)
    ]


def _row(todo: Todo) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(todo, name) for name in _FIELDS}
    spent = todo.spent
    return row | {"spent": (spent.milliseconds, spent.tokens, spent.cost, spent.calls)}


def _todo(row: dict[str, Any]) -> Todo:
    row["depends_on"] = tuple(row["depends_on"])
    row["spent"] = Spent(*row["spent"])
    return Todo(**row)
