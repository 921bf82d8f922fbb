"""How the steps of a plan turn into todos that point to it, each of them once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agent.plans import Path, added, extract, paths
from agent.todos.actors import Actor
from agent.todos.drafts import Draft
from agent.todos.snapshot import Snapshot
from store.frozen import frozen
from store.records import Artifact


@frozen
class Preview:
    """The todos that a plan would become now; `version` is the text that was read.

    A step that belongs below an earlier one names it in `parent_id`. `known` says that this very text
    became todos before, `listless` that it has no list to read, so that a model could be asked.
    """

    drafts: tuple[Draft, ...]
    version: int
    left_out: int = 0
    known: bool = False
    listless: bool = False


def foresee(artifact: Artifact, earlier: Iterable[str], todos: Snapshot) -> Preview:
    """What the text adds to the todos that `earlier` texts have become."""
    found = extract(artifact.content)
    known = frozenset(path for text in earlier for path in paths(extract(text).steps))
    parents = _by_path(todos, artifact.id) if known else {}
    drafts = [replace(step, parent_id=parents.get(path)) for path, step in added(found.steps, known)]
    return Preview(tuple(drafts), artifact.version, found.left_out, listless=not found.steps)


def permitted(actor: Actor, drafts: tuple[Draft, ...]) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
    """The drafts and a warning: whoever may not complete todos may not bring them in completed either."""
    opened = tuple(map(_opened, drafts))
    if actor.access == "full" or opened == drafts:
        return drafts, ()
    return opened, (f"{actor.name} may not complete todos, so the steps marked as done are pending",)


def linked(draft: Draft, artifact_id: int, sprint_id: int | None) -> Draft:
    return replace(
        draft,
        artifact_id=artifact_id,
        sprint_id=sprint_id or draft.sprint_id,
        subtasks=tuple(linked(each, artifact_id, sprint_id) for each in draft.subtasks),
    )


def _by_path(known: Snapshot, artifact_id: int) -> dict[Path, int]:
    """The todos of an artifact by the titles above them, as far as they are where they were put."""
    found: dict[Path, int] = {}
    for todo in known.todos:
        if todo.artifact_id != artifact_id:
            continue
        path, above = (todo.title,), known.by_id.get(todo.parent_id or 0)
        while above:
            path, above = (above.title, *path), known.by_id.get(above.parent_id or 0)
        found.setdefault(path, todo.id)
    return found


def _opened(draft: Draft) -> Draft:
    status = "pending" if draft.status == "completed" else draft.status
    return replace(draft, status=status, subtasks=tuple(map(_opened, draft.subtasks)))
