"""`/sprint`: named groups of todos, which lists can be filtered by."""

from __future__ import annotations

from typing import Annotated, cast, get_args

from agent.commands.errors import CommandError
from agent.commands.kinds import one_of, todo_ids
from agent.commands.registry import Completion, Context, Kind, command
from agent.commands.results import Result, Table, Text
from agent.sprints import SprintService, in_sprint
from agent.todos.actors import USER
from agent.todos.grammar import targets
from agent.todos.lines import names, ratio
from agent.todos.rules import STATUSES, progress, resolve
from store.records import Sprint, SprintStatus

_STATUSES: tuple[SprintStatus, ...] = get_args(SprintStatus)


async def _sprints(context: Context, typed: str) -> list[Completion]:
    del typed
    return [
        Completion(str(each.id), f"{each.id} {each.name}", each.status)
        for each in await _service(context).list()
    ]


SPRINT = Kind("SPRINT", complete=_sprints, example="1")
STATUS = one_of("|".join(_STATUSES), *_STATUSES)
NAME = Kind("NAME", rest=True, example="the release")
TODOS = Kind("TODO…", complete=todo_ids(STATUSES), rest=True, example="3")


async def _list(context: Context) -> Result:
    found = await _service(context).list()
    if not found:
        return Text("there are no sprints; /sprint add NAME makes one")
    todos = (await context.opened.session.agenda.service.current()).todos
    rows = tuple(
        (str(each.id), each.name, each.status, ratio(progress(in_sprint(todos, each.id)))) for each in found
    )
    return Table(("number", "name", "status", "done"), rows, "/todos sprint:NAME shows the todos of one")


async def _add(context: Context, name: Annotated[str, NAME]) -> Result:
    sprint = await _service(context).create(USER, name)
    said = f"sprint {sprint.id} {sprint.name!r} is {sprint.status}"
    return Text(f"{said}; /sprint put {sprint.id} TODO fills it")


async def _put(context: Context, wanted: Annotated[str, SPRINT], todos: Annotated[str, TODOS]) -> Result:
    sprint = await _find(context, wanted)
    changed = await _service(context).assign(USER, sprint.id, await _ids(context, "put", todos))
    return Text(f"in sprint {sprint.name!r}: {names(changed.todos)}")


async def _take(context: Context, todos: Annotated[str, TODOS]) -> Result:
    changed = await _service(context).release(USER, await _ids(context, "take", todos))
    return Text(f"in no sprint: {names(changed.todos)}")


async def _status(context: Context, wanted: Annotated[str, SPRINT], status: Annotated[str, STATUS]) -> Result:
    sprint = await _find(context, wanted)
    moved = await _service(context).set_status(USER, sprint.id, cast("SprintStatus", status))
    return Text(f"sprint {moved.id} {moved.name!r} is {moved.status}")


async def _delete(context: Context, wanted: Annotated[str, SPRINT]) -> Result:
    sprint = await _find(context, wanted)
    await _service(context).delete(USER, sprint.id)
    return Text(f"sprint {sprint.id} {sprint.name!r} is gone; its todos stay")


def _service(context: Context) -> SprintService:
    shop = context.opened.workshop
    return SprintService(context.opened.store, shop.record.workspace, shop.service)


async def _find(context: Context, wanted: str) -> Sprint:
    """By its number, or by the beginning of its name."""
    plain = wanted.removeprefix("#").casefold()
    known = await _service(context).list()
    found = [each for each in known if str(each.id) == plain] or [
        each for each in known if each.name.casefold().startswith(plain)
    ]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{each.id} {each.name}" for each in found or known)
    problem = f"{len(found)} sprints begin" if found else "no sprint begins"
    hint = f"there are: {there}" if there else "/sprint add NAME makes one"
    raise CommandError(f"{problem} with {wanted!r}", hint)


async def _ids(context: Context, verb: str, words: str) -> list[int]:
    todos = (await context.opened.session.agenda.service.current()).todos
    return [resolve(todos, each).id for each in targets(verb, words)]


COMMANDS = (
    command("sprint", "List the sprints: named groups of todos, by which lists are filtered", _list),
    command("sprint add", "Make a sprint", _add),
    command("sprint put", "Put todos into a sprint, out of the one they are in", _put),
    command("sprint take", "Take todos out of their sprint", _take),
    command("sprint status", "Move a sprint on", _status),
    command("sprint delete", "Delete a sprint; its todos stay", _delete),
)
