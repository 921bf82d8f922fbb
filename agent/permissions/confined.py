"""Opens files so that nobody can swap a folder for a link between the check and the use."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from agent.permissions.errors import PermissionsError
from agent.permissions.paths import real

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)


def open_inside(root: Path, path: str | Path, flags: int = os.O_RDONLY, mode: int = 0o666) -> int:
    """A descriptor of a regular file below `root`. Links are followed first, then each step must be plain.

    Raises PermissionsError when the path leads outside, changed under us, or is no regular file.
    """
    with folder_inside(root, path) as (folder, name):
        try:
            # Without O_NONBLOCK a named pipe would hold us; O_TRUNC waits until we know what this is.
            late = flags & os.O_TRUNC
            found = os.open(
                name, (flags & ~late) | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode, dir_fd=folder
            )
        except OSError as error:
            raise _explained(path, error) from error
    try:
        if not stat.S_ISREG(os.fstat(found).st_mode):
            raise PermissionsError(f"{path} is not a regular file")
        os.set_blocking(found, True)
        if late:
            os.ftruncate(found, 0)
    except BaseException:
        os.close(found)
        raise
    return found


@contextmanager
def folder_inside(root: Path, path: str | Path, *, create: bool = False) -> Generator[tuple[int, str]]:
    """The folder of a file and the file's name in it, for those who create, rename or remove by `dir_fd`."""
    base = real(root)
    target = real(base / path)
    if not target.is_relative_to(base) or target == base or target.is_symlink():
        raise PermissionsError(f"{path} is not inside {root}")
    parts = target.relative_to(base).parts
    folder = os.open(base, _FOLDER)
    try:
        for part in parts[:-1]:
            folder = _step(folder, part, path, create=create)
        yield folder, parts[-1]
    finally:
        os.close(folder)


def _step(folder: int, part: str, path: str | Path, *, create: bool) -> int:
    try:
        if create:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=folder)
        deeper = os.open(part, _FOLDER, dir_fd=folder)
    except OSError as error:
        raise _explained(path, error) from error
    os.close(folder)
    return deeper


def _explained(path: str | Path, error: OSError) -> Exception:
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.ENXIO):
        return PermissionsError(f"{path} changed into something else while it was opened")
    return error
