"""The dialect of three skills: write items, list them, close one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from agent.todos.context import TodoContext
from agent.todos.dialects.arguments import Id, reason_in, titles
from agent.todos.dialects.making import todo_tool
from agent.todos.drafts import Edit
from agent.todos.lines import in_tree, names, ratio, tree
from agent.todos.rules import parse_id, parse_status

# The words of this dialect; the others are understood too.
_STATUSES = ("done", "blocked")


async def todo_write(context: TodoContext, items: Annotated[list[str] | str, "up to 25 titles"]) -> str:
    done = await context.service.add(context.actor, titles(items))
    return await context.report(f"Added {names(done.todos)}.", done.snapshot, done.warnings)


async def todo_list(context: TodoContext) -> str:
    known = await context.service.current()
    shown = tree(known.todos, await context.service.artifact_titles()) or "No todos."
    await context.showed(known, in_tree(known.todos))
    return f"{shown}\nProgress {ratio(known.progress)}."


async def todo_update(
    context: TodoContext,
    id: Id,  # noqa: A002
    status: Annotated[str, '"done" or "blocked"'],
    reason: Annotated[str | None, "needed with blocked"] = None,
) -> str:
    edit = Edit(parse_id(id), status=parse_status(status, _STATUSES), blocked_reason=reason)
    with reason_in("reason"):
        done = await context.service.update(context.actor, [edit])
    said = f"Updated {names(done.todos)}." if done.change else "Nothing changed."
    return await context.report(said, done.snapshot, done.warnings)


def _title_of_write(arguments: Mapping[str, Any]) -> str:
    items = arguments["items"]
    return items if isinstance(items, str) else "; ".join(items) or "nothing"


def _title_of_list(arguments: Mapping[str, Any]) -> str:
    del arguments
    return "all"


def _title_of_update(arguments: Mapping[str, Any]) -> str:
    return f"{arguments['id']} {arguments['status']}"


TOOLS = (
    todo_tool("skills", todo_write, _title_of_write),
    todo_tool("skills", todo_list, _title_of_list, safe=True),
    todo_tool("skills", todo_update, _title_of_update),
)
