"""Keeps the contents of files under their own digests, outside every project, within a bound."""

from __future__ import annotations

import fcntl
import os
import re
import time
from collections.abc import Collection, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from agent.digests import hashed
from agent.paths import make_private_folder
from store.ids import chance_name

_NAME = re.compile(r"[0-9a-f]{64}")
# Other processes add too, so what is there is counted anew after this share of the bound.
_RECOUNT = 0.1
# Seconds; what nobody refers to may be about to be referred to.
_GRACE = 60.0


def digest_of(data: bytes) -> str:
    return hashed(data, size=32).hexdigest()


class Blobs:
    """`limit` is in bytes. A content larger than that is never kept."""

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self.limit = limit
        self._room = 0.0

    def put(self, data: bytes) -> str:
        """Its digest; the oldest contents make room for it."""
        digest = digest_of(data)
        if len(data) > self.limit:
            return digest
        with self._locked(fcntl.LOCK_SH):
            path = self._path(digest)
            try:
                # Needed again, and so no longer among the oldest.
                os.utime(path)
            except FileNotFoundError:
                _write(path, data)
                self._room -= len(data)
        if self._room < 0:
            self.trim()
        return digest

    def get(self, digest: str) -> bytes | None:
        """None when it had to make room, or is not what it was."""
        try:
            data = self._path(digest).read_bytes()
        except FileNotFoundError:
            return None
        return data if digest_of(data) == digest else None

    def __contains__(self, digest: str) -> bool:
        return self._path(digest).exists()

    def trim(self) -> None:
        with self._locked(fcntl.LOCK_EX):
            found = sorted(self._found(), key=lambda each: each[1].st_mtime_ns)
            total = sum(status.st_size for _, status in found)
            for path, status in found:
                if total <= self.limit:
                    break
                path.unlink(missing_ok=True)
                total -= status.st_size
        self._room = min(self.limit - total, self.limit * _RECOUNT)

    def sweep(self, used: Collection[str]) -> int:
        """Remove what no step refers to any more, such as those of a deleted session; says how many."""
        if not self.folder.is_dir():
            return 0
        removed = 0
        with self._locked(fcntl.LOCK_EX):
            for path, status in self._found():
                if path.name not in used and time.time() - status.st_mtime > _GRACE:
                    path.unlink(missing_ok=True)
                    removed += 1
        return removed

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest

    def _found(self) -> Iterator[tuple[Path, os.stat_result]]:
        for folder in self.folder.iterdir():
            for path in folder.iterdir() if folder.is_dir() else ():
                if _NAME.fullmatch(path.name):
                    with suppress(FileNotFoundError):
                        yield path, path.stat()

    @contextmanager
    def _locked(self, kind: int) -> Generator[None]:
        """Nobody may take away what another process has just found to be there."""
        make_private_folder(self.folder)
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, kind)
            yield
        finally:
            os.close(handle)


def _write(path: Path, data: bytes) -> None:
    make_private_folder(path.parent)
    temporary = path.with_name(f"{path.name}.{chance_name(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
