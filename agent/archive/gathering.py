"""Reads a session whole, in one transaction, as if it had come to rest."""

from __future__ import annotations

from dataclasses import replace

from agent.archive.records import Archive, Document, Head, moment_of
from store import artifacts, changes, messages, sessions, sprints, todos
from store.database import Reader
from store.records import Artifact, Message, Part, Session


async def gather(reader: Reader, session_id: str) -> Archive:
    """Its own messages, todos and artifacts; what the workspace shares and who may do what stay behind."""
    session = await sessions.get(reader, session_id)
    visible = await todos.visible(reader, session.workspace, session.id)
    own = tuple(todo for todo in visible if todo.session_id == session.id)
    used = {todo.sprint_id for todo in own}
    written = await artifacts.visible(reader, session.workspace, session.id)
    log = await changes.of_todos(reader, session.workspace, session.id)
    return Archive(
        session=_head(session),
        messages=tuple(map(_rested, await messages.load(reader, session.id))),
        todos=own,
        artifacts=tuple([await _document(reader, each) for each in written if each.session_id == session.id]),
        sprints=tuple(each for each in await sprints.listed(reader, session.workspace) if each.id in used),
        timeline=tuple(moment_of(change) for change in log if change.session_id == session.id),
    )


def _head(session: Session) -> Head:
    return Head(
        id=session.id,
        workspace=session.workspace,
        title=session.title,
        agent=session.agent,
        model=session.model,
        max_cost=session.max_cost,
        usage=session.usage,
        cost=session.cost,
        created_at=session.created_at,
        updated_at=session.updated_at,
    )


async def _document(reader: Reader, artifact: Artifact) -> Document:
    return Document(
        artifact,
        await artifacts.versions(reader, artifact.id),
        tuple(sorted(await artifacts.extracted(reader, artifact.id))),
    )


def _rested(message: Message) -> Message:
    """What is still being written, or was when a process was killed, counts as interrupted."""
    parts = tuple(_rested_part(part, message.created_at) for part in message.parts)
    if message.role == "assistant" and message.finish is None:
        message = replace(message, finish="interrupted", ended_at=message.created_at)
    return replace(message, parts=parts)


def _rested_part(part: Part, moment: int) -> Part:
    status = "interrupted" if part.status in ("pending", "running") else part.status
    return replace(part, status=status, ended_at=part.ended_at or part.started_at or moment)
