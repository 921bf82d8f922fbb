"""The JSON of a session: everything needed to make it again elsewhere, under the names of the records."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import astuple, replace
from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Literal

from agent.archive.records import Archive, ArchiveError, Document, Head, Moment
from agent.todos.errors import TodoError
from agent.todos.rules import check_dependencies, check_title
from store.frozen import frozen
from store.records import Message, Sprint, Todo

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_LONGEST_TITLE = 200


@frozen
class _File:
    format: Literal["wakeful.session"]
    version: Literal[1]
    session: Head
    messages: tuple[Message, ...]
    todos: tuple[Todo, ...]
    artifacts: tuple[Document, ...]
    sprints: tuple[Sprint, ...]
    timeline: tuple[Moment, ...]


def to_json(archive: Archive) -> str:
    planned = {todo.id for todo in archive.todos}
    known = planned | {todo.id for each in archive.timeline for todo in (*each.before, *each.after)}
    file = _File(
        "wakeful.session",
        1,
        archive.session,
        archive.messages,
        tuple(_self_contained(todo, archive, planned) for todo in archive.todos),
        archive.artifacts,
        archive.sprints,
        tuple(
            replace(
                each,
                before=tuple(_self_contained(todo, archive, known) for todo in each.before),
                after=tuple(_self_contained(todo, archive, known) for todo in each.after),
            )
            for each in archive.timeline
        ),
    )
    return _adapter().dump_json(file, indent=2).decode() + "\n"


def from_json(text: str | bytes, name: str) -> Archive:
    """Nothing of it is believed: a file may come from anybody."""
    # pydantic costs 60 ms, and few import.
    from pydantic import ValidationError

    try:
        file = _adapter().validate_json(text)
        archive = Archive(
            file.session, file.messages, file.todos, file.artifacts, file.sprints, file.timeline
        )
        _check(archive)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise _refused(name, f"{where}: {first['msg']}" if where else str(first["msg"])) from error
    except (TodoError, ArchiveError) as error:
        raise _refused(name, str(error)) from error
    return archive


def _refused(name: str, why: str) -> ArchiveError:
    return ArchiveError(f"{name} is no session that can be imported ({why}); export it again as json")


def _self_contained(todo: Todo, archive: Archive, known: Collection[int]) -> Todo:
    """Without links to what stays behind."""
    written = {document.artifact.id for document in archive.artifacts}
    spoken = {message.id for message in archive.messages}
    sprints = {sprint.id for sprint in archive.sprints}
    return replace(
        todo,
        parent_id=todo.parent_id if todo.parent_id in known else None,
        depends_on=tuple(each for each in todo.depends_on if each in known),
        artifact_id=todo.artifact_id if todo.artifact_id in written else None,
        sprint_id=todo.sprint_id if todo.sprint_id in sprints else None,
        run_id=todo.run_id if todo.run_id in spoken else None,
    )


def _check(archive: Archive) -> None:
    """What the records cannot say by their types, and the database would find too late or never."""
    for what, found in (
        ("message", [message.id for message in archive.messages]),
        ("part", [part.id for message in archive.messages for part in message.parts]),
        ("todo", [todo.id for todo in archive.todos]),
        ("artifact", [document.artifact.id for document in archive.artifacts]),
    ):
        if len(found) != len(set(found)):
            raise ArchiveError(f"two {what}s have the same id")
    title = archive.session.title
    if len(title) > _LONGEST_TITLE or len(title.splitlines()) > 1:
        raise ArchiveError(f"the title is no line of at most {_LONGEST_TITLE} characters")
    _check_spent(archive)
    if not all(each.kind.startswith("todo.") for each in archive.timeline):
        raise ArchiveError("the timeline tells of something that is no todo")
    by_id = {todo.id: todo for todo in archive.todos}
    for todo in archive.todos:
        check_title(todo.title)
        _check_parents(by_id, todo)
        check_dependencies(by_id, todo.id, [each for each in todo.depends_on if each in by_id])


def _check_spent(archive: Archive) -> None:
    """A negative or endless cost would lift the cap on money."""
    head = archive.session
    usages = [head.usage, *(message.usage for message in archive.messages if message.usage)]
    costs = [head.cost, head.max_cost or 0.0, *(message.cost or 0.0 for message in archive.messages)]
    if not all(isfinite(cost) and cost >= 0 for cost in costs):
        raise ArchiveError("it has a cost that is no amount of money")
    if any(count < 0 for usage in usages for count in astuple(usage)):
        raise ArchiveError("it has a negative number of tokens")


def _check_parents(by_id: dict[int, Todo], todo: Todo) -> None:
    seen = {todo.id}
    above = by_id.get(todo.parent_id or 0)
    while above is not None:
        if above.id in seen:
            raise ArchiveError(f"todo {todo.id} is below itself")
        seen.add(above.id)
        above = by_id.get(above.parent_id or 0)


@cache
def _adapter() -> TypeAdapter[_File]:
    from pydantic import TypeAdapter

    return TypeAdapter(_File)
