"""What a session changed, as one diff that screens colour and `git apply` reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent.rewind import states
from agent.rewind.blobs import Blobs
from agent.rewind.plan import Finding
from agent.tools.diff import lines_of, shown, unified
from store.records import FileState

# Reading more than this would not make a diff that anybody reads.
_LARGEST = 4_000_000


def diff(root: Path, findings: Sequence[Finding], blobs: Blobs) -> str:
    """From the first state of each file to the one it is in now; folders show by what is in them."""
    return "".join(_file(root, found, blobs) for found in findings if found.verdict != "same")


def _file(root: Path, found: Finding, blobs: Blobs) -> str:
    before, after = found.journey.start, found.actual
    if not {before.kind, after.kind} & {"file", "link"}:
        return ""
    name = shown(root, found.path)
    head = f"diff --git a/{name} b/{name}\n{_modes(before, after)}"
    old = blobs.get(before.digest) if before.kind in ("file", "link") else None
    new = states.content(found.path, after, _LARGEST)
    unread = [state for state, data in ((before, old), (after, new)) if state.kind in _FULL and data is None]
    if unread:
        return f"{head}Files a/{name} and b/{name} differ; the content of one is not kept or too large\n"
    if any(data is not None and b"\0" in data[:8192] for data in (old, new)):
        return f"{head}Binary files a/{name} and b/{name} differ\n"
    return head + unified(name, lines_of(old), lines_of(new))


_FULL = ("file", "link")


def _modes(before: FileState, after: FileState) -> str:
    old, new = _mode(before), _mode(after)
    if before.kind == "absent":
        return f"new file mode {new}\n"
    if after.kind == "absent":
        return f"deleted file mode {old}\n"
    return f"old mode {old}\nnew mode {new}\n" if old != new else ""


def _mode(state: FileState) -> str:
    if state.kind == "link":
        return "120000"
    return f"100{state.mode if state.mode is not None else 0o644:03o}"
