"""Writes rows that come from another session or a file, with the ids and times they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from store.clock import now
from store.database import Writer
from store.records import Artifact, ArtifactVersion, Change, Message, Usage

Table = Literal["messages", "parts", "todos", "artifacts"]


async def reserve(writer: Writer, table: Table, number: int) -> int:
    """The first of so many ids in a row that nothing has or ever had."""
    row = await writer.one("SELECT seq FROM sqlite_sequence WHERE name = ?", table)
    last = int(row[0]) if row else 0
    if row is None:
        writer.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, last + number)
    else:
        writer.run("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", last + number, table)
    return last + 1


async def add_messages(writer: Writer, session_id: str, history: Sequence[Message]) -> None:
    writer.many(
        "INSERT INTO messages (id, session_id, role, origin, agent, model, input_tokens, output_tokens,"
        " cache_read_tokens, cache_write_tokens, reasoning_tokens, cost, finish, created_at, ended_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(each.id, session_id, each.role, each.origin, each.agent, each.model),
                *(each.usage.input, each.usage.output, each.usage.cache_read, each.usage.cache_write),
                *(each.usage.reasoning, each.cost, each.finish, each.created_at, each.ended_at),
            )
            for each in history
        ],
    )
    writer.many(
        "INSERT INTO parts (id, message_id, kind, text, call_id, tool, status, input, output, data,"
        " started_at, ended_at, pruned_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *(part.id, part.message_id, part.kind, part.text, part.call_id, part.tool, part.status),
                *(part.input, part.output, part.data, part.started_at, part.ended_at, part.pruned_at),
            )
            for each in history
            for part in each.parts
        ],
    )


async def add_artifact(
    writer: Writer, artifact: Artifact, versions: Sequence[ArtifactVersion], extracted: Sequence[str]
) -> None:
    writer.run(
        "INSERT INTO artifacts (id, tenant, workspace, session_id, title, type, stage, version, extracted,"
        " created_by, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        artifact.id,
        writer.tenant,
        artifact.workspace,
        artifact.session_id,
        artifact.title,
        artifact.type,
        artifact.stage,
        artifact.version,
        " ".join(extracted) or None,
        artifact.created_by,
        artifact.created_at,
        artifact.updated_at,
    )
    writer.many(
        "INSERT INTO artifact_versions (artifact_id, version, content, created_by, created_at)"
        " VALUES (?, ?, ?, ?, ?)",
        [(artifact.id, each.version, each.content, each.created_by, each.created_at) for each in versions],
    )


async def add_change(writer: Writer, change: Change) -> int:
    """A line of the log about something that happened elsewhere; returns the number it gets here."""
    row = await writer.must(
        "the change log gave no number",
        "INSERT INTO changes (tenant, workspace, session_id, kind, entity_id, actor,"
        " before, after, undoes, origin, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq",
        writer.tenant,
        change.workspace,
        change.session_id,
        change.kind,
        change.entity_id,
        change.actor,
        change.before,
        change.after,
        change.undoes,
        writer.origin,
        change.created_at,
    )
    return int(row[0])


async def settle(
    writer: Writer,
    session_id: str,
    *,
    title: str,
    usage: Usage,
    cost: float,
    created_at: int,
    updated_at: int,
) -> None:
    """Gives a new session its past, and holds it until the user acts."""
    writer.run(
        "UPDATE sessions SET title = ?, input_tokens = ?, output_tokens = ?, cache_read_tokens = ?,"
        " cache_write_tokens = ?, reasoning_tokens = ?, cost = ?, created_at = ?, updated_at = ?, held_at = ?"
        " WHERE id = ? AND tenant = ?",
        title,
        usage.input,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        usage.reasoning,
        cost,
        created_at,
        updated_at,
        now(),
        session_id,
        writer.tenant,
    )
