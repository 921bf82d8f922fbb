"""`/todos`: the plan, filtered, with its progress, its history and its undo."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from agent.commands.kinds import FILTER
from agent.commands.registry import Context, Kind, command
from agent.commands.results import Result, Table, Text, TodoList
from agent.todos.actors import USER
from agent.todos.commands import execute
from agent.todos.filters import Filter, parse_filter
from agent.todos.grammar import Undo
from agent.todos.rules import OPEN, STATUSES
from agent.todos.selection import select
from agent.todos.service import TodoService
from store.clock import local_time
from store.records import TodoStatus

_LOG = 20
_MOST = 1000


async def todos(context: Context, wanted: Annotated[str, FILTER] = "") -> Result:
    return await listed(context.opened.session.agenda.service, wanted)


async def listed(service: TodoService, wanted: str) -> Result:
    found = await _listing(service, wanted)
    if found.todos:
        return found
    if not wanted:
        return Text("there are no todos yet; /todo add TITLE adds one")
    return Text(f"no todo matches {wanted!r}; /todos shows all of them")


async def _listing(service: TodoService, wanted: str) -> TodoList:
    """Everything without a filter; what is open with one that names no status."""
    default = Filter(OPEN) if wanted.strip() else None
    found = await select(service, parse_filter(wanted, default=default))
    counted = Counter(todo.status for todo in found.known.todos)
    counts: dict[TodoStatus, int] = {status: counted[status] for status in STATUSES}
    return TodoList(found.todos, found.known.progress, counts, found.artifacts)


def _count(word: str) -> int:
    if not 1 <= int(word) <= _MOST:
        raise ValueError(word)
    return int(word)


async def _log(context: Context, count: Annotated[int, Kind("COUNT", _count)] = _LOG) -> Result:
    return await history(context.opened.session.agenda.service, count)


async def history(service: TodoService, count: int = _LOG) -> Result:
    entries = await service.history(count)
    if not entries:
        return Text("nothing has changed yet; /todo add TITLE makes a start")
    rows = tuple(
        (local_time(each.time), each.actor, f"{each.summary}{' (undone)' if each.undone else ''}")
        for each in entries
    )
    return Table(("when", "who", "what"), rows, "/todos undo takes the newest change back")


async def take_back(context: Context) -> Result:
    session = context.opened.session
    answer = await execute(session.agenda.service, USER, Undo())
    session.stir()
    return Text(answer.text)


COMMANDS = (
    command("todos", "Show the plan; filter by status, priority, @artifact, sprint:NAME and words", todos),
    command("todos log", "Show who changed what on the plan, and when", _log),
    command("todos undo", "Take the newest change of the plan back", take_back),
)
