"""Copies of a project's files as they are before a command, since nobody knows what it will change."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from agent.paths import make_private_folder
from agent.rewind import states
from agent.rewind.blobs import digest_of
from agent.tools.tool import ToolError
from agent.tools.tree import IGNORE_FILES, Ignore, entries
from store.frozen import frozen
from store.records import FileState

# Looking at this many takes some 50 ms; a larger project is left to version control.
MOST_FILES = 5_000
LARGEST = 1_000_000

Signature = tuple[int, ...]


@frozen
class Difference:
    """`content` is what was there before; None where it was too large to be copied."""

    path: Path
    before: FileState
    content: bytes | None
    after: FileState


@frozen
class _Known:
    """How an entry looked; `copy` is where its content begins in the scratch file, and how long it is."""

    signature: Signature
    copy: tuple[int, int] | None = None


class Baseline:
    """`scratch` is a folder of its own that goes away with it; `room` is how many bytes it looks after.

    `excluded` places are never looked at, such as Wakeful's own.
    Where there is too much to look at, only files that the session has read or changed are.
    """

    def __init__(self, root: Path, scratch: Path, room: int, *, excluded: tuple[Path, ...] = ()) -> None:
        self._root = root
        self._excluded = excluded
        self._scratch = scratch
        self._room = room
        self._known: dict[str, _Known] = {}
        self._ignore = Ignore(root)
        self._hidden: dict[str, bool] = {}
        self._copies: BinaryIO | None = None
        self._end = 0
        self._touched: set[str] = set()
        self.covers = True

    def touch(self, path: Path) -> None:
        if path.is_relative_to(self._root):
            self._touched.add(path.relative_to(self._root).as_posix())

    def refresh(self) -> None:
        """Before a command: whatever changed since the last look was somebody else."""
        found = self._scan()
        if self._end > 2 * self._room:
            # Mostly what nobody needs any more; everything is copied anew.
            self.close()
        for path in [each for each in self._known if each not in found]:
            del self._known[path]
        for path, signature in found.items():
            known = self._known.get(path)
            if known is None or known.signature != signature:
                self._take(path, signature)

    def differences(self) -> list[Difference]:
        """After it: what is not as it was, which from now on is how things are."""
        covered = self.covers
        found = self._scan()
        changed = [path for path, known in self._known.items() if found.get(path) != known.signature]
        changed += [path for path in found if path not in self._known]
        if covered and not self.covers:
            # The command made it too much; most of what seems to be gone was just not looked at.
            changed = [path for path in changed if path in self._touched]
        differences = [each for path in sorted(changed) if (each := self._difference(path)) is not None]
        for path in changed:
            if path in found:
                self._take(path, found[path])
            else:
                self._known.pop(path, None)
        return differences

    def close(self) -> None:
        if self._copies is not None:
            self._copies.close()
        self._copies, self._end = None, 0
        self._known.clear()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _scan(self) -> dict[str, Signature]:
        found = self._scan_all() if self.covers else None
        if found is None:
            self.covers = False
            found = dict(self._scan_touched())
        return found

    def _scan_all(self) -> dict[str, Signature] | None:
        found: dict[str, Signature] = {}
        size = 0
        changed = False
        for marked, entry in entries(self._root, self._root, self._hides):
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            # What was a folder may be a link now: one name, one thing.
            path = marked.removesuffix("/")
            found[path] = signature = _signature(status)
            size += status.st_size if status.st_size <= LARGEST else 0
            if len(found) > MOST_FILES or size > self._room:
                return None
            changed |= entry.name in IGNORE_FILES and self._known.get(path, _NEW).signature != signature
        if changed and self._known:
            # Other files may be hidden now; the next look goes by the new rules.
            self._ignore, self._hidden = Ignore(self._root), {}
        return found

    def _scan_touched(self) -> Iterator[tuple[str, Signature]]:
        for path in self._touched:
            try:
                yield path, _signature((self._root / path).lstat())
            except OSError:
                continue

    def _hides(self, path: str) -> bool:
        # Matching patterns costs more than all the rest of a look.
        if path not in self._hidden:
            ours = any((self._root / path).is_relative_to(place) for place in self._excluded)
            self._hidden[path] = ours or not _storable(path) or self._ignore.hides(path)
        return self._hidden[path]

    def _take(self, path: str, signature: Signature) -> None:
        place = self._root / path
        data: bytes | None = None
        try:
            if stat.S_ISLNK(signature[0]):
                data = os.fsencode(place.readlink())
            elif stat.S_ISREG(signature[0]) and signature[1] <= LARGEST:
                data = place.read_bytes()
        except OSError:
            # Not readable, or gone already; then it is at least known that it was there.
            data = None
        kept = data is not None and len(data) <= LARGEST
        self._known[path] = _Known(signature, self._copy(data) if data is not None and kept else None)

    def _copy(self, data: bytes) -> tuple[int, int]:
        """All in one file: making thousands of small ones takes ten times as long."""
        if self._copies is None:
            make_private_folder(self._scratch)
            handle = os.open(
                self._scratch / "copies", os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600
            )
            self._copies = os.fdopen(handle, "w+b")
        self._copies.write(data)
        where = (self._end, len(data))
        self._end += len(data)
        return where

    def _copied(self, where: tuple[int, int]) -> bytes:
        assert self._copies is not None
        self._copies.flush()
        return os.pread(self._copies.fileno(), where[1], where[0])

    def _difference(self, path: str) -> Difference | None:
        place = self._root / path
        before, content = self._before(path)
        try:
            after = states.look(place)
        except (OSError, ToolError):
            after = FileState("other")
        return None if before.matches(after) else Difference(place, before, content, after)

    def _before(self, path: str) -> tuple[FileState, bytes | None]:
        known = self._known.get(path)
        if known is None:
            return states.ABSENT, None
        kind, size = known.signature[:2]
        if stat.S_ISDIR(kind):
            return FileState("folder", stat.S_IMODE(kind)), b""
        mode = None if stat.S_ISLNK(kind) else stat.S_IMODE(kind)
        name = "link" if stat.S_ISLNK(kind) else "file" if stat.S_ISREG(kind) else "other"
        if known.copy is None:
            return FileState(name, mode, "", size), None
        data = self._copied(known.copy)
        return FileState(name, mode, digest_of(data), len(data)), data


_NEW = _Known(())


def _signature(status: os.stat_result) -> Signature:
    if stat.S_ISDIR(status.st_mode):
        # What is in it says for itself whether it changed.
        return status.st_mode, 0
    return status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _storable(path: str) -> bool:
    """Names that are no text cannot be noted."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
