"""Carries out a `/todo` command on the list, for whoever gave it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from agent.todos.actors import Actor
from agent.todos.details import details
from agent.todos.drafts import Draft, Edit
from agent.todos.filters import Filter, parse_filter
from agent.todos.grammar import (
    Add,
    Command,
    Delete,
    Describe,
    List,
    Move,
    Prioritise,
    SetStatus,
    Show,
    Subject,
    Undo,
)
from agent.todos.lines import NOTHING, line, summary
from agent.todos.moves import barrier
from agent.todos.rules import OPEN, each_of, resolve
from agent.todos.selection import select
from agent.todos.service import TodoService
from agent.todos.snapshot import Snapshot
from agent.todos.transaction import Changed
from store.clock import local_time
from store.frozen import frozen
from store.records import Todo

_WORDS = {"in_progress": "in progress", "pending": "pending", "blocked": "blocked"}


@frozen
class Answer:
    """`todos` are those the command was about, in the order in which they were named."""

    text: str
    snapshot: Snapshot
    todos: tuple[Todo, ...] = ()


async def execute(service: TodoService, actor: Actor, command: Command) -> Answer:
    if isinstance(command, List):
        return await _listed(service, command)
    if isinstance(command, Show):
        return await _shown(service, command)
    if isinstance(command, Undo):
        done = await service.undo(actor)
        return Answer(_taken_back(done), done.snapshot, done.todos)
    before = await service.current()
    done, word = await _changed(service, actor, command)
    if isinstance(command, Move):
        shown = _moved(command, done, before)
    else:
        shown = "\n".join(f"{word}{line(todo)}" for todo in done.todos) or "nothing to do"
    dropped = _dropped(done.todos, before) if isinstance(command, SetStatus) else ()
    return Answer(_said("\n".join([shown, *dropped]), done), done.snapshot, done.todos)


def open_rows(todos: tuple[Todo, ...], artifacts: Mapping[int, str] = NOTHING) -> str:
    """`3 open (1 in progress, 2 pending):` and a row for each, the one being worked on marked."""
    rows = [f"{'▶' if todo.status == 'in_progress' else ' '} {line(todo, artifacts)}" for todo in todos]
    return "\n".join([f"{summary(todos)}{':' if rows else ''}", *rows])


async def _changed(
    service: TodoService,
    actor: Actor,
    command: Add | SetStatus | Describe | Subject | Prioritise | Move | Delete,
) -> tuple[Changed, str]:
    if isinstance(command, Add):
        draft = Draft(command.title, command.notes, workspace_wide=command.workspace_wide)
        return await service.add(actor, [draft]), ""
    if isinstance(command, Delete):
        return await _deleted(service, actor, command), "deleted "
    if isinstance(command, SetStatus) and command.targets == ("all",) and command.status == "completed":
        return await service.complete_all(actor), ""
    todos = (await service.current()).todos
    match command:
        case SetStatus(targets, status, reason):
            found = each_of(targets, lambda each: resolve(todos, each))
            edits = [Edit(todo.id, status=status, blocked_reason=reason) for todo in found]
            return await service.update(actor, edits), ""
        case Describe(target, text):
            return await service.update(actor, [Edit(resolve(todos, target).id, notes=text)]), "notes set: "
        case Subject(target, title):
            return await service.update(actor, [Edit(resolve(todos, target).id, title=title)]), ""
        case Prioritise(target, priority):
            edit = Edit(resolve(todos, target).id, priority=priority)
            return await service.update(actor, [edit]), f"{priority} priority: "
        case Move(target, place, other):
            beside = resolve(todos, other).id if other else 0
            return await service.move(actor, resolve(todos, target).id, place, other=beside), ""
        case _:
            assert_never(command)


def _moved(command: Move, done: Changed, before: Snapshot) -> str:
    """Where it is now: a todo only moves among those of its status."""
    place = command.place
    todo = resolve(before.todos, command.target)
    shown = line(todo)
    step = 1 if place in ("down", "bottom") else -1
    among = place in ("up", "down", "top", "bottom")
    why = barrier(todo, before.todos, step) if among else ""
    if done.change is None:
        end = f"it is the {'first' if step < 0 else 'last'} already" if among else "it is there already"
        return f"not moved, {why or end}: {shown}"
    if place in ("top", "bottom"):
        where = f"to the {place}{f' of those {_WORDS[todo.status]}, {why}' if why else ''}"
    elif command.other:
        where = f"{place} #{resolve(before.todos, command.other).id}"
    else:
        where = "out" if place == "under" else place
    return f"moved {where}: {shown}"


def _dropped(todos: Iterable[Todo], before: Snapshot) -> Iterator[str]:
    """The reasons that went with the status: another one has no place for them."""
    for todo in todos:
        old = before.by_id.get(todo.id)
        if old and old.status == "blocked" and todo.status != "blocked":
            yield f"#{todo.id} was blocked: {old.blocked_reason}"


async def _deleted(service: TodoService, actor: Actor, command: Delete) -> Changed:
    match command.targets:
        case ("all",):
            return await service.delete_all(actor)
        case ("completed",):
            return await service.delete_finished(actor)
        case targets:
            todos = (await service.current()).todos
            found = each_of(targets, lambda each: resolve(todos, each))
            return await service.delete(actor, [todo.id for todo in found])


async def _listed(service: TodoService, command: List) -> Answer:
    found = await select(service, parse_filter(command.filter, default=Filter(OPEN)))
    return Answer(open_rows(found.todos, found.artifacts), found.known, found.todos)


async def _shown(service: TodoService, command: Show) -> Answer:
    known = await service.current()
    todo = resolve(known.todos, command.target)
    rows = [f"{what}: {fact}" for what, fact in await details(service, todo)]
    return Answer("\n".join(rows), known, (todo,))


def _said(text: str, done: Changed) -> str:
    return "\n".join([text, *(f"warning: {each}" for each in done.warnings)])


def _taken_back(done: Changed) -> str:
    """Whose change it was, and when it was made."""
    entry = done.undone
    assert entry is not None
    return f"undone: {entry.summary} ({entry.actor}, {local_time(entry.time)})"
