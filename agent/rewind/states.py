"""What stands at a path, and putting back what stood there; no symlink on the way is ever followed."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from agent.digests import hashed
from agent.rewind.blobs import digest_of
from agent.tools import files
from agent.tools.tool import ToolError
from store.ids import chance_name
from store.records import FileState

ABSENT = FileState()
_CHUNK = 1 << 20
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def look(path: Path) -> FileState:
    """Raises OSError or ToolError for what cannot be read."""
    try:
        with files.directory(path) as folder:
            return look_in(folder, path.name)
    except FileNotFoundError:
        return ABSENT
    except ToolError as error:
        if isinstance(error.__cause__, OSError) and error.__cause__.errno in (errno.ELOOP, errno.ENOTDIR):
            # A file or a link stands where a folder was: below it there is nothing.
            return ABSENT
        raise


def look_in(folder: int, name: str) -> FileState:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISREG(status.st_mode):
        return _file(folder, name)
    if stat.S_ISLNK(status.st_mode):
        target = os.fsencode(os.readlink(name, dir_fd=folder))
        return FileState("link", None, digest_of(target), len(target))
    return FileState("folder" if stat.S_ISDIR(status.st_mode) else "other", mode)


def content(path: Path, state: FileState, limit: int) -> bytes | None:
    """The bytes that `state` names, if they are still there and not more than `limit`."""
    if state.kind not in ("file", "link") or state.size > limit:
        return None
    try:
        with files.directory(path) as folder:
            if state.kind == "link":
                data = os.fsencode(os.readlink(path.name, dir_fd=folder))
            else:
                with os.fdopen(os.open(path.name, _READ, dir_fd=folder), "rb") as file:
                    data = file.read(limit + 1)
    except (OSError, ToolError):
        return None
    return data if digest_of(data) == state.digest else None


def clear(path: Path, state: FileState) -> None:
    """Take away what stands there; a folder only when it is empty."""
    with files.directory(path) as folder:
        if state.kind == "folder":
            os.rmdir(path.name, dir_fd=folder)
        else:
            os.unlink(path.name, dir_fd=folder)


def put(path: Path, state: FileState, data: bytes) -> None:
    """Write a file, link or folder in one step, with its mode; parents are made where they are missing."""
    made: list[Path] = []
    with files.directory(path, made) as folder:
        if state.kind == "folder":
            with suppress(FileExistsError):
                os.mkdir(path.name, dir_fd=folder)
            if state.mode is not None:
                _set_mode(folder, path.name, state.mode)
            return
        temporary = f".{path.name[:100]}.{chance_name(6)}.tmp"
        try:
            if state.kind == "link":
                os.symlink(os.fsdecode(data), temporary, dir_fd=folder)
            else:
                files.create(folder, temporary, data, _like(folder, path.name), state.mode)
            os.rename(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
            raise


def _set_mode(folder: int, name: str, mode: int) -> None:
    # By handle: what has this name may be a link by now.
    descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def _file(folder: int, name: str) -> FileState:
    with os.fdopen(os.open(name, _READ, dir_fd=folder), "rb") as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        content, size = hashed(size=32), 0
        while chunk := file.read(_CHUNK):
            content.update(chunk)
            size += len(chunk)
    return FileState("file", mode, content.hexdigest(), size)


def _like(folder: int, name: str) -> os.stat_result | None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None
