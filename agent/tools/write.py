"""Writes a whole file, unless that would lose what the model has not seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.tools.diff import shown, summary
from agent.tools.tool import Change, Output, Target, Tool, ToolError, Workspace


async def write(workspace: Workspace, path: str, content: str) -> Output:
    real = workspace.resolve(path, writing=True)
    try:
        before = await workspace.read(real)
    except FileNotFoundError:
        before = None
    except IsADirectoryError as error:
        raise ToolError(f"{path} is a directory; give the path of a file in it") from error
    if before is not None and not workspace.known(real):
        raise ToolError(f"{path} exists and you have not read it; read it first, then write or edit it")
    change = Change(real, before, content.encode())
    await workspace.apply([change])
    lines = content.count("\n") + (not content.endswith("\n") and content != "")
    what = "created" if before is None else "replaced"
    return Output(
        f"{what} {shown(workspace.root, real)}, {lines} lines", metadata=summary(workspace.root, [change])
    )


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return (Target("edit", arguments["path"]),)


def _title(arguments: Mapping[str, Any]) -> str:
    return arguments["path"]


TOOL = Tool("write", write, _targets, _title, rehearsable=True)
