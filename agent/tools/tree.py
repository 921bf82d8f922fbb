"""Walks the files of a project the way its ignore files want it walked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from store.frozen import frozen

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# In the order of their say: the later one wins.
IGNORE_FILES = (".gitignore", ".ignore")
_NEVER = frozenset({".git", ".hg", ".svn", ".jj"})
MOST = 200_000
_IGNORE_BYTES = 1_000_000


def walk(root: Path, start: Path, *, most: int = MOST) -> Iterator[str]:
    """Paths of ordinary files below `start`, relative to `root`, in order; symlinks are not followed."""
    count = 0
    for path, entry in entries(root, start, Ignore(root).hides):
        if entry.is_file(follow_symlinks=False):
            count += 1
            if count > most:
                return
            yield path


def entries(root: Path, start: Path, hides: Callable[[str], bool]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything that is not hidden, with paths as `Ignore` wants them; a folder before what is in it."""
    pending = ["" if start == root else f"{start.relative_to(root).as_posix()}/"]
    while pending:
        folder = pending.pop()
        folders: list[str] = []
        for entry in _entries(root / folder):
            is_folder = entry.is_dir(follow_symlinks=False)
            path = f"{folder}{entry.name}/" if is_folder else folder + entry.name
            if hides(path):
                continue
            if is_folder:
                folders.append(path)
            yield path, entry
        pending += reversed(folders)


class Ignore:
    """Answers for paths relative to a root, folders with a slash at the end."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, tuple[_Rules, ...]] = {}

    def hides(self, path: str) -> bool:
        """By its own name; whether a folder above is hidden is not looked at."""
        folder, name = _split(path)
        if name in _NEVER:
            return True
        for rule in reversed(self._rules(folder)):
            verdict = rule.patterns.check_file(path[len(rule.base) :]).include
            if verdict is not None:
                return verdict
        return False

    def hides_on_the_way(self, path: str) -> bool:
        folder, _ = _split(path)
        return self.hides(path) or (folder != "" and self.hides_on_the_way(folder))

    def _rules(self, folder: str) -> tuple[_Rules, ...]:
        if folder not in self._known:
            above = self._rules(_split(folder)[0]) if folder else ()
            self._known[folder] = (*above, *_read_rules(self._root, folder))
        return self._known[folder]


@frozen
class _Rules:
    """The patterns of one directory; `base` is its path below the root, with a slash at the end."""

    base: str
    patterns: GitIgnoreSpec


def _split(path: str) -> tuple[str, str]:
    folder, slash, name = path.removesuffix("/").rpartition("/")
    return folder + slash, name


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        # Unreadable, or gone since it was listed.
        return []


def _read_rules(root: Path, folder: str) -> list[_Rules]:
    lines: list[str] = []
    names = (".git/info/exclude", *IGNORE_FILES) if not folder else IGNORE_FILES
    for name in names:
        path = root / folder / name
        try:
            if path.is_file() and not path.is_symlink() and path.stat().st_size < _IGNORE_BYTES:
                lines += path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
    if not lines:
        return []
    # pathspec costs 35 ms to import.
    from pathspec import GitIgnoreSpec

    return [_Rules(folder, GitIgnoreSpec.from_lines(lines))]
