"""Which branch a folder is on, read from git's own files: nothing of the repository is run."""

from __future__ import annotations

from pathlib import Path

_PREFIX = "ref: refs/heads/"
_HASH = 7


def branch_of(folder: Path) -> str:
    for each in (folder, *folder.parents):
        head = _git_folder(each / ".git") / "HEAD"
        try:
            text = head.read_text("utf-8", "replace").strip()
        except OSError:
            continue
        return text.removeprefix(_PREFIX) if text.startswith(_PREFIX) else text[:_HASH]
    return ""


def _git_folder(place: Path) -> Path:
    """A worktree has a file there that says where its own folder is."""
    try:
        named = place.read_text("utf-8", "replace").strip()
    except OSError:
        return place
    return (place.parent / named.removeprefix("gitdir:").strip()) if named.startswith("gitdir:") else place
