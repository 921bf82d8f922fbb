"""Names of project files for `@`, ignored ones left out, the nearest match first."""

from __future__ import annotations

import asyncio
import re
from itertools import islice
from pathlib import Path

from agent.tools.tree import walk

_MENTION = re.compile(r"(?:^|(?<=\s))@([^\s@]*)$")
_MOST_FILES = 20_000
_SHOWN = 50


class Files:
    """Walks the project when a mention begins, and not again while it is being typed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: list[str] | None = None

    async def matching(self, typed: str) -> list[str]:
        if self._known is None or not typed:
            self._known = await asyncio.to_thread(self._walked)
        return ranked(typed, self._known)[:_SHOWN]

    def _walked(self) -> list[str]:
        # A name that a terminal would not show as it is cannot be typed either.
        return [path for path in islice(walk(self._root, self._root), _MOST_FILES) if path.isprintable()]


def mention(text: str) -> str | None:
    """What was typed after the `@` at the end; None when there is none."""
    found = _MENTION.search(text)
    return found[1] if found else None


def ranked(typed: str, paths: list[str]) -> list[str]:
    """Names that begin with it, then names and paths that contain it, then its letters in order."""
    wanted = typed.lower()
    letters = re.compile(".*?".join(map(re.escape, wanted)))

    def rank(path: str) -> int | None:
        whole, name = path.lower(), path.lower().rpartition("/")[2]
        if whole.startswith(wanted) or name.startswith(wanted):
            return 0
        if wanted in name:
            return 1
        if wanted in whole:
            return 2
        return 3 if letters.search(whole) else None

    scored = [(place, len(path), path) for path in paths if (place := rank(path)) is not None]
    return [path for _, _, path in sorted(scored)]
