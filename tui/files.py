"""Files and folders of the project for `@`: ignored ones left out, the nearest match first.

Of equal matches those used most come first, then those changed last.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from agent.tools.tree import walk

_MENTION = re.compile(r"(?:^|(?<=\s))@([^\s@]*)$")
_MENTIONED = re.compile(r"(?:^|(?<=\s))@(\S+)")
_MOST_FILES = 20_000
_SHOWN = 50
# Seconds for which a walk holds; a project does not change under the fingers.
_FRESH = 10.0
# Seconds within which a checkout or a copy writes its files.
_CHECKOUT = 60.0
# What a mention is worth when another prompt has been written since.
_FADING = 0.97

Prompts = Callable[[], Awaitable[Sequence[str]]]


async def _nothing() -> Sequence[str]:
    return ()


class Files:
    """Walks the project in a thread when a mention begins, and not again while it is being typed."""

    def __init__(self, root: Path, prompts: Prompts = _nothing) -> None:
        """`prompts` gives what the user wrote earlier, oldest first."""
        self._root = root
        self._prompts = prompts
        self._known: list[str] = []
        self._uses: dict[str, float] = {}
        self._changed: dict[str, float] = {}
        self._walking: asyncio.Future[dict[str, float]] | None = None
        self._walked_at: float | None = None
        # A longer word has no matches that the shorter one did not have.
        self._matches: tuple[str, list[str]] = ("", [])

    async def matching(self, typed: str) -> list[str]:
        old = self._walked_at is None or time.monotonic() - self._walked_at > _FRESH
        if self._walked_at is None or (old and not typed):
            await self._walk()
        before, matches = self._matches
        pool = matches if before and typed.startswith(before) else self._known
        found = await asyncio.to_thread(ranked, typed, pool, self._uses, self._changed)
        self._matches = (typed, found)
        return found[:_SHOWN]

    async def _walk(self) -> None:
        """Whoever asks meanwhile waits for the same walk, and one who no longer does leaves it running."""
        if self._walking is None:
            self._walking = asyncio.get_running_loop().run_in_executor(None, self._walked)
        walking = self._walking
        found = await asyncio.shield(walking)
        if self._walking is walking:
            self._uses, self._changed = uses(await self._prompts(), list(found)), changed(found)
            self._known, self._walked_at, self._walking = with_folders(found), time.monotonic(), None
            self._matches = ("", [])

    def _walked(self) -> dict[str, float]:
        """Files with the dates of their last change."""
        # A name that a terminal would not show as it is cannot be typed either.
        found = (path for path in islice(walk(self._root, self._root), _MOST_FILES) if path.isprintable())
        return {path: _date(self._root / path) for path in found}


def mention(text: str) -> str | None:
    """What was typed after the `@` at the end; None when there is none."""
    found = _MENTION.search(text)
    return found[1] if found else None


def uses(prompts: Sequence[str], paths: Sequence[str] = ()) -> dict[str, float]:
    """How much each path was mentioned; the newer a prompt, the more it counts.

    A mention ends at a blank, unless it is one of the `paths`.
    """
    longer: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted((path for path in paths if " " in path), key=len, reverse=True):
        longer[path.partition(" ")[0]].append(path)
    found: dict[str, float] = {}
    weight = 1.0
    for text in reversed(prompts):
        for each in _MENTIONED.finditer(text):
            named = (path for path in longer.get(each[1], ()) if text.startswith(path, each.start(1)))
            path = next(named, each[1])
            found[path] = found.get(path, 0.0) + weight
        weight *= _FADING
    return found


def with_folders(files: Iterable[str]) -> list[str]:
    """The files, then the folders they are in, each with a slash at the end."""
    found = list(files)
    folders: dict[str, None] = {}
    for path in found:
        parts = path.split("/")[:-1]
        folders |= dict.fromkeys(f"{'/'.join(parts[: end + 1])}/" for end in range(len(parts)))
    return [*found, *folders]


def changed(dates: Mapping[str, float]) -> dict[str, float]:
    """The files that were changed after the bulk of the project was written, as by a checkout."""
    if not dates:
        return {}
    usual = sorted(dates.values())[(len(dates) - 1) // 2] + _CHECKOUT
    return {path: date for path, date in dates.items() if date > usual}


def ranked(
    typed: str,
    paths: Sequence[str],
    used: Mapping[str, float] | None = None,
    changed: Mapping[str, float] | None = None,
) -> list[str]:
    """Names that begin with it, names that contain it, paths that do, then its letters in order.

    With a slash it is looked for in the path, from its beginning on.
    """
    wanted = typed.lower()
    letters = re.compile(".*?".join(map(re.escape, wanted)))

    def rank(path: str) -> int | None:
        whole = path.lower()
        name = whole.removesuffix("/").rpartition("/")[2]
        if name.startswith(wanted) or ("/" in wanted and whole.startswith(wanted)):
            return 0
        if wanted in name:
            return 1
        if wanted in whole:
            return 2 if whole.startswith(wanted) else 3
        return 4 if letters.search(whole) else None

    uses, dates = used or {}, changed or {}
    scored = [
        (
            place,
            -uses.get(path, 0.0),
            -dates.get(path, 0.0),
            path.endswith("/") and path != typed,
            len(path),
            path,
        )
        for path in paths
        if (place := rank(path)) is not None
    ]
    return [path for *_, path in sorted(scored)]


def _date(path: Path) -> float:
    try:
        return path.stat(follow_symlinks=False).st_mtime
    except OSError:
        # Gone since it was listed.
        return 0.0
