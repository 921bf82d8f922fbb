"""Artifact rows and every version of their text. The rules live in the service."""

from __future__ import annotations

from store import sessions, workspaces
from store.clock import now
from store.database import Reader, Row, Writer
from store.errors import MissingError
from store.records import Artifact, ArtifactStage, ArtifactType, ArtifactVersion

_COLUMNS = (
    "artifacts.id, session_id, workspace, title, type, stage, artifact_versions.version, content,"
    " artifacts.created_by, artifacts.created_at, updated_at"
)
_JOINED = "artifacts JOIN artifact_versions ON artifact_id = artifacts.id"


async def create(
    writer: Writer,
    workspace: str,
    session_id: str | None,
    *,
    title: str,
    kind: ArtifactType,
    content: str,
    actor: str,
) -> Artifact:
    """Without a session it belongs to the whole workspace."""
    await workspaces.ensure(writer, workspace)
    if session_id is not None:
        await sessions.get(writer, session_id)
    moment = now()
    row = await writer.must(
        "the artifact was not stored",
        "INSERT INTO artifacts"
        " (tenant, workspace, session_id, title, type, created_by, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        writer.tenant,
        workspace,
        session_id,
        title,
        kind,
        actor,
        moment,
        moment,
    )
    await _add_version(writer, int(row[0]), 1, content, actor)
    return await _changed(writer, "artifact.created", int(row[0]), actor)


async def revise(writer: Writer, artifact_id: int, *, title: str, content: str, actor: str) -> Artifact:
    """A new version, which is a draft again."""
    row = await writer.must(
        _missing(artifact_id),
        "UPDATE artifacts SET title = ?, version = version + 1, stage = 'draft', updated_at = ?"
        " WHERE id = ? AND tenant = ? RETURNING version",
        title,
        now(),
        artifact_id,
        writer.tenant,
    )
    await _add_version(writer, artifact_id, int(row[0]), content, actor)
    return await _changed(writer, "artifact.updated", artifact_id, actor)


async def rename(writer: Writer, artifact_id: int, title: str, *, actor: str) -> Artifact:
    await _update(writer, artifact_id, title=title)
    return await _changed(writer, "artifact.renamed", artifact_id, actor)


async def set_stage(writer: Writer, artifact_id: int, stage: ArtifactStage, *, actor: str) -> Artifact:
    await _update(writer, artifact_id, stage=stage)
    return await _changed(writer, "artifact.staged", artifact_id, actor)


async def mark_extracted(writer: Writer, artifact_id: int, digest: str) -> None:
    """The text with this digest has become todos; earlier ones stay known."""
    known = await extracted(writer, artifact_id)
    await _update(writer, artifact_id, extracted=" ".join(sorted({*known, digest})))


async def remove(writer: Writer, artifact_id: int, *, actor: str) -> Artifact:
    """The schema takes the link off the todos that have it; whoever calls this tells their lists."""
    artifact = await _must(writer, artifact_id)
    writer.run("DELETE FROM artifacts WHERE id = ? AND tenant = ?", artifact_id, writer.tenant)
    await _log(writer, "artifact.deleted", artifact, actor)
    return artifact


async def get(reader: Reader, artifact_id: int, version: int | None = None) -> Artifact | None:
    """The latest version unless another one is named."""
    row = await reader.one(
        f"SELECT {_COLUMNS} FROM {_JOINED} WHERE artifacts.id = ? AND tenant = ?"
        " AND artifact_versions.version = coalesce(?, artifacts.version)",
        artifact_id,
        reader.tenant,
        version,
    )
    return _artifact(row) if row else None


async def visible(reader: Reader, workspace: str, session_id: str | None) -> tuple[Artifact, ...]:
    """What a session sees: its own and the workspace-wide ones; without a session only the latter."""
    rows = await reader.all(
        f"SELECT {_COLUMNS} FROM {_JOINED} WHERE tenant = ? AND workspace = ?"
        " AND (session_id IS NULL OR session_id = ?) AND artifact_versions.version = artifacts.version"
        " ORDER BY artifacts.id",
        reader.tenant,
        workspace,
        session_id,
    )
    return tuple(_artifact(row) for row in rows)


async def contents(reader: Reader, artifact_id: int) -> tuple[str, ...]:
    """The texts of all versions, the first one first."""
    rows = await reader.all(
        f"SELECT content FROM {_JOINED} WHERE artifacts.id = ? AND tenant = ?"
        " ORDER BY artifact_versions.version",
        artifact_id,
        reader.tenant,
    )
    return tuple(str(row[0]) for row in rows)


async def versions(reader: Reader, artifact_id: int) -> tuple[ArtifactVersion, ...]:
    rows = await reader.all(
        "SELECT v.version, v.content, v.created_by, v.created_at FROM artifact_versions v"
        " JOIN artifacts a ON a.id = v.artifact_id WHERE a.id = ? AND a.tenant = ? ORDER BY v.version",
        artifact_id,
        reader.tenant,
    )
    return tuple(ArtifactVersion(*row) for row in rows)


async def extracted(reader: Reader, artifact_id: int) -> frozenset[str]:
    """Digests of the texts that have become todos."""
    row = await reader.must(
        _missing(artifact_id),
        "SELECT coalesce(extracted, '') FROM artifacts WHERE id = ? AND tenant = ?",
        artifact_id,
        reader.tenant,
    )
    return frozenset(str(row[0]).split())


async def linked(reader: Reader, artifact_id: int) -> tuple[int, ...]:
    """Todos that point to it, in whatever list they are."""
    rows = await reader.all(
        "SELECT id FROM todos WHERE artifact_id = ? AND tenant = ? ORDER BY id", artifact_id, reader.tenant
    )
    return tuple(int(row[0]) for row in rows)


async def _add_version(writer: Writer, artifact_id: int, version: int, content: str, actor: str) -> None:
    writer.run(
        "INSERT INTO artifact_versions (artifact_id, version, content, created_by, created_at)"
        " VALUES (?, ?, ?, ?, ?)",
        artifact_id,
        version,
        content,
        actor,
        now(),
    )


async def _update(writer: Writer, artifact_id: int, **columns: str) -> None:
    assignments = ", ".join(f"{name} = ?" for name in columns)
    await writer.must(
        _missing(artifact_id),
        f"UPDATE artifacts SET {assignments}, updated_at = ? WHERE id = ? AND tenant = ? RETURNING id",
        *columns.values(),
        now(),
        artifact_id,
        writer.tenant,
    )


async def _changed(writer: Writer, kind: str, artifact_id: int, actor: str) -> Artifact:
    artifact = await _must(writer, artifact_id)
    await _log(writer, kind, artifact, actor)
    return artifact


async def _log(writer: Writer, kind: str, artifact: Artifact, actor: str) -> None:
    await writer.log(
        kind, artifact.id, workspace=artifact.workspace, session_id=artifact.session_id, actor=actor
    )


async def _must(reader: Reader, artifact_id: int) -> Artifact:
    found = await get(reader, artifact_id)
    if found is None:
        raise MissingError(_missing(artifact_id))
    return found


def _missing(artifact_id: int) -> str:
    return f"no artifact {artifact_id}"


def _artifact(row: Row) -> Artifact:
    return Artifact(*row)
