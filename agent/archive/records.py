"""A whole session outside the database: what is exported, imported and forked."""

from __future__ import annotations

from agent.todos import journal
from store.clock import Millis
from store.frozen import frozen
from store.records import Artifact, ArtifactVersion, Change, Message, Sprint, Todo, Usage


class ArchiveError(Exception):
    """Names the file or session and what to do."""


@frozen
class Head:
    """What a session is, without what it is just doing: neither state nor hold nor used wakes."""

    id: str
    workspace: str
    title: str
    agent: str
    model: str
    max_cost: float | None
    usage: Usage
    cost: float
    created_at: Millis
    updated_at: Millis


@frozen
class Document:
    """An artifact with every version of its text; `extracted` are digests of those that became todos."""

    artifact: Artifact
    versions: tuple[ArtifactVersion, ...]
    extracted: tuple[str, ...] = ()


@frozen
class Moment:
    """One change of the plan: its todos before and after, and the number of a change it took back."""

    number: int
    kind: str
    actor: str
    time: Millis
    before: tuple[Todo, ...]
    after: tuple[Todo, ...]
    undoes: int | None = None


@frozen
class Archive:
    session: Head
    messages: tuple[Message, ...]
    todos: tuple[Todo, ...]
    artifacts: tuple[Document, ...]
    sprints: tuple[Sprint, ...]
    timeline: tuple[Moment, ...]


def moment_of(change: Change) -> Moment:
    before, after = journal.read(change.before), journal.read(change.after)
    return Moment(
        change.seq,
        change.kind,
        change.actor,
        change.created_at,
        tuple(before.values()),
        tuple(after.values()),
        change.undoes,
    )


def change_of(moment: Moment, session: Head) -> Change:
    """The line of the log that the moment was, or is to be."""
    ids = dict.fromkeys(todo.id for todo in (*moment.before, *moment.after))
    return Change(
        seq=moment.number,
        workspace=session.workspace,
        session_id=session.id,
        kind=moment.kind,
        entity_id=journal.join_ids(ids),
        actor=moment.actor,
        before=journal.write(moment.before),
        after=journal.write(moment.after),
        undoes=moment.undoes,
        origin="",
        created_at=moment.time,
    )
