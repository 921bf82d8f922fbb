"""All there is to know about one todo, a line for each fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.todos.lines import names
from agent.todos.service import TodoService
from store.clock import local_time
from store.records import Todo

Facts = tuple[tuple[str, str], ...]


async def details(service: TodoService, todo: Todo) -> Facts:
    """What each is called, and what it is; its history comes last."""
    todos = (await service.current()).todos
    rows = [("todo", f"#{todo.id} {todo.title}"), *_facts(todo, todos)]
    titles, sprints = await service.artifact_titles(), await service.sprint_names()
    rows += [("artifact", titles[each]) for each in (todo.artifact_id,) if each in titles]
    rows += [("sprint", sprints[each]) for each in (todo.sprint_id,) if each in sprints]
    rows += [
        (local_time(each.time), f"{each.actor}: {each.summary}{' (undone)' if each.undone else ''}")
        for each in await service.history_of(todo.id)
    ]
    return tuple(rows)


def _facts(todo: Todo, todos: Sequence[Todo]) -> Iterator[tuple[str, str]]:
    reason = f": {todo.blocked_reason}" if todo.blocked_reason else ""
    yield "status", f"{todo.status.replace('_', ' ')}{reason}"
    if todo.priority != "medium":
        yield "priority", todo.priority
    if todo.session_id is None:
        yield "scope", "workspace"
    if todo.notes:
        yield "notes", todo.notes
    if todo.check:
        yield "check", todo.check
    if todo.assignee:
        yield "assigned", todo.assignee
    near = {
        "after": [each for each in todos if each.id in todo.depends_on],
        "part of": [each for each in todos if each.id == todo.parent_id],
        "subtasks": [each for each in todos if each.parent_id == todo.id],
    }
    yield from ((what, names(found)) for what, found in near.items() if found)
    spent = todo.spent
    if spent.tokens or spent.calls:
        # Nobody here knows whether the model is free or its price unknown.
        money = f"${spent.cost:.4f}, " if spent.cost else ""
        yield "spent", f"{spent.tokens:,} tokens, {money}{spent.calls} calls"
