"""Fits a list that was written anew onto the one that exists, so that ids and history survive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.todos.actors import USER
from agent.todos.drafts import GAP, Draft, Edit
from agent.todos.errors import TodoError
from agent.todos.rules import OPEN, parse_id
from agent.todos.transaction import Plan
from store.frozen import frozen
from store.records import Priority, Todo, TodoStatus


@frozen
class Wanted:
    """One item of the new list; None is left as it is on an item that exists."""

    title: str
    id: str = ""
    status: TodoStatus | None = None
    priority: Priority | None = None
    reason: str | None = None


def reconcile(
    todos: Sequence[Todo],
    wanted: Sequence[Wanted],
    *,
    session_id: str | None,
    unseen: Mapping[int, frozenset[str]],
) -> Plan:
    """`unseen` names the fields that others changed behind the writer's back: those stay as they are.

    Own items that are left out become cancelled, unless they are finished, someone else touched them or
    the user added them: those the writer may only cancel by saying so.
    """
    left = {todo.id: todo for todo in todos}
    items: list[Draft | Edit] = []
    for each in wanted:
        todo = _match(left, each, session_id)
        if todo is None:
            items.append(_draft(each))
        else:
            del left[todo.id]
            items.append(_edit(todo, each, unseen.get(todo.id, frozenset())))
    dropped = [
        Edit(todo.id, status="cancelled")
        for todo in left.values()
        if todo.session_id == session_id
        and todo.status in OPEN
        and todo.created_by != USER.name
        and todo.id not in unseen
    ]
    return Plan((*_in_order(todos, items), *dropped))


def _match(left: Mapping[int, Todo], wanted: Wanted, session_id: str | None) -> Todo | None:
    """By id, then by title among the own items, the open ones first."""
    try:
        known = left.get(parse_id(wanted.id)) if wanted.id else None
    except TodoError:
        known = None
    if known:
        return known
    title = wanted.title.strip().casefold()
    same = [
        todo for todo in left.values() if todo.session_id == session_id and todo.title.casefold() == title
    ]
    return min(same, key=lambda todo: (todo.status not in OPEN, todo.id), default=None)


def _draft(wanted: Wanted) -> Draft:
    return Draft(
        wanted.title,
        status=wanted.status or "pending",
        priority=wanted.priority or "medium",
        blocked_reason=wanted.reason,
    )


def _edit(todo: Todo, wanted: Wanted, unseen: frozenset[str]) -> Edit:
    edit = Edit(
        todo.id,
        title=wanted.title,
        status=wanted.status,
        priority=wanted.priority,
        blocked_reason=wanted.reason,
    )
    if "title" in unseen:
        edit = replace(edit, title=None)
    # Who sends back what stands there claims nothing of what someone is working on.
    echoed = todo.assignee is not None and wanted.status == todo.status
    if "status" in unseen or echoed:
        edit = replace(edit, status=None, blocked_reason=None)
    if "priority" in unseen:
        edit = replace(edit, priority=None)
    return edit


def _in_order(todos: Sequence[Todo], items: Sequence[Draft | Edit]) -> list[Draft | Edit]:
    """Positions are dealt anew only when the order that was sent is not the one that would come about."""
    positions = {todo.id: todo.position for todo in todos}
    places = [positions[item.id] if isinstance(item, Edit) else None for item in items]
    old = [place for place in places if place is not None]
    if old == sorted(old) and None not in places[: len(old)]:
        return list(items)
    return [replace(item, position=GAP * number) for number, item in enumerate(items, 1)]
