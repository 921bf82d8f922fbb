"""Writes a whole session into the database as a new one: every id is new, and every link follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from agent.archive.gathering import gather
from agent.archive.records import Archive, ArchiveError, change_of
from agent.models.choosing import OFFLINE
from agent.todos.rules import OPEN
from store import copies, sessions, sprints, todos
from store.clock import now
from store.database import Store, Writer
from store.errors import ConflictError
from store.frozen import frozen
from store.records import Message, Session, Todo, Usage

# The agents that a file may name: the user's own may have been given permissions.
_AGENTS = ("build", "plan")


@frozen
class _Ids:
    """Old to new. `shared` says that what is not in the archive is still there to point to."""

    session: tuple[str, str]
    messages: Mapping[int, int]
    todos: Mapping[int, int]
    artifacts: Mapping[int, int]
    sprints: Mapping[int, int]
    shared: bool

    def link(self, known: Mapping[int, int], old: int | None) -> int | None:
        if old is None:
            return None
        return known.get(old, old if self.shared else None)


async def fork(writer: Writer, session_id: str, *, until: int | None = None) -> Session:
    """A second session in the same folder that knows everything up to a message, and the plan as it is now.

    It has cost nothing yet and waits for the user; permissions, schedules and snapshots stay with the first.
    """
    archive = await gather(writer, session_id)
    if until is not None:
        if until not in {message.id for message in archive.messages}:
            raise ArchiveError(
                f"session {session_id} has no message {until}; `wakeful sessions show` has the numbers"
            )
        archive = replace(archive, messages=tuple(each for each in archive.messages if each.id <= until))
    head = archive.session
    moment = now()
    fresh = replace(
        head,
        title=_next_title(head.title),
        usage=Usage(),
        cost=0.0,
        created_at=moment,
        updated_at=moment,
    )
    return await _plant(writer, replace(archive, session=fresh), head.workspace, shared=True)


async def adopt(store: Store, archive: Archive, workspace: str, *, max_cost: float | None = None) -> Session:
    """A session from a file, in the folder that is named; it does nothing until the user says so.

    It works with the user's own model and agent: a file chooses neither where requests go nor what may run.
    `max_cost` is the user's cap, which a file may lower and not raise.
    """
    head = archive.session
    caps = [cap for cap in (head.max_cost, max_cost) if cap is not None]
    agent = head.agent if head.agent in _AGENTS else _AGENTS[0]
    narrowed = replace(head, model=OFFLINE, agent=agent, max_cost=min(caps, default=None))
    try:
        return await store.write(_plant, replace(archive, session=narrowed), workspace, shared=False)
    except (ConflictError, OverflowError) as error:
        raise ArchiveError(f"the session cannot be stored ({error}); export it again as json") from error


async def _plant(writer: Writer, archive: Archive, workspace: str, *, shared: bool) -> Session:
    head = archive.session
    session = await sessions.create(
        writer, workspace, agent=head.agent, model=head.model, max_cost=head.max_cost
    )
    ids = await _ids(writer, archive, session, shared=shared)
    await copies.add_messages(writer, session.id, await _messages(writer, archive.messages, ids))
    for document in archive.artifacts:
        await copies.add_artifact(
            writer,
            replace(
                document.artifact,
                id=ids.artifacts[document.artifact.id],
                session_id=session.id,
                workspace=workspace,
            ),
            document.versions,
            document.extracted,
        )
    await _add_todos(writer, archive, ids, workspace)
    await _log_timeline(writer, archive, ids, workspace)
    if unfinished := sum(todo.status in OPEN for todo in archive.todos):
        await sessions.set_state(writer, session.id, "idle", f"held · {unfinished} open")
    await copies.settle(
        writer,
        session.id,
        title=head.title,
        usage=head.usage,
        cost=head.cost,
        created_at=head.created_at,
        updated_at=head.updated_at,
    )
    return await sessions.get(writer, session.id)


async def _ids(writer: Writer, archive: Archive, session: Session, *, shared: bool) -> _Ids:
    spoken = [message.id for message in archive.messages]
    planned = {todo.id for todo in archive.todos}
    # Todos that are gone live on in the history of the plan, and must not be taken for new ones.
    planned |= {todo.id for each in archive.timeline for todo in (*each.before, *each.after)}
    written = [document.artifact.id for document in archive.artifacts]
    return _Ids(
        (archive.session.id, session.id),
        await _fresh(writer, "messages", spoken),
        await _fresh(writer, "todos", planned),
        await _fresh(writer, "artifacts", written),
        await _sprints(writer, archive, session.workspace),
        shared,
    )


async def _fresh(writer: Writer, table: copies.Table, old: Iterable[int]) -> dict[int, int]:
    order = sorted(old)
    first = await copies.reserve(writer, table, len(order))
    return {each: first + number for number, each in enumerate(order)}


async def _sprints(writer: Writer, archive: Archive, workspace: str) -> dict[int, int]:
    """Sprints belong to the workspace: one of the same name is the same."""
    known = {sprint.name: sprint.id for sprint in await sprints.listed(writer, workspace)}
    for sprint in archive.sprints:
        if sprint.name not in known:
            created = await sprints.create(writer, workspace, sprint.name, actor="user")
            await sprints.set_status(writer, created.id, sprint.status, actor="user")
            known[sprint.name] = created.id
    return {sprint.id: known[sprint.name] for sprint in archive.sprints}


async def _messages(writer: Writer, history: Iterable[Message], ids: _Ids) -> list[Message]:
    history = list(history)
    parts = [part for message in history for part in message.parts]
    fresh = await _fresh(writer, "parts", [part.id for part in parts])
    return [
        replace(
            message,
            id=ids.messages[message.id],
            session_id=ids.session[1],
            parts=tuple(
                replace(part, id=fresh[part.id], message_id=ids.messages[message.id])
                for part in message.parts
            ),
        )
        for message in history
    ]


async def _add_todos(writer: Writer, archive: Archive, ids: _Ids, workspace: str) -> None:
    # A list that lived for one run goes where its run goes.
    kept = [todo for todo in archive.todos if todo.run_id is None or todo.run_id in ids.messages]
    there = {todo.id for todo in kept}
    moved = [
        _moved(replace(todo, parent_id=todo.parent_id if todo.parent_id in there else None), ids, workspace)
        for todo in kept
    ]
    for todo in moved:
        # A todo may stand below, or wait for, one that was added after it.
        await todos.add(writer, replace(todo, parent_id=None, depends_on=(), tenant=writer.tenant))
    for todo in moved:
        if todo.parent_id is not None or todo.depends_on:
            mended = await todos.mended(writer, replace(todo, tenant=writer.tenant))
            await todos.save(writer, mended)


async def _log_timeline(writer: Writer, archive: Archive, ids: _Ids, workspace: str) -> None:
    numbers: dict[int, int] = {}
    here = replace(archive.session, id=ids.session[1], workspace=workspace)
    for moment in archive.timeline:
        moved = replace(
            moment,
            before=tuple(_moved(todo, ids, workspace) for todo in moment.before),
            after=tuple(_moved(todo, ids, workspace) for todo in moment.after),
            undoes=numbers.get(moment.undoes or 0),
        )
        numbers[moment.number] = await copies.add_change(writer, change_of(moved, here))


def _moved(todo: Todo, ids: _Ids, workspace: str) -> Todo:
    old, new = ids.session
    depends_on = (ids.link(ids.todos, each) for each in todo.depends_on)
    return replace(
        todo,
        id=ids.todos[todo.id],
        session_id=new,
        workspace=workspace,
        parent_id=ids.link(ids.todos, todo.parent_id),
        depends_on=tuple(sorted(each for each in depends_on if each is not None)),
        artifact_id=ids.link(ids.artifacts, todo.artifact_id),
        sprint_id=ids.link(ids.sprints, todo.sprint_id),
        run_id=ids.messages.get(todo.run_id) if todo.run_id is not None else None,
        assignee=new if todo.assignee == old else todo.assignee,
    )


def _next_title(title: str) -> str:
    return f"{title} (fork)" if title and not title.endswith("(fork)") else title
