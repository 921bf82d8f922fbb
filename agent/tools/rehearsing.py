"""A change that is tried before anybody allows it: its diff, and what it does to which content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.tools import registry
from agent.tools.diff import lines_of, unified
from agent.tools.local import LocalWorkspace, Print, prints
from agent.tools.tool import Tool
from store.frozen import frozen


@frozen
class Rehearsal:
    """`prints` name the changes by their content: those and no others may be made once it is approved."""

    diff: str
    prints: frozenset[Print]


async def rehearsed(tool: Tool, workspace: LocalWorkspace, arguments: Mapping[str, Any]) -> Rehearsal:
    """Raises ToolError for a change that cannot be made as things are."""
    output = await registry.call(tool, workspace, arguments)
    return Rehearsal(str(output.metadata.get("diff", "")), prints(workspace.proposed))


def as_written(arguments: Mapping[str, Any]) -> Rehearsal:
    """The words of the model alone, where the files may not be read for it; no change is approved by it."""
    if "diff" in arguments:
        return Rehearsal(str(arguments["diff"]), frozenset())
    old, new = arguments.get("old", ""), arguments.get("new", arguments.get("content", ""))
    diff = unified(str(arguments["path"]), lines_of(str(old).encode()), lines_of(str(new).encode()))
    return Rehearsal(diff, frozenset())
