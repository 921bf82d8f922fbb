"""Makes a tool of a function on the list; its description is `DIALECT_NAME.md` beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agent.tools.tool import Output, Target, Tool


def todo_tool(
    dialect: str,
    function: Callable[..., Awaitable[str | Output]],
    title: Callable[[Mapping[str, Any]], str],
    *,
    safe: bool = False,
    guide: str = "",
) -> Tool:
    name = function.__name__
    return Tool(
        name, function, _no_targets, title, safe=safe, on="todos", page=f"{dialect}_{name}", guide=guide
    )


def _no_targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    """The list is the service's to guard, by access level and consent."""
    del arguments
    return ()
