"""Reads from git's index which paths are submodules."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_LARGEST = 256 * 1024 * 1024
_SUBMODULE = 0o160000


class _UnreadableError(Exception):
    pass


def submodules(folder: Path, *, hash_size: int) -> tuple[str, ...] | None:
    """Return the paths of submodules in the index of this repository; None if that cannot be known."""
    found: tuple[str, ...] = ()
    try:
        for index in (folder / "index", *folder.glob("sharedindex.*")):
            if os.path.lexists(index):
                about = index.lstat()
                if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST:
                    return None
                found += _submodules_of(index, hash_size, (about.st_ino, about.st_size, about.st_ctime_ns))
    except (OSError, _UnreadableError):
        return None
    return found


@lru_cache(maxsize=16)
def _submodules_of(index: Path, hash_size: int, version: tuple[int, int, int]) -> tuple[str, ...]:
    del version  # Large indexes are read again only when they changed.
    try:
        return tuple(_submodules(index.read_bytes(), hash_size))
    except (ValueError, struct.error, IndexError) as error:
        raise _UnreadableError(index) from error


def _submodules(content: bytes, hash_size: int) -> Iterator[str]:
    signature, version, count = struct.unpack_from(">4sII", content)
    if signature != b"DIRC" or version not in (2, 3, 4):
        raise ValueError(version)
    position, name = 12, b""
    for _ in range(count):
        start = position
        (mode,) = struct.unpack_from(">I", content, start + 24)
        (flags,) = struct.unpack_from(">H", content, start + 40 + hash_size)
        position = start + 40 + hash_size + (4 if flags & 0x4000 else 2)
        kept = 0
        if version == 4:
            removed, position = _number(content, position)
            kept = len(name) - removed
        end = content.index(b"\0", position)
        name = name[: max(kept, 0)] + content[position:end]
        position = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8
        kind = stat.S_IFMT(mode)
        # A folder stands for all that a sparse checkout leaves out; a name may be left to the shared index.
        if kind == stat.S_IFDIR or (kind == _SUBMODULE and not name):
            raise ValueError(kind)
        if kind == _SUBMODULE:
            yield name.decode("utf-8", "surrogateescape")


def _number(content: bytes, position: int) -> tuple[int, int]:
    """Return a number of as many bytes as it needs, and where it ends."""
    byte = content[position]
    value = byte & 0x7F
    while byte & 0x80:
        position += 1
        byte = content[position]
        value = ((value + 1) << 7) + (byte & 0x7F)
    return value, position + 1
