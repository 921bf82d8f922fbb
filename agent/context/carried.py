"""What a summary must never be trusted with: the plan and the artifacts, fresh from the database."""

from __future__ import annotations

from collections.abc import Collection

from agent.agenda import Agenda
from agent.artifacts import ArtifactService
from agent.context.pages import page
from agent.todos.lines import more
from store.records import Artifact

_MOST = 20


async def carried_over(agenda: Agenda, artifacts: ArtifactService, tools: Collection[str]) -> str:
    """The live list and the index of artifacts; empty when there is neither."""
    index = _index(await artifacts.list(), tools)
    return "\n\n".join(part for part in (await agenda.standing(), index) if part)


def _index(artifacts: Collection[Artifact], tools: Collection[str]) -> str:
    if not artifacts:
        return ""
    newest = sorted(artifacts, key=lambda each: (each.updated_at, each.id), reverse=True)
    lines = [
        f"- {each.id} {each.title!r} ({each.type}, {each.stage}, version {each.version})"
        for each in newest[:_MOST]
    ]
    hint = ["(artifact_list shows all of them, artifact_get their text.)"] if "artifact_list" in tools else []
    return page("artifacts").format(list="\n".join([*lines, *more(len(newest) - _MOST), *hint]))
