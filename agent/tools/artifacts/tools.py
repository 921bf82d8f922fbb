"""The tools by which an agent keeps artifacts; offered to those that ask for them by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from agent.artifacts import ArtifactError, ArtifactService, Staged
from agent.todos.actors import Actor
from agent.todos.context import TodoContext
from agent.todos.lines import names
from agent.tools.tool import Rare, Target, Tool
from store.frozen import frozen
from store.records import Artifact, ArtifactStage, ArtifactType

Id = int | str


@frozen
class ArtifactContext:
    """What an artifact tool acts on, and for whom."""

    service: ArtifactService
    actor: Actor


async def artifact_create(
    context: ArtifactContext,
    title: str,
    type: ArtifactType,  # noqa: A002
    content: str,
) -> str:
    artifact = await context.service.create(context.actor, title, type, content)
    return f"Created artifact {_line(artifact)}."


async def artifact_update(
    context: ArtifactContext,
    id: Id,  # noqa: A002
    content: str | None = None,
    title: str | None = None,
    version: Annotated[int | None, Rare] = None,
) -> str:
    if content is None and title is None:
        raise ArtifactError("give the new content, a new title, or both")
    artifact = await context.service.update(context.actor, _id(id), content, title=title, version=version)
    return f"Artifact {_line(artifact)}."


async def artifact_list(
    context: ArtifactContext,
    type: Annotated[ArtifactType | None, Rare] = None,  # noqa: A002
    stage: Annotated[ArtifactStage | None, Rare] = None,
) -> str:
    found = await context.service.list(type, stage)
    return "\n".join(map(_line, found)) or "No artifacts."


async def artifact_get(context: ArtifactContext, id: Id, version: Annotated[int | None, Rare] = None) -> str:  # noqa: A002
    artifact = await context.service.get(_id(id), version)
    return f"{_line(artifact)}\n\n{artifact.content}"


async def artifact_stage(
    context: ArtifactContext,
    id: Id,  # noqa: A002
    stage: ArtifactStage,
    sprint_id: Annotated[int | None, Rare] = None,
) -> str:
    staged = await context.service.stage(context.actor, _id(id), stage, sprint_id=sprint_id)
    said = f"Artifact {_line(staged.artifact)}."
    if staged.preview is None:
        return said
    todos = context.service.todos
    listed = TodoContext(todos, context.actor)
    return await listed.report(f"{said} {_outcome(staged)}", todos.snapshot, staged.warnings)


async def artifact_delete(context: ArtifactContext, id: Id) -> str:  # noqa: A002
    artifact = await context.service.delete(context.actor, _id(id))
    return f"Deleted artifact {artifact.id} {artifact.title}."


def _outcome(staged: Staged) -> str:
    assert staged.preview is not None
    if staged.preview.known:
        return "This text became todos before, so nothing was added."
    if staged.preview.listless:
        return "Its text has no list to read steps from; add them to the todo list yourself, linked to it."
    said = f"Added {names(staged.todos)}." if staged.todos else "All its steps were added before."
    if staged.preview.left_out:
        said += f" {staged.preview.left_out} more steps were left out: 25 fit on a level."
    return said


def _line(artifact: Artifact) -> str:
    return f"{artifact.id} [{artifact.type}, {artifact.stage}, version {artifact.version}] {artifact.title}"


def _id(value: Id) -> int:
    text = str(value).strip().removeprefix("#")
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ArtifactError(f"{value!r} is not an artifact id; artifact_list gives them")
    return int(text)


def _tool(
    function: Callable[..., Awaitable[str]], title: Callable[[Mapping[str, Any]], str], *, safe: bool = False
) -> Tool:
    return Tool(function.__name__, function, _no_targets, title, safe=safe, on="artifacts", guide="guide")


def _no_targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    """Artifacts are the service's to guard, by access level."""
    del arguments
    return ()


def _title(arguments: Mapping[str, Any]) -> str:
    return str(arguments["title"])


def _number(arguments: Mapping[str, Any]) -> str:
    return str(arguments["id"])


def _number_and_stage(arguments: Mapping[str, Any]) -> str:
    return f"{arguments['id']} {arguments['stage']}"


def _filters(arguments: Mapping[str, Any]) -> str:
    return " ".join(str(value) for value in arguments.values() if value) or "all"


TOOLS = (
    _tool(artifact_create, _title),
    _tool(artifact_update, _number),
    _tool(artifact_list, _filters, safe=True),
    _tool(artifact_get, _number, safe=True),
    _tool(artifact_stage, _number_and_stage),
    _tool(artifact_delete, _number),
)
