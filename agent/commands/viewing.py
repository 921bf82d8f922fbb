"""`/todos`: the plan, filtered, with its progress, its history and its undo."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from agent.commands.kinds import FILTER
from agent.commands.registry import Context, command
from agent.commands.results import Result, Text, TodoList
from agent.todos.filters import Filter, parse_filter
from agent.todos.rules import OPEN, STATUSES
from store.records import TodoStatus


async def _todos(context: Context, wanted: Annotated[str, FILTER] = "") -> Result:
    listed = await listing(context, wanted)
    if listed.todos:
        return listed
    if not wanted:
        nothing = "nothing is open" if sum(listed.counts.values()) else "there are no todos yet"
        return Text(f"{nothing}; /todo add TITLE adds one, /todos all shows everything")
    return Text(f"no todo matches {wanted!r}; /todos all shows everything")


async def listing(context: Context, wanted: str, *, frame: str = "") -> TodoList:
    """What is open, unless the filter says otherwise."""
    service = context.opened.session.agenda.service
    known = await service.current()
    artifacts = await service.artifact_titles()
    found = parse_filter(wanted, default=Filter(OPEN)).select(known.todos, artifacts)
    counted = Counter(todo.status for todo in known.todos)
    counts: dict[TodoStatus, int] = {status: counted[status] for status in STATUSES}
    return TodoList(found, known.progress, counts, artifacts, frame)


COMMANDS = (
    command("todos", "Show the plan; filter by status, priority, @artifact and words, combined", _todos),
)
