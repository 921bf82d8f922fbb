"""What tools did, in words a person would use."""

from __future__ import annotations

import re

_VERBS = {
    "shell": "Ran", "read": "Read", "write": "Wrote", "edit": "Edited", "patch": "Patched",
    "glob": "Found", "grep": "Searched", "fetch": "Fetched", "ask_user": "Asked", "jobs": "Checked",
}  # fmt: skip
_PLANNING = re.compile(r"(?:todo|task)_?\w*$")
# Only the output of these is news to a person; what the others read is in the files.
TALKATIVE = frozenset({"shell", "jobs"})


def verb(tool: str) -> str:
    return _VERBS.get(tool, tool)


def is_planning(tool: str) -> bool:
    """Its effect is the plan, which is shown by itself."""
    return _PLANNING.match(tool) is not None
