"""Titled texts with versions and stages; a plan that becomes final also becomes todos, once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from agent.events import ArtifactUpdated
from agent.links import log_unlinked
from agent.plans import digest
from agent.planting import Preview, foresee, linked, permitted
from agent.todos.actors import Actor
from agent.todos.drafts import Draft, Scene
from agent.todos.errors import AccessError
from agent.todos.rules import TITLE, check_text, check_title
from agent.todos.service import TodoService
from agent.todos.snapshot import Snapshot
from agent.todos.transaction import Plan, Transaction
from agent.tools.tool import ToolError
from store import artifacts as rows
from store import todos as todo_rows
from store.clock import now
from store.database import Reader, Store, Writer
from store.frozen import frozen
from store.records import Artifact, ArtifactStage, ArtifactType, Change, Todo

# Far beyond any text a model writes in one call, and read for its steps in about three seconds.
LONGEST = 200_000


class ArtifactError(ToolError):
    """Nothing was written."""


@frozen
class Staged:
    """`preview` is there when a plan became final, `todos` are those that were added for it."""

    artifact: Artifact
    todos: tuple[Todo, ...] = ()
    preview: Preview | None = None
    warnings: tuple[str, ...] = ()


class ArtifactService:
    """The artifacts that one session sees: its own and the workspace-wide ones."""

    def __init__(
        self,
        store: Store,
        workspace: str,
        session_id: str | None,
        todos: TodoService,
        publish: Callable[[ArtifactUpdated], None],
    ) -> None:
        self.workspace = workspace
        self.session_id = session_id
        self.todos = todos
        self._store = store
        self._publish = publish

    async def create(
        self,
        actor: Actor,
        title: str,
        kind: ArtifactType,
        content: str,
        *,
        workspace_wide: bool = False,
    ) -> Artifact:
        _check_access(actor)
        artifact = await self._store.write(
            rows.create,
            self.workspace,
            None if workspace_wide else self.session_id,
            title=_checked_title(title),
            kind=kind,
            content=_checked_content(content),
            actor=actor.name,
        )
        return self._told(artifact, "created")

    async def update(
        self,
        actor: Actor,
        artifact_id: int,
        content: str | None = None,
        *,
        title: str | None = None,
        version: int | None = None,
    ) -> Artifact:
        """New text is a new version and a draft again; `version` refuses to go over someone else's."""
        _check_access(actor)
        title = None if title is None else _checked_title(title)
        content = None if content is None else _checked_content(content)
        before, after = await self._store.write(self._revise, actor, artifact_id, content, title, version)
        return after if after == before else self._told(after, "updated")

    async def list(
        self, kind: ArtifactType | None = None, stage: ArtifactStage | None = None
    ) -> tuple[Artifact, ...]:
        found = await self._store.read(rows.visible, self.workspace, self.session_id)
        return tuple(each for each in found if kind in (None, each.type) and stage in (None, each.stage))

    async def get(self, artifact_id: int, version: int | None = None) -> Artifact:
        return await self._store.read(self._find, artifact_id, version)

    async def preview(self, artifact_id: int) -> Preview:
        """What `stage` would add, without saving anything; to be shown and edited before."""
        artifact = await self.get(artifact_id)
        if artifact.type != "plan":
            raise ArtifactError(f"artifact {artifact_id} is of type {artifact.type}; only a plan has steps")
        done = await self._store.read(rows.extracted, artifact_id)
        if digest(artifact.content) in done:
            return Preview((), artifact.version, known=True)
        contents = await self._store.read(rows.contents, artifact_id)
        earlier = [text for text in dict.fromkeys(contents) if digest(text) in done]
        return await asyncio.to_thread(foresee, artifact, earlier, await self.todos.current())

    async def stage(
        self,
        actor: Actor,
        artifact_id: int,
        stage: ArtifactStage,
        *,
        sprint_id: int | None = None,
        preview: Preview | None = None,
    ) -> Staged:
        """A plan that becomes final adds the todos of its preview; one that a person edited can be given."""
        _check_access(actor)
        artifact = await self.get(artifact_id)
        if artifact.type != "plan" or stage != "final":
            return await self._only_stage(actor, artifact, stage)
        edited = preview is not None
        while True:
            preview = preview or await self.preview(artifact_id)
            wanted, warnings = permitted(actor, preview.drafts)
            drafts = [linked(draft, artifact_id, sprint_id) for draft in wanted]
            staged = await self._store.write(self._finalise, actor, artifact_id, preview, drafts)
            if staged is not None:
                break
            if edited:
                raise ArtifactError(f"artifact {artifact_id} was changed meanwhile; look at its steps again")
            preview = None
        if staged.artifact != artifact:
            self._told(staged.artifact, "staged")
        await self.todos.refresh()
        return replace(staged, warnings=warnings)

    async def delete(self, actor: Actor, artifact_id: int) -> Artifact:
        """Todos made from it stay, without the link."""
        _check_access(actor, deleting=True)
        artifact = await self._store.write(self._remove, actor, artifact_id)
        self._publish(ArtifactUpdated(None, artifact_id, "deleted"))
        await self.todos.refresh()
        return artifact

    async def apply_foreign(self, foreign: Iterable[Change]) -> None:
        """Tell of what other processes did; of several changes to one artifact, the last."""
        latest = {change.entity_id: change for change in foreign if self._concerns(change)}
        for change in latest.values():
            artifact = await self._store.read(rows.get, int(change.entity_id))
            self._publish(
                ArtifactUpdated(artifact, int(change.entity_id), change.kind.removeprefix("artifact."))
            )

    async def _revise(
        self,
        writer: Writer,
        actor: Actor,
        artifact_id: int,
        content: str | None,
        title: str | None,
        version: int | None,
    ) -> tuple[Artifact, Artifact]:
        before = await self._find(writer, artifact_id)
        if version not in (None, before.version):
            raise ArtifactError(
                f"artifact {artifact_id} is at version {before.version} now, not {version}; read it first"
            )
        title = before.title if title is None else title
        if content not in (None, before.content):
            after = await rows.revise(
                writer, artifact_id, title=title, content=content or "", actor=actor.name
            )
        elif title != before.title:
            after = await rows.rename(writer, artifact_id, title, actor=actor.name)
        else:
            after = before
        return before, after

    async def _only_stage(self, actor: Actor, artifact: Artifact, stage: ArtifactStage) -> Staged:
        if artifact.stage == stage:
            return Staged(artifact)
        changed = await self._store.write(rows.set_stage, artifact.id, stage, actor=actor.name)
        return Staged(self._told(changed, "staged"))

    async def _finalise(
        self, writer: Writer, actor: Actor, artifact_id: int, preview: Preview, drafts: Sequence[Draft]
    ) -> Staged | None:
        """Stage, mark and todos in one transaction; None when the preview is of an older text."""
        artifact = await self._find(writer, artifact_id)
        known = digest(artifact.content) in await rows.extracted(writer, artifact_id)
        if artifact.version != preview.version or known != preview.known:
            return None
        todos = await self._plant(writer, actor, drafts) if drafts and not known else ()
        if todos or not (known or preview.listless):
            await rows.mark_extracted(writer, artifact_id, digest(artifact.content))
        if artifact.stage != "final":
            artifact = await rows.set_stage(writer, artifact_id, "final", actor=actor.name)
        return Staged(artifact, todos, preview)

    async def _plant(self, writer: Writer, actor: Actor, drafts: Sequence[Draft]) -> tuple[Todo, ...]:
        """The todo service's own rules and log, in this transaction; its `refresh` tells afterwards."""
        found = await todo_rows.visible(writer, self.workspace, self.session_id)
        known = Snapshot().changed(found, (), 0)
        scene = Scene(
            todos=known.by_id,
            actor=actor,
            moment=max(now(), known.latest + 1),
            workspace=self.workspace,
            tenant=self._store.tenant,
            session_id=self.session_id,
            run_id=None,
            alive=lambda _: True,
        )
        transaction = Transaction(writer, scene, known)
        todos = await transaction.carry_out(Plan(tuple(drafts)))
        _, change = await transaction.finish(None)
        if change:
            self.todos.sightings.wrote(actor, change.seq)
        return todos

    async def _remove(self, writer: Writer, actor: Actor, artifact_id: int) -> Artifact:
        await self._find(writer, artifact_id)
        todos = await todo_rows.pick(writer, await rows.linked(writer, artifact_id))
        artifact = await rows.remove(writer, artifact_id, actor=actor.name)
        await log_unlinked(writer, todos, actor=actor.name)
        return artifact

    async def _find(self, reader: Reader, artifact_id: int, version: int | None = None) -> Artifact:
        latest = await rows.get(reader, artifact_id)
        if latest is None or not self._sees(latest):
            known = await rows.visible(reader, self.workspace, self.session_id)
            names = ", ".join(f"{each.id} {each.title}" for each in known[-20:])
            raise ArtifactError(
                f"no artifact {artifact_id}; " + (f"there are: {names}" if names else "there is none yet")
            )
        found = latest if version is None else await rows.get(reader, artifact_id, version)
        if found is None:
            raise ArtifactError(
                f"artifact {artifact_id} has no version {version}; there are 1 to {latest.version}"
            )
        return found

    def _told(self, artifact: Artifact, change: str) -> Artifact:
        self._publish(ArtifactUpdated(artifact, artifact.id, change))
        return artifact

    def _sees(self, artifact: Artifact) -> bool:
        return artifact.workspace == self.workspace and artifact.session_id in (None, self.session_id)

    def _concerns(self, change: Change) -> bool:
        return (
            change.kind.startswith("artifact.")
            and change.workspace == self.workspace
            and change.session_id in (None, self.session_id)
        )


def _check_access(actor: Actor, *, deleting: bool = False) -> None:
    if actor.access == "minimal":
        raise AccessError(f"{actor.name} may list and read artifacts, not change them")
    if deleting and actor.access != "full":
        raise AccessError(f"{actor.name} may not delete artifacts; leave that to an agent with full access")


def _checked_title(title: str) -> str:
    plain = title.strip()
    if not 1 <= len(plain) <= TITLE:
        raise ArtifactError(f"the title has {len(plain)} characters; name the artifact in 1 to {TITLE}")
    return check_title(plain)


def _checked_content(content: str) -> str:
    if len(content) > LONGEST:
        raise ArtifactError(f"the text has {len(content)} characters; {LONGEST} fit, write a file instead")
    return check_text("text", content)
