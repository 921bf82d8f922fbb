"""Which tools a model is given for the list, by dialect and access level."""

from __future__ import annotations

from typing import Literal, get_args

from agent.todos.actors import Access
from agent.todos.dialects import list as whole_list
from agent.todos.dialects import skills, standard, tasks
from agent.todos.errors import TodoError
from agent.tools.tool import Tool

Dialect = Literal["standard", "skills", "list", "tasks", "writ"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

# What a level or policy may not do is not offered either; the service refuses it in any case.
_CLOSING = frozenset({"todo_complete", "todo_delete"})
_PLANNING = frozenset({"todo_add", "todo_delete", "todo_write", "todowrite", "task_create"})


def tools(dialect: str, access: Access = "full", *, assigned: bool = False) -> tuple[Tool, ...]:
    """`writ` has none: its commands are lines in the reply. `assigned` is for agents that plan nothing."""
    match dialect:
        case "standard":
            offered = standard.TOOLS
        case "skills":
            offered = skills.TOOLS
        case "list":
            offered = whole_list.TOOLS
        case "tasks":
            offered = tasks.TOOLS
        case "writ":
            offered = ()
        case _:
            raise TodoError(f"no todo dialect {dialect!r}; there are {', '.join(DIALECTS)}")
    if access == "minimal":
        return tuple(tool for tool in offered if tool.safe)
    hidden: set[str] = set()
    if access != "full":
        hidden |= _CLOSING
    if assigned:
        hidden |= _PLANNING
    return tuple(tool for tool in offered if tool.name not in hidden)
