"""Finds helper programs (bash, git, rg, bwrap, tmux, …) only in folders that a project cannot fill.

Start every helper by the absolute path that `find_program` returns, with `safe_path` as its `PATH`. Never
pass a bare name to `subprocess`, and never use `shutil.which`: with an empty, a relative or a workspace entry
in `PATH`, both run a program of the folder that was opened.

    git = find_program("git", root=workspace.root)
    if git is not None:
        subprocess.run([git, "config", ...], env={**environment, "PATH": safe_path(root=workspace.root)})
"""

from __future__ import annotations

import os
from contextlib import suppress

# The app looks for tmux before its first frame, and pathlib would cost more than the lookup.
# ruff: noqa: PTH109, PTH113, PTH116, PTH117, PTH118, PTH120
_SYSTEM = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
_Identity = tuple[int, int]


def find_program(
    name: str, *, root: str | os.PathLike[str] | None = None, path: str | None = None
) -> str | None:
    """Return the absolute path of `name`, or None.

    `path` is a search path (default: that of this process); `root` is the workspace, if it is not the current
    folder. An absolute `name` was chosen by the user and is used as it is.
    """
    if "/" in name:
        return name if os.path.isabs(name) and _executable(name) else None
    untrusted = _untrusted(root)
    for folder in _folders(path, untrusted):
        candidate = os.path.join(folder, name)
        # A link in a good folder may lead into the workspace.
        if _executable(candidate) and not _below(os.path.dirname(os.path.realpath(candidate)), untrusted):
            return candidate
    return None


def safe_path(*, root: str | os.PathLike[str] | None = None, path: str | None = None) -> str:
    """Return the search path without relative, empty and workspace entries; never an empty one.

    An empty `PATH` would make a shell look in the current folder.
    """
    return os.pathsep.join(_folders(path, _untrusted(root))) or os.defpath


def absolute_entries(path: str) -> str:
    """Return the search path without relative and empty entries; never an empty one."""
    entries = [entry for entry in path.split(os.pathsep) if os.path.isabs(entry)]
    return os.pathsep.join(entries) or os.defpath


def found_below(name: str, root: str | os.PathLike[str], path: str) -> bool:
    """True if a shell with this search path would run a `name` that lies in the workspace."""
    identities = _identities([os.fspath(root)])
    for entry in path.split(os.pathsep):
        # A shell takes an empty entry for the current folder, and a relative one from there.
        candidate = os.path.join(root, entry, name)
        if _executable(candidate):
            real = os.path.dirname(os.path.realpath(candidate))
            return _below(os.path.dirname(candidate), identities) or _below(real, identities)
    return False


def _folders(path: str | None, untrusted: frozenset[_Identity]) -> list[str]:
    entries = (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep)
    return [
        entry
        for entry in dict.fromkeys(entries)
        if os.path.isabs(entry) and not _below(os.path.realpath(entry), untrusted)
    ]


def _untrusted(root: str | os.PathLike[str] | None) -> frozenset[_Identity]:
    places = [] if root is None else [os.fspath(root)]
    # A folder that was removed holds nothing.
    with suppress(FileNotFoundError):
        places.append(os.getcwd())
    return _identities(places)


def _identities(places: list[str]) -> frozenset[_Identity]:
    return frozenset(found for place in places if (found := _identity(place)) is not None)


def _below(folder: str, untrusted: frozenset[_Identity]) -> bool:
    """By identity, so that neither another spelling nor a bind mount hides a folder of the workspace.

    The system's own folders stay usable in a workspace that holds them, such as `/`.
    """
    if folder in _SYSTEM and _identity(folder) not in untrusted:
        return False
    while True:
        if _identity(folder) in untrusted:
            return True
        parent = os.path.dirname(folder)
        if parent == folder:
            return False
        folder = parent


def _identity(place: str) -> _Identity | None:
    try:
        found = os.stat(place)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _executable(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)
