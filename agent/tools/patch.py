"""Applies a unified diff to several files, all of it or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.tools.diff import shown, summary
from agent.tools.hunks import FilePatch, parse, patched
from agent.tools.tool import Change, Output, Target, Tool, ToolError, Workspace


async def patch(workspace: Workspace, diff: str) -> Output:
    # By path, so that a second section for a file builds on the first.
    contents: dict[Path, bytes | None] = {}
    originals: dict[Path, bytes | None] = {}
    for section in parse(diff):
        await _load(workspace, section, contents)
        for path, data in contents.items():
            originals.setdefault(path, data)
        _advance(workspace, section, contents)
    changes = [
        Change(path, originals[path], after) for path, after in contents.items() if after != originals[path]
    ]
    if not changes:
        raise ToolError("the patch changes nothing")
    await workspace.apply(changes)
    lines = [f"{_verb(change)} {shown(workspace.root, change.path)}" for change in changes]
    return Output("\n".join(lines), metadata=summary(workspace.root, changes))


async def _load(workspace: Workspace, section: FilePatch, contents: dict[Path, bytes | None]) -> None:
    for name in {section.old, section.new} - {None}:
        assert name is not None
        path = workspace.resolve(name, writing=True)
        if path in contents:
            continue
        try:
            contents[path] = await workspace.read(path)
        except FileNotFoundError:
            contents[path] = None
        except IsADirectoryError as error:
            raise ToolError(f"{name} is a directory; nothing was changed") from error


def _advance(workspace: Workspace, section: FilePatch, contents: dict[Path, bytes | None]) -> None:
    before: bytes | None = None
    if section.old is not None:
        source = workspace.resolve(section.old, writing=True)
        before = contents[source]
        if before is None:
            raise ToolError(
                f"{section.old} does not exist; nothing was changed. Use /dev/null as the old name to create"
            )
        contents[source] = None
    if section.new is None:
        return
    destination = workspace.resolve(section.new, writing=True)
    if contents[destination] is not None:
        raise ToolError(
            f"{section.new} exists already; nothing was changed. Name it on the --- line to change it"
        )
    contents[destination] = patched(section.new, before or b"", section.hunks)


def _verb(change: Change) -> str:
    if change.before is None:
        return "created"
    return "deleted" if change.after is None else "changed"


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return tuple(Target("edit", name) for name in _names(arguments))


def _title(arguments: Mapping[str, Any]) -> str:
    return ", ".join(_names(arguments)) or "unreadable patch"


def _names(arguments: Mapping[str, Any]) -> list[str]:
    try:
        sections = parse(arguments["diff"])
    except ToolError:
        # The call itself will say so, and touch nothing.
        return []
    return sorted({name for section in sections for name in (section.old, section.new) if name is not None})


TOOL = Tool("patch", patch, _targets, _title, rehearsable=True)
