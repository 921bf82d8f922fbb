"""Finds the repository that git would use in a folder and judges whether git may look at it unasked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from agent.executables import find_program
from agent.permissions.git_config import UnreadableConfigError, harmful_key, load_config
from agent.permissions.git_index import submodules
from agent.permissions.paths import real
from store.frozen import frozen

_HEAD = re.compile(r"ref: refs/\S+\s*|[0-9a-f]{40}\s*|[0-9a-f]{64}\s*")
_HOOKS_PATH = re.compile(r"[\w.][\w./-]*")
_FAN_OUT = re.compile(r"[0-9a-f]{2}")
_MOST_ENTRIES = 50_000
_DEEPEST = 4
_IGNORED_COMMITS = ".git-blame-ignore-revs"


@frozen
class Repository:
    """`common` holds what all worktrees share. `objection` says why git could run or read something else."""

    worktree: Path
    folder: Path
    common: Path
    objection: str = ""
    submodule: bool = False


def find_repository(folder: Path, root: Path) -> Repository | None:
    """Return what git finds from `folder` upwards; programs in the workspace `root` are not trusted."""
    return _find(real(folder), root, 0)


def _find(folder: Path, root: Path, depth: int) -> Repository | None:
    for place in (folder, *folder.parents):
        if os.path.lexists(place / ".git"):
            return _judged(_located(place), root, depth)
        parts = [name for name in ("objects", "refs", "commondir") if os.path.lexists(place / name)]
        if os.path.lexists(place / "HEAD") and parts:
            return Repository(place, place, place, f"{place} is a bare repository")
    return None


def _located(place: Path) -> Repository:
    """The repository's folders by their layout alone, before anything in them is trusted."""
    found = place / ".git"
    if found.is_symlink():
        return Repository(place, found, found, f"{found} is a link")
    if found.is_dir():
        elsewhere = f"{found} has a commondir" if os.path.lexists(found / "commondir") else ""
        return Repository(place, found, found, elsewhere)
    text = _line(found)
    if not text.startswith("gitdir: "):
        return Repository(place, found, found, f"{found} is not a repository")
    target = place / text.removeprefix("gitdir: ")
    folder = real(target)
    if folder != Path(os.path.normpath(real(place) / text.removeprefix("gitdir: "))):
        return Repository(place, folder, folder, f"{found} leads through a link")
    if folder.parent.name == "worktrees":
        return _linked(place, folder)
    return _submodule(place, folder)


def _linked(place: Path, folder: Path) -> Repository:
    """A linked worktree: its entry in the repository must name this very folder."""
    common = folder.parent.parent
    back = _line(folder / "gitdir")
    agrees = (
        bool(back) and real(folder / back) == real(place) / ".git" and _line(folder / "commondir") == "../.."
    )
    if not agrees or os.path.lexists(common / "commondir"):
        return Repository(place, folder, common, f"{place}/.git points to a repository that does not know it")
    return Repository(place, folder, common)


def _submodule(place: Path, folder: Path) -> Repository:
    """A submodule: its repository lies in the `modules` of the repository around it."""
    around = next((parent for parent in place.parents if os.path.lexists(parent / ".git")), None)
    outer = _located(around) if around is not None else None
    if outer is None or outer.objection or not folder.is_relative_to(real(outer.folder) / "modules"):
        return Repository(place, folder, folder, f"{place}/.git points elsewhere")
    if os.path.lexists(folder / "commondir"):
        return Repository(place, folder, folder, f"{folder} has a commondir")
    return Repository(place, folder, folder, submodule=True)


def _judged(found: Repository, root: Path, depth: int) -> Repository:
    if found.objection:
        return found
    objection = _layout_objection(found) or _content_objection(found, root, depth)
    return replace(found, objection=objection)


def _layout_objection(found: Repository) -> str:
    head = found.folder / "HEAD"
    if head.is_symlink() or not _HEAD.fullmatch(_text(head)):
        return f"{head} is not what git writes"
    for name in ("objects", "refs"):
        if not (found.common / name).is_dir():
            return f"{found.common} is not a whole repository"
    for name in ("alternates", "http-alternates"):
        if os.path.lexists(found.common / "objects" / "info" / name):
            return f"{found.common} takes objects from another repository"
    # Git prints parts of files in here, such as the steps of a rebase: a link would show a file from outside.
    for folder in dict.fromkeys((found.folder, found.common)):
        for number, entry in enumerate(_entries(folder)):
            if entry.is_symlink():
                return f"{entry.path} is a link"
            if number >= _MOST_ENTRIES:
                return f"{folder} has more than {_MOST_ENTRIES:,} files"
    return ""


def _content_objection(found: Repository, root: Path, depth: int) -> str:
    git = find_program("git", root=root)
    config, own = found.common / "config", found.folder / "config.worktree"
    try:
        shared, special = load_config(config, git), load_config(own, git)
    except UnreadableConfigError as error:
        return str(error)
    if found.submodule:
        # The repository must know the folder that points to it.
        named = [value for key, value in shared if key == "core.worktree"]
        if [real(found.folder / value) for value in named] != [real(found.worktree)]:
            return f"{found.worktree}/.git points to a repository that does not know it"
        shared = tuple(pair for pair in shared if pair[0] != "core.worktree")
    for path, settings in ((config, shared), (own, special)):
        key = harmful_key(tuple(pair for pair in settings if not _harmless_hooks(found, *pair)))
        if key:
            return f"{path} sets {key}, which is not known to be harmless"
    if (found.worktree / _IGNORED_COMMITS).is_symlink():
        return f"{_IGNORED_COMMITS} is a link"
    # The one hook that even `git status` runs, whenever it refreshes the index.
    if os.path.lexists(found.common / "hooks" / "post-index-change"):
        return "the repository has a post-index-change hook"
    long_hashes = ("extensions.objectformat", "sha256") in shared
    return _submodule_objection(found, root, depth, hash_size=32 if long_hashes else 20)


def _harmless_hooks(found: Repository, key: str, value: str) -> bool:
    """True for a folder of hooks in the worktree, as tools set it up, with none that looking would run."""
    if key != "core.hookspath" or not _HOOKS_PATH.fullmatch(value) or ".." in value.split("/"):
        return False
    return not os.path.lexists(found.worktree / value / "post-index-change")


def _submodule_objection(found: Repository, root: Path, depth: int, *, hash_size: int) -> str:
    """`git status` and `git diff` run git in every submodule that is checked out."""
    paths = submodules(found.folder, hash_size=hash_size)
    if paths is None:
        return f"{found.folder}/index is not fully understood"
    if paths and depth >= _DEEPEST:
        return "submodules are nested too deeply"
    for path in paths:
        inner = real(found.worktree / path)
        if not os.path.lexists(inner / ".git"):
            continue
        if not inner.is_relative_to(real(found.worktree)):
            return f"the submodule {path} leads out of the repository"
        repository = _find(inner, root, depth + 1)
        if repository is None or repository.objection:
            return f"submodule {path}: {repository.objection if repository else 'no repository'}"
    return ""


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    waiting = [str(folder)]
    while waiting:
        current = waiting.pop()
        try:
            with os.scandir(current) as entries:
                found = list(entries)
        except OSError:
            continue
        for entry in found:
            yield entry
            stored = current.endswith("/objects") and _FAN_OUT.fullmatch(entry.name)
            if not stored and entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)


def _line(path: Path) -> str:
    """The one line of a small file; empty if there is more or nothing."""
    text = _text(path).removesuffix("\n")
    return "" if "\n" in text or "\0" in text else text


def _text(path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(8192).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
