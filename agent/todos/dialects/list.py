"""The dialect of one whole list: written in one piece, read in one piece, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, cast

from agent.todos.context import TodoContext
from agent.todos.dialects.arguments import Items, array, reason_in
from agent.todos.dialects.making import todo_tool
from agent.todos.drafts import Edit
from agent.todos.errors import StaleRevisionError, TodoError
from agent.todos.lines import LISTED, name, ratio
from agent.todos.reconcile import Wanted, reconcile
from agent.todos.rules import OPEN, TERMINAL, check_title, each_of, parse_priority, parse_status
from agent.todos.snapshot import Snapshot
from agent.tools.tool import Output
from store.records import Todo

# Finished items beyond these are left out of the answer, which has to stay readable.
_FINISHED_SHOWN = 25


async def todowrite(
    context: TodoContext,
    todos: Annotated[Items, "all items: {content, status, priority, id?}; up to 25"],
) -> Output:
    # An empty list is a list too: everything in it was dropped.
    wanted = [] if todos in ([], "[]") else each_of(array("todos", todos), _wanted)
    while True:
        try:
            return await _rewrite(context, wanted)
        except StaleRevisionError:
            # Someone changed the list meanwhile; what they did must stay, so look again.
            continue


async def todoread(context: TodoContext) -> Output:
    known = await context.service.current()
    await context.showed(known, _told(known))
    return _output(known)


async def _rewrite(context: TodoContext, wanted: Sequence[Wanted]) -> Output:
    service, actor = context.service, context.actor
    known = await service.current()
    unseen = await service.sightings.unseen(actor)
    plan = reconcile(known.todos, wanted, session_id=service.session_id, unseen=unseen)
    with reason_in("reason"):
        done = await service.change(actor, plan, revision=known.revision)
    await context.showed(done.snapshot, _told(done.snapshot))
    left_out = [item for item in plan.items[len(wanted) :] if isinstance(item, Edit)]
    cancelled = [name(known.by_id[item.id]) for item in left_out]
    return _output(done.snapshot, cancelled=cancelled, warnings=done.warnings)


def _wanted(item: object) -> Wanted:
    if isinstance(item, str):
        return Wanted(_content(item))
    if not isinstance(item, dict):
        raise TodoError(f"{item!r} is no object with content, status and priority")
    fields = cast("dict[str, object]", item)
    unknown = fields.keys() - {"id", "content", "title", "status", "priority", "reason", "blocked_reason"}
    if unknown:
        raise TodoError(
            f"there is no field {min(unknown)!r}; there are id, content, status, priority, reason"
        )
    status, priority = fields.get("status"), fields.get("priority")
    reason = fields.get("reason") or fields.get("blocked_reason")
    return Wanted(
        title=_content(str(fields.get("content") or fields.get("title") or "")),
        id=str(fields.get("id") or ""),
        status=parse_status(str(status)) if status is not None else None,
        priority=parse_priority(str(priority)) if priority is not None else None,
        reason=str(reason) if reason else None,
    )


def _content(text: str) -> str:
    return check_title(text, "content", "shorten it")


def _output(known: Snapshot, *, cancelled: Iterable[str] = (), warnings: Iterable[str] = ()) -> Output:
    unfinished = known.open
    rows = [_row(todo) for todo in _shown(known)]
    answer: dict[str, Any] = {"todos": rows, "progress": ratio(known.progress)}
    answer["open"] = [name(todo) for todo in unfinished]
    extra = {"cancelled": list(cancelled), "warnings": list(warnings)}
    answer |= {key: value for key, value in extra.items() if value}
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    return Output(text, title=f"{len(unfinished)} todos", metadata={"todos": rows})


def _shown(known: Snapshot) -> tuple[Todo, ...]:
    finished = [todo for todo in known.todos if todo.status in TERMINAL]
    return *known.open, *finished[:_FINISHED_SHOWN]


def _told(known: Snapshot) -> dict[int, frozenset[str]]:
    """A row is all that this dialect knows of a todo but for its notes."""
    return dict.fromkeys((todo.id for todo in _shown(known)), LISTED)


def _row(todo: Todo) -> dict[str, str]:
    row = {"id": str(todo.id), "content": todo.title, "status": todo.status, "priority": todo.priority}
    if todo.status in OPEN and todo.blocked_reason:
        row["reason"] = todo.blocked_reason
    return row


def _title_of_write(arguments: Mapping[str, Any]) -> str:
    items = arguments["todos"]
    return "the list" if isinstance(items, str) else f"{len(items)} items"


def _title_of_read(arguments: Mapping[str, Any]) -> str:
    del arguments
    return "the list"


TOOLS = (
    todo_tool("list", todowrite, _title_of_write),
    todo_tool("list", todoread, _title_of_read, safe=True),
)
