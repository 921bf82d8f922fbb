"""The dialect of a list that lives for one run: create tasks, move one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from agent.todos.context import TodoContext
from agent.todos.dialects.arguments import Id, titles
from agent.todos.dialects.making import todo_tool
from agent.todos.drafts import Edit
from agent.todos.errors import TodoError
from agent.todos.lines import names
from agent.todos.rules import OPEN, find, parse_id, parse_status
from agent.todos.snapshot import Snapshot
from agent.todos.transaction import Plan

_STATUSES = ("pending", "in_progress", "completed", "cancelled")


async def task_create(
    context: TodoContext,
    items: Annotated[list[str] | str, "up to 25 steps"],
    replace: Annotated[bool, "cancel the open tasks first"] = False,
) -> str:
    drafts = titles(items)

    def decide(known: Snapshot) -> Plan:
        old = [todo for todo in known.todos if todo.run_id == context.run_id and todo.status in OPEN]
        # Behind the drafts, so that an error counts the items as they were sent.
        dropped = [Edit(todo.id, status="cancelled") for todo in old] if replace else []
        return Plan((*drafts, *dropped))

    done = await context.service.change(context.actor, decide, kind="todo.added", run_id=context.run_id)
    added = [todo for todo in done.todos if todo.status != "cancelled"]
    return await context.report(f"Added {names(added)}.", _of_run(context, done.snapshot), done.warnings)


async def task_update(
    context: TodoContext,
    id: Id,  # noqa: A002
    status: Annotated[str, "pending, in_progress, completed, cancelled"],
) -> str:
    todo = find(_of_run(context, await context.service.current()).by_id, parse_id(id))
    wanted = parse_status(status, _STATUSES)
    if wanted == "blocked":
        raise TodoError(f"no status {status!r}; there are {', '.join(_STATUSES)}")
    done = await context.service.update(context.actor, [Edit(todo.id, status=wanted)])
    said = f"Updated {names(done.todos)}." if done.change else "Nothing changed."
    return await context.report(said, _of_run(context, done.snapshot), done.warnings)


def _of_run(context: TodoContext, known: Snapshot) -> Snapshot:
    """The tasks of this run, and what the user put beside them: that has to be closed as well."""
    mine = [todo for todo in known.todos if todo.run_id in (None, context.run_id)]
    return Snapshot().changed(mine, (), known.revision)


def _title_of_create(arguments: Mapping[str, Any]) -> str:
    items = arguments["items"]
    return items if isinstance(items, str) else "; ".join(items) or "nothing"


def _title_of_update(arguments: Mapping[str, Any]) -> str:
    return f"{arguments['id']} {arguments['status']}"


TOOLS = (
    todo_tool("tasks", task_create, _title_of_create),
    todo_tool("tasks", task_update, _title_of_update),
)
