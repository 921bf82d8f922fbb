"""What a call would change, as a diff, found out before anybody allows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.tools import registry
from agent.tools.diff import lines_of, unified
from agent.tools.local import LocalWorkspace
from agent.tools.tool import Tool, ToolError


async def rehearsed(tool: Tool, workspace: LocalWorkspace, arguments: Mapping[str, Any]) -> str:
    """Of a change that cannot be made, what the model wrote: whoever is asked sees what was meant."""
    try:
        output = await registry.call(tool, workspace, arguments)
    except ToolError:
        return _as_written(arguments)
    return str(output.metadata.get("diff", ""))


def _as_written(arguments: Mapping[str, Any]) -> str:
    if "diff" in arguments:
        return str(arguments["diff"])
    old, new = arguments.get("old", ""), arguments.get("new", arguments.get("content", ""))
    return unified(str(arguments["path"]), lines_of(str(old).encode()), lines_of(str(new).encode()))
