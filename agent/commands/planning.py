"""`/plan`: the written plan behind the todos, and Markdown in and out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from agent.artifacts import LONGEST
from agent.commands.errors import CommandError
from agent.commands.kinds import FILE, number, one_of, resolve
from agent.commands.registry import Completion, Context, Kind, command
from agent.commands.results import Confirm, Result, Text
from agent.plans import extract
from agent.planting import Preview
from agent.todos import markdown
from agent.todos.actors import USER
from agent.todos.drafts import Draft
from store.records import Artifact

# Within what a title may be.
_HEADING = re.compile(r"^#\s+(\S.{0,119}?)[ \t#]*$", re.MULTILINE)


async def _plans(context: Context, typed: str) -> list[Completion]:
    del typed
    found = await context.opened.workshop.artifacts.list("plan")
    return [Completion(str(each.id), f"{each.id} {each.title}", each.stage) for each in reversed(found)]


PLAN = Kind("PLAN", number, _plans)
VERSION = Kind("VERSION", lambda word: int(word.removeprefix("v")))


async def _show(context: Context, plan: Annotated[int | None, PLAN] = None) -> Result:
    artifact = await _chosen(context, plan)
    others = [each for each in await context.opened.workshop.artifacts.list("plan") if each.id != artifact.id]
    names = ", ".join(f"{each.id} {each.title}" for each in others)
    more = f"\n\nOther plans: {names}; /plan ID shows one" if others else ""
    return Text(f"{_name(artifact)}\n\n{artifact.content.strip()}{more}")


async def _import(context: Context, file: Annotated[str, FILE]) -> Result:
    """Boxes go straight to the list; a plan in prose is kept as one, and its steps are shown first."""
    path = resolve(context, file)
    text = _read(path)
    items = markdown.parse(text)
    shop = context.opened.workshop
    if items:
        changed = await shop.service.change(USER, lambda known: markdown.merged(known.todos, items))
        context.opened.session.stir()
        return Text(f"{len(changed.todos)} todos added or changed from {file}; /todos shows the plan")
    if not extract(text).steps:
        raise CommandError(f"{file} has no list of steps", "write them as - [ ] items or a numbered list")
    heading = _HEADING.search(text)
    title = heading[1] if heading else path.stem
    artifact = await shop.artifacts.create(USER, title, "plan", text)
    return await _finalise(context, artifact.id)


async def _export(
    context: Context,
    file: Annotated[str, FILE],
    overwrite: Annotated[str, one_of("overwrite", "overwrite")] = "",
) -> Result:
    path = resolve(context, file)
    todos = (await context.opened.workshop.service.current()).todos
    if path.exists() and not overwrite:
        return Confirm(f"Overwrite {file}?", "", f'/plan export "{file}" overwrite')
    path.write_text(markdown.export(todos), "utf-8")
    return Text(f"{len(todos)} todos are in {file}; /plan import brings them back")


async def _finalise(
    context: Context,
    plan: Annotated[int | None, PLAN] = None,
    version: Annotated[int | None, VERSION] = None,
) -> Result:
    artifact = await _chosen(context, plan)
    artifacts = context.opened.workshop.artifacts
    preview = await artifacts.preview(artifact.id)
    if preview.known:
        return Text(f"{_name(artifact)} has become todos already; change its text to add more")
    if preview.listless:
        raise CommandError(f"{_name(artifact)} has no steps", "write them as a list, then finalise it")
    if version is None:
        line = f"/plan finalise {artifact.id} {preview.version}"
        return Confirm(f"Make these the todos of {artifact.title!r}?", _steps(preview), line)
    if version != preview.version:
        raise CommandError(
            f"{_name(artifact)} was changed meanwhile", f"look again: /plan finalise {artifact.id}"
        )
    staged = await artifacts.stage(USER, artifact.id, "final", preview=preview)
    context.opened.session.stir()
    return Text(f"{len(staged.todos)} todos added from {artifact.title!r}; /todos shows the plan")


async def _chosen(context: Context, plan: int | None) -> Artifact:
    """The one that was named, else the newest."""
    artifacts = context.opened.workshop.artifacts
    if plan is not None:
        return await artifacts.get(plan)
    found = await artifacts.list("plan")
    if not found:
        raise CommandError(
            "there is no written plan", "/todos shows the list, /plan import FILE reads a plan"
        )
    return max(found, key=lambda each: (each.updated_at, each.id))


def _name(artifact: Artifact) -> str:
    return f"plan {artifact.id} {artifact.title!r} ({artifact.stage}, version {artifact.version})"


def _read(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(4 * LONGEST + 1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is no UTF-8 text", "save it as Markdown and try again") from error
    if len(text) > LONGEST:
        raise CommandError(f"{path} is longer than {LONGEST} characters", "import a part of it")
    return text


def _steps(preview: Preview) -> str:
    rows = list(_rows(preview.drafts, 0))
    left_out = [f"({preview.left_out} more are left out)"] if preview.left_out else []
    return "\n".join([*rows, *left_out])


def _rows(drafts: Iterable[Draft], level: int) -> Iterable[str]:
    for draft in drafts:
        yield f"{'  ' * level}- {draft.title}"
        yield from _rows(draft.subtasks, level + 1)


COMMANDS = (
    command("plan", "Show the written plan: the newest, or the one with this id", _show),
    command("plan import", "Read todos from a Markdown list, or a plan from prose", _import),
    command("plan export", "Write the todos to a Markdown file", _export),
    command("plan finalise", "Show the steps of a plan, then make them todos", _finalise),
)
