"""What an edit did, as a unified diff for screens to colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from agent.tools.tool import Change

CONTEXT = 3
# Beyond this difflib may take seconds; the block is then shown as replaced.
LARGEST = 3_000
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def summary(root: Path, changes: Sequence[Change]) -> dict[str, Any]:
    """The metadata of a tool that edits: the files, their diff and its counts."""
    texts = [
        unified(shown(root, change.path), lines_of(change.before), lines_of(change.after))
        for change in changes
    ]
    lines = [line for text in texts for line in text.split("\n") if not line.startswith(("+++", "---"))]
    return {
        "files": [shown(root, change.path) for change in changes],
        "diff": "".join(texts),
        "added": sum(1 for line in lines if line.startswith("+")),
        "removed": sum(1 for line in lines if line.startswith("-")),
    }


def shown(root: Path, path: Path) -> str:
    """A path as the model would write it, on one line whatever its name holds."""
    text = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def lines_of(data: bytes | None) -> list[str] | None:
    if data is None:
        return None
    # Only a line feed ends a line: others, such as a form feed, are part of it.
    return StringIO(data.decode("utf-8", "replace").replace("\r\n", "\n")).readlines()


def unified(name: str, before: list[str] | None, after: list[str] | None) -> str:
    old, new = before or [], after or []
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    start = max(0, start - CONTEXT)
    end = max(0, end - CONTEXT)
    hunks = _hunks(old[start : len(old) - end], new[start : len(new) - end], start)
    if not hunks:
        return ""
    old_name = "/dev/null" if before is None else f"a/{name}"
    new_name = "/dev/null" if after is None else f"b/{name}"
    head = f"--- {old_name}\n+++ {new_name}\n"
    return head + "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in hunks
    )


def _common(old: list[str], new: list[str]) -> int:
    count = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        count += 1
    return count


def _hunks(old: list[str], new: list[str], start: int) -> list[str]:
    if old == new:
        return []
    if max(len(old), len(new)) > LARGEST:
        return [_header(start, old, new), *("-" + line for line in old), *("+" + line for line in new)]
    # difflib costs 10 ms to import.
    from difflib import SequenceMatcher

    lines: list[str] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        first, last = group[0], group[-1]
        lines.append(_header(start, old[first[1] : last[2]], new[first[3] : last[4]], first[1], first[3]))
        for kind, old_from, old_to, new_from, new_to in group:
            if kind == "equal":
                lines += [" " + line for line in old[old_from:old_to]]
                continue
            lines += ["-" + line for line in old[old_from:old_to]]
            lines += ["+" + line for line in new[new_from:new_to]]
    return lines


def _header(start: int, old: list[str], new: list[str], old_from: int = 0, new_from: int = 0) -> str:
    def span(offset: int, lines: list[str]) -> str:
        # An empty side is numbered by the line before it.
        first = start + offset + (1 if lines else 0)
        return f"{first}" if len(lines) == 1 else f"{first},{len(lines)}"

    return f"@@ -{span(old_from, old)} +{span(new_from, new)} @@\n"
