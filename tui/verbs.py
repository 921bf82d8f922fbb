"""What tools did, in words a person would use."""

from __future__ import annotations

import re

# While it runs, and when it has.
_VERBS = {
    "shell": ("Running", "Ran"), "read": ("Reading", "Read"), "write": ("Writing", "Wrote"),
    "edit": ("Editing", "Edited"), "patch": ("Patching", "Patched"), "glob": ("Looking for", "Found"),
    "grep": ("Searching", "Searched"), "fetch": ("Fetching", "Fetched"), "ask_user": ("Asking", "Asked"),
    "jobs": ("Checking", "Checked"),
}  # fmt: skip
_PLANNING = re.compile(r"(?:todo|task)_?\w*$")
# Only the output of these is news to a person; what the others read is in the files.
TALKATIVE = frozenset({"shell", "jobs"})


def verb(tool: str, *, running: bool = False) -> str:
    doing, done = _VERBS.get(tool, (tool, tool))
    return doing if running else done


def is_planning(tool: str) -> bool:
    """Its effect is the plan, which is shown by itself."""
    return _PLANNING.match(tool) is not None
