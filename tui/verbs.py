"""What tools did, in words a person would use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# While it runs, when it has, and what it would do.
_VERBS = {
    "shell": ("Running", "Ran", "run"), "read": ("Reading", "Read", "read"),
    "write": ("Writing", "Wrote", "write"), "edit": ("Editing", "Edited", "edit"),
    "patch": ("Patching", "Patched", "patch"), "glob": ("Looking for", "Found", "look for"),
    "grep": ("Searching", "Searched", "search"), "fetch": ("Fetching", "Fetched", "fetch"),
    "ask_user": ("Asking", "Asked", "ask"), "jobs": ("Checking", "Checked", "check"),
}  # fmt: skip
# Of the plan's own tools only what came to nothing is told.
_PLAN_VERBS = {
    "todo_add": "add a todo", "task_create": "add a todo", "todo_delete": "delete a todo",
    "todo_complete": "complete a todo", "todo_update": "change a todo", "task_update": "change a todo",
    "todo_get": "read a todo", "todo_list": "read the plan", "todoread": "read the plan",
    "todo_write": "change the plan", "todowrite": "change the plan",
}  # fmt: skip
_WHOLE = frozenset({"write", "edit", "patch", *_PLAN_VERBS})
_PLANNING = re.compile(r"(?:todo|task)_?\w*$")
# Only the output of these is news to a person; what the others read is in the files.
TALKATIVE = frozenset({"shell", "jobs"})


def verb(tool: str, *, running: bool = False, asked: bool = False, denied: bool = False) -> str:
    """`asked` while a person is asked about it; `denied` also when it was stopped before it began."""
    doing, done, wanted = _VERBS.get(tool, (tool, tool, _PLAN_VERBS.get(tool, f"use {tool}")))
    if denied:
        return f"Did not {wanted}"
    return f"Wants to {wanted}" if asked else doing if running else done


def is_unbegun(status: str, metadata: Mapping[str, Any]) -> bool:
    """Whether the call never started, so that it took no time: the user thinking about it is none of its."""
    return status == "denied" or metadata.get("begun") is False


def is_undone(tool: str, status: str, metadata: Mapping[str, Any]) -> bool:
    """Whether it changed nothing: it never began, or what is done whole or not at all failed."""
    return is_unbegun(status, metadata) or (status == "failed" and tool in _WHOLE)


def refusal(metadata: Mapping[str, Any]) -> str:
    """Why a call was denied, in a line below the call; empty where only the model was told."""
    reason = metadata.get("refused")
    return "" if reason is None else f"refused: {reason}" if reason else "refused"


def tally(metadata: Mapping[str, Any]) -> str:
    """How much a search found; empty where nothing was searched."""
    hits, files = metadata.get("hits"), metadata.get("files")
    if isinstance(hits, int) and metadata.get("more"):
        return f"over {_counted(hits, 'hit')}"
    found = _counted(hits, "hit") if isinstance(hits, int) else ""
    if not isinstance(files, int) or hits == 0:
        return found
    return f"{found} in {_counted(files, 'file')}" if found else _counted(files, "file")


def is_planning(tool: str) -> bool:
    """Its effect is the plan, which is shown by itself."""
    return _PLANNING.match(tool) is not None


def _counted(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
