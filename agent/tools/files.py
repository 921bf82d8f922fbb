"""Opens and replaces files by resolved path in a way that a swapped symlink cannot redirect."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from agent.tools.tool import Change, ToolError
from store.frozen import frozen
from store.ids import chance_name

READ_LIMIT = 32_000_000
_DIRECTORY = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
# Opening a named pipe would wait for a writer.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def read(path: Path) -> bytes:
    """Raises FileNotFoundError for a missing file; ToolError for what is not an ordinary file."""
    with directory(path) as folder:
        return _read(folder, path)


def replace(changes: Sequence[Change]) -> None:
    """All files change, each by one rename, or none does."""
    made: list[Path] = []
    try:
        with ExitStack() as stack:
            staged = [_stage(stack, change, made) for change in changes]
            for one in staged:
                one.check()
            _commit(staged)
    except BaseException:
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


def probe(changes: Sequence[Change]) -> None:
    """Raise ToolError for what `replace` could not write for the sake of its folder; write nothing."""
    for change in changes:
        folder = change.path.parent
        while not os.path.lexists(folder) and folder != folder.parent:
            folder = folder.parent
        with directory(folder / change.path.name):
            if not os.access(folder, os.W_OK | os.X_OK):
                raise ToolError(f"nothing was written: Permission denied: {folder}")


@frozen
class _Staged:
    """A change whose new content waits under a temporary name in the same directory."""

    change: Change
    folder: int
    temporary: str
    status: os.stat_result | None

    def check(self) -> None:
        path = self.change.path
        try:
            current = _read(self.folder, path)
        except FileNotFoundError:
            current = None
        if current == self.change.before:
            return
        if self.change.before is None:
            raise ToolError(f"{path} already exists; read it before changing it")
        raise ToolError(f"{path} was changed by someone else meanwhile; read it again and redo the change")

    def put(self) -> None:
        name = self.change.path.name
        if self.change.after is None:
            os.unlink(name, dir_fd=self.folder)
        else:
            os.rename(self.temporary, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)

    def undo(self) -> None:
        name = self.change.path.name
        if self.change.before is None:
            os.unlink(name, dir_fd=self.folder)
        else:
            create(self.folder, self.temporary, self.change.before, self.status)
            os.rename(self.temporary, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)


def _stage(stack: ExitStack, change: Change, made: list[Path]) -> _Staged:
    name = change.path.name
    folder = stack.enter_context(directory(change.path, made if change.after is not None else None))
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        status = None
    temporary = f".{name[:100]}.{chance_name(6)}.tmp"
    if change.after is not None:
        stack.callback(_discard, folder, temporary)
        create(folder, temporary, change.after, status)
    return _Staged(change, folder, temporary, status)


def _commit(staged: Sequence[_Staged]) -> None:
    done: list[_Staged] = []
    try:
        for one in staged:
            one.put()
            done.append(one)
    except BaseException:
        for one in reversed(done):
            one.undo()
        raise


def create(folder: int, name: str, data: bytes, like: os.stat_result | None, mode: int | None = None) -> None:
    """With the owner and mode of `like`, or with `mode` whatever that one has."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    # Private until it has the mode of the file it replaces.
    descriptor = os.open(name, flags, 0o666 if like is None and mode is None else 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        if like is not None:
            with suppress(PermissionError):
                os.fchown(descriptor, like.st_uid, like.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
        if mode is not None:
            os.fchmod(descriptor, mode)
        file.flush()
        os.fsync(descriptor)


def _discard(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _read(folder: int, path: Path) -> bytes:
    try:
        descriptor = os.open(path.name, _FILE, dir_fd=folder)
    except OSError as error:
        raise _explained(error, path) from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "is a directory", str(path))
        if not stat.S_ISREG(status.st_mode):
            raise ToolError(f"{path} is a device, pipe or socket, not a file")
        if status.st_size > READ_LIMIT:
            raise ToolError(
                f"{path} has {status.st_size} bytes, over the limit of {READ_LIMIT}; "
                "use grep, or shell with head, tail or sed -n"
            )
        return file.read(READ_LIMIT)


@contextmanager
def directory(path: Path, made: list[Path] | None = None) -> Generator[int]:
    """The directory of a resolved path, opened one component at a time; a list in `made` creates parents."""
    descriptor = os.open(path.anchor, _DIRECTORY)
    try:
        folder = Path(path.anchor)
        for name in path.parts[1:-1]:
            folder = folder / name
            below = _enter(descriptor, name, folder, made)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _enter(parent: int, name: str, folder: Path, made: list[Path] | None) -> int:
    try:
        try:
            return os.open(name, _DIRECTORY, dir_fd=parent)
        except FileNotFoundError:
            if made is None:
                raise
        os.mkdir(name, dir_fd=parent)
        made.append(folder)
        return os.open(name, _DIRECTORY, dir_fd=parent)
    except OSError as error:
        raise _explained(error, folder) from error


def _explained(error: OSError, path: Path) -> Exception:
    """What the model should hear; a missing file stays as it is, for callers that expect one."""
    if isinstance(error, FileNotFoundError):
        return error
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return ToolError(
            f"{path} is not what it was when its path was checked, or is not a directory; try again"
        )
    return ToolError(f"{path}: {error.strerror}")
