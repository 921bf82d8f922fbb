"""What tools did, in words a person would use."""

from __future__ import annotations

import re

# While it runs, when it has, and when it may not.
_VERBS = {
    "shell": ("Running", "Ran", "Run"), "read": ("Reading", "Read", "Read"),
    "write": ("Writing", "Wrote", "Write"), "edit": ("Editing", "Edited", "Edit"),
    "patch": ("Patching", "Patched", "Patch"), "glob": ("Looking for", "Found", "Look for"),
    "grep": ("Searching", "Searched", "Search"), "fetch": ("Fetching", "Fetched", "Fetch"),
    "ask_user": ("Asking", "Asked", "Ask"), "jobs": ("Checking", "Checked", "Check"),
}  # fmt: skip
_PLANNING = re.compile(r"(?:todo|task)_?\w*$")
# Only the output of these is news to a person; what the others read is in the files.
TALKATIVE = frozenset({"shell", "jobs"})


def verb(tool: str, *, running: bool = False, denied: bool = False) -> str:
    doing, done, wanted = _VERBS.get(tool, (tool, tool, tool))
    return doing if running else wanted if denied else done


def is_planning(tool: str) -> bool:
    """Its effect is the plan, which is shown by itself."""
    return _PLANNING.match(tool) is not None
