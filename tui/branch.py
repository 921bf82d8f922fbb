"""Which branch a folder is on, read from git's own files: nothing of the repository is run."""

from __future__ import annotations

from pathlib import Path

_PREFIX = "ref: refs/heads/"
_HASH = 7
_LARGEST = 4096


def branch_of(folder: Path) -> str:
    for place in (folder, *folder.parents):
        text = _text(_git_folder(place / ".git") / "HEAD")
        if text:
            return text.removeprefix(_PREFIX) if text.startswith(_PREFIX) else text[:_HASH]
    return ""


def _git_folder(place: Path) -> Path:
    """A worktree has a file there that says where its own folder is."""
    named = _text(place)
    return (place.parent / named.removeprefix("gitdir:").strip()) if named.startswith("gitdir:") else place


def _text(path: Path) -> str:
    """The text of a small ordinary file; empty for anything else, such as a pipe, which would never end."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            text = file.read(_LARGEST).decode("utf-8", "replace").strip()
    except (OSError, ValueError):
        return ""
    return text if "\n" not in text else ""
