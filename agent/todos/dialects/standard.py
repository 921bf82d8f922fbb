"""The default dialect: six tools, each for one todo or for a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from agent.todos.context import TodoContext
from agent.todos.dialects.arguments import Id, Ids, Items, array, draft, edit, given, ids, reason_in
from agent.todos.dialects.making import todo_tool
from agent.todos.errors import TodoError
from agent.todos.filters import Filter
from agent.todos.lines import DETAILED, in_tree, names, ratio, tree
from agent.todos.rules import descendants, each_of, find, parse_id, parse_priority
from agent.todos.wire import detail
from agent.tools.tool import Rare


# What a tool takes is its schema, so these two have as many arguments as a todo has fields.
async def todo_add(  # noqa: PLR0913, PLR0917
    context: TodoContext,
    title: str | None = None,
    notes: str | None = None,
    status: str | None = None,
    priority: Annotated[str | None, "high, medium, low"] = None,
    parent_id: Id | None = None,
    depends_on: Ids | None = None,
    blocked_reason: str | None = None,
    blocked_on: Annotated[str | None, Rare] = None,
    check: Annotated[str | None, Rare] = None,
    artifact_id: Id | None = None,
    sprint_id: Annotated[Id | None, Rare] = None,
    scope: Annotated[Literal["session", "workspace"] | None, Rare] = None,
    completed_at: Annotated[str | None, Rare] = None,
    items: Annotated[Items | None, "objects with these fields"] = None,
) -> str:
    shared = given(
        notes=notes,
        status=status,
        priority=priority,
        parent_id=parent_id,
        depends_on=depends_on,
        blocked_reason=blocked_reason,
        blocked_on=blocked_on,
        check=check,
        artifact_id=artifact_id,
        sprint_id=sprint_id,
        scope=scope,
        completed_at=completed_at,
    )
    wanted = [title] if items is None else array("items", items)
    if title is not None and items is not None:
        raise TodoError("give either title or items")
    if wanted == [None]:
        raise TodoError("title is missing; every todo needs one")
    drafts = each_of(wanted, lambda item: draft(shared, item))
    with reason_in("blocked_reason"):
        done = await context.service.add(context.actor, drafts)
    return await context.report(f"Added {names(done.todos)}.", done.snapshot, done.warnings)


async def todo_update(  # noqa: PLR0913, PLR0917
    context: TodoContext,
    id: Id | None = None,  # noqa: A002
    status: Annotated[str | None, "pending, in_progress, blocked, completed, cancelled"] = None,
    title: str | None = None,
    notes: str | None = None,
    priority: str | None = None,
    blocked_reason: str | None = None,
    blocked_on: Annotated[str | None, Rare] = None,
    parent_id: Annotated[Id | None, Rare] = None,
    depends_on: Ids | None = None,
    check: Annotated[str | None, Rare] = None,
    artifact_id: Annotated[Id | None, Rare] = None,
    sprint_id: Annotated[Id | None, Rare] = None,
    assignee: Annotated[str | None, Rare] = None,
    completed_at: Annotated[str | None, Rare] = None,
    updates: Annotated[Items | None, "objects with these fields"] = None,
) -> str:
    own = given(
        id=id,
        status=status,
        title=title,
        notes=notes,
        priority=priority,
        blocked_reason=blocked_reason,
        blocked_on=blocked_on,
        parent_id=parent_id,
        depends_on=depends_on,
        check=check,
        artifact_id=artifact_id,
        sprint_id=sprint_id,
        assignee=assignee,
        completed_at=completed_at,
    )
    if updates is not None and own:
        raise TodoError("give either one id with its changes, or updates")
    edits = each_of([own] if updates is None else array("updates", updates), edit)
    with reason_in("blocked_reason"):
        done = await context.service.update(context.actor, edits)
    said = f"Updated {names(done.todos)}." if done.change else "Nothing changed."
    return await context.report(said, done.snapshot, done.warnings)


async def todo_complete(
    context: TodoContext,
    id: Id | None = None,  # noqa: A002
    ids: Ids | None = None,
    all: bool = False,  # noqa: A002
) -> str:
    if all and id is None and ids is None:
        done = await context.service.complete_all(context.actor)
    else:
        done = await context.service.complete(context.actor, _chosen(id, ids, other=all, word="all"))
    said = f"Completed {names(done.todos)}." if done.change else "Nothing changed."
    return await context.report(said, done.snapshot, done.warnings)


async def todo_list(
    context: TodoContext,
    status: Annotated[str | None, "or open, all"] = None,
    artifact_id: Id | None = None,
    priority: str | None = None,
) -> str:
    known = await context.service.current()
    wanted = Filter.of_status(status) if status else Filter()
    found = [
        todo
        for todo in known.todos
        if wanted.admits(todo)
        and (artifact_id is None or todo.artifact_id == parse_id(artifact_id))
        and (priority is None or todo.priority == parse_priority(priority))
    ]
    shown = tree(found, await context.service.artifact_titles()) or "No todos."
    ids = {todo.id for todo in found}
    hidden = any(todo.id not in ids for todo in known.open)
    if hidden:
        return await context.report(shown, known, told=in_tree(found))
    await context.showed(known, in_tree(found))
    return f"{shown}\nProgress {ratio(known.progress)}."


async def todo_get(context: TodoContext, id: Id) -> str:  # noqa: A002
    known = await context.service.current()
    todo = find(known.by_id, parse_id(id))
    below = {todo.id, *descendants(known.by_id, [todo.id])}
    family = [each for each in known.todos if each.id in below and each is not todo]
    parts = [detail(todo, await context.service.artifact_titles())]
    if family:
        parts.append(f"Subtasks:\n{tree(family)}")
    told = {**in_tree(family), todo.id: DETAILED}
    return await context.report("\n".join(parts), known, told=told)


async def todo_delete(
    context: TodoContext,
    id: Id | None = None,  # noqa: A002
    ids: Ids | None = None,
    scope: Literal["completed", "all"] | None = None,
) -> str:
    if scope and id is None and ids is None:
        clear = context.service.delete_all if scope == "all" else context.service.delete_finished
        done = await clear(context.actor)
    else:
        done = await context.service.delete(
            context.actor, _chosen(id, ids, other=scope is not None, word="scope")
        )
    said = f"Deleted {names(done.todos)}." if done.todos else "Nothing to delete."
    return await context.report(said, done.snapshot, done.warnings)


def _chosen(one: Id | None, many: Ids | None, *, other: bool, word: str) -> list[int]:
    if (one is not None) + (many is not None) + other != 1:
        raise TodoError(f"give one of id, ids and {word}")
    return [parse_id(one)] if one is not None else ids(many)


def _title_of_add(arguments: Mapping[str, Any]) -> str:
    return arguments["title"] or "several"


def _title_of_ids(arguments: Mapping[str, Any]) -> str:
    return str(arguments["id"] or arguments["ids"] or arguments.get("scope") or "all")


def _title_of_update(arguments: Mapping[str, Any]) -> str:
    return f"{arguments['id']} {arguments['status'] or ''}".strip() if arguments["id"] else "several"


def _title_of_list(arguments: Mapping[str, Any]) -> str:
    return " ".join(str(value) for value in arguments.values() if value) or "all"


def _title_of_get(arguments: Mapping[str, Any]) -> str:
    return str(arguments["id"])


_GUIDE = "standard_guide"
TOOLS = (
    todo_tool("standard", todo_add, _title_of_add, guide=_GUIDE),
    todo_tool("standard", todo_update, _title_of_update, guide=_GUIDE),
    todo_tool("standard", todo_complete, _title_of_ids),
    todo_tool("standard", todo_list, _title_of_list, safe=True),
    todo_tool("standard", todo_get, _title_of_get, safe=True),
    todo_tool("standard", todo_delete, _title_of_ids),
)
