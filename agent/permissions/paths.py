"""Where a path really leads, and which places no tool may touch whatever the rules say."""

from __future__ import annotations

import os
import stat
from dataclasses import field
from pathlib import Path

from agent.permissions.errors import PermissionsError
from agent.permissions.file_names import NameTable, folded
from agent.permissions.obeyed_files import obeyed_part
from agent.permissions.secret_names import secret_part
from store.frozen import frozen

_KERNEL = (Path("/proc"), Path("/sys"), Path("/dev"))
# Files there are ordinary ones, which happen to be in memory.
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 a workspace may lie there

# Package managers link these from their caches, build tools from folder to folder.
_INSTALLED = NameTable(
    "node_modules/ .pnpm-store/ .yarn/ .venv/ venv/ .tox/ .nox/ site-packages/ dist-packages/ target/"
)


@frozen
class Places:
    """`private` folders are ours (config, data); `readable` ones may be read wherever they lie (outputs).

    `programs` are the folders in which shells look for commands; `path` is the whole search path, if known.
    """

    root: Path
    private: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    home: Path = field(default_factory=Path.home)
    programs: tuple[Path, ...] = ()
    path: str | None = None


@frozen
class Located:
    """`obeyed` and `secret` name the part of the path for which an edit or a read is asked.

    A `linked` file has further names, perhaps outside the workspace; its own name is then the `secret`.
    """

    path: Path
    inside: bool
    readable: bool
    internal: bool
    obeyed: str
    secret: str
    linked: bool
    relative: str


def locate(places: Places, text: str, *, folder: Path | None = None) -> Located:
    """Follows every link. Raises PermissionsError for what may never be touched, read or written."""
    _refuse_tricks(text)
    root = real(places.root)
    path = real((folder or root) / text)
    if path.is_symlink():
        raise PermissionsError(f"{text} is a loop of links")
    if is_kernel_path(path) or is_kernel_path(Path(os.path.normpath(root / text))):
        raise PermissionsError(f"{text} belongs to the kernel, not to the project")
    outputs = any(within(path, folder) for folder in places.readable)
    private = next((folder for folder in places.private if within(path, folder)), None)
    if private is not None and not outputs:
        raise PermissionsError(f"{text} is inside {private}, which is Wakeful's own")
    linked = is_linked(path)
    if linked and any(_holds_file(folder, path) for folder in places.private):
        raise PermissionsError(f"{text} is another name of a file of Wakeful's own")
    if not _ordinary(path):
        raise PermissionsError(f"{text} is neither a file nor a folder")
    inside = within(path, root)
    relative = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
    parts = Path(relative).parts
    linked = linked and not _INSTALLED.find(parts)
    return Located(
        path=path,
        inside=inside,
        readable=outputs,
        internal=is_internal(path) or is_internal(Path(text)),
        obeyed=obeyed_part(parts) or _program_folder(places, path),
        secret=secret_part(parts) or (folded(path.name) if linked else ""),
        linked=linked,
        relative=relative,
    )


def is_linked(path: Path) -> bool:
    """True for a file with more than one name: nobody knows where the others are."""
    try:
        state = path.lstat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(state.st_mode) and state.st_nlink > 1


def is_kernel_path(path: Path) -> bool:
    """True if opening `path` talks to the kernel; the environment of this very process is among them."""
    return any(path.is_relative_to(kernel) for kernel in _KERNEL) and not path.is_relative_to(_SHARED_MEMORY)


def real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def within(path: Path, folder: Path) -> bool:
    """By name in any case, and by identity, so that neither case nor a bind mount hides a place."""
    target = real(folder)
    folded, wanted = str(path).casefold(), str(target).casefold()
    if path == target or path.is_relative_to(target):
        return True
    if not (folded == wanted or folded.startswith(wanted.rstrip("/") + "/")):
        return _shares_identity(path, target)
    return _shares_identity(path, target) or not _there(path)


def holds_private(places: Places, folder: Path) -> bool:
    """Whether a search through this folder would come across what is ours."""
    return any(real(private).is_relative_to(folder) for private in places.private)


def is_internal(path: Path) -> bool:
    """Inside `.git`, or our own project folder, in any spelling a file system might take for it."""
    return any(folded(part) in {".git", "git~1", ".wakeful"} for part in path.parts)


def _refuse_tricks(text: str) -> None:
    if not text or "\0" in text:
        raise PermissionsError("an empty path, or one with a NUL byte")
    try:
        raw = os.fsencode(text)
    except UnicodeEncodeError as error:
        raise PermissionsError("a path that no file system can hold") from error
    if text.startswith(("~", "$")):
        raise PermissionsError(f"{text} is not expanded; write the path in full")
    if text.startswith("\\\\"):
        raise PermissionsError(f"{text} names another machine")
    if len(raw) > 2048 or any(len(name) > 255 for name in raw.split(b"/")):
        raise PermissionsError("a path longer than the system allows")


def _program_folder(places: Places, path: Path) -> str:
    return next((folder.name for folder in places.programs if within(path, folder)), "")


def _shares_identity(path: Path, folder: Path) -> bool:
    try:
        wanted = folder.stat()
    except OSError:
        return False
    for place in (path, *path.parents):
        try:
            found = place.stat()
        except OSError:
            continue
        if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
            return True
    return False


def _holds_file(folder: Path, path: Path) -> bool:
    """By identity, in the folder itself and not below it."""
    try:
        with os.scandir(folder) as entries:
            return any(entry.inode() == path.stat().st_ino and path.samefile(entry.path) for entry in entries)
    except OSError:
        return False


def _there(path: Path) -> bool:
    try:
        path.lstat()
    except OSError:
        return False
    return True


def _ordinary(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
