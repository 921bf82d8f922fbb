"""Judges git calls: which only look, and whether this repository would make even those run something."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from agent.permissions.git_config import SIGNED
from agent.permissions.git_options import LOOKING
from agent.permissions.git_repository import find_repository
from agent.permissions.paths import Places, holds_private, real


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GLOBAL = _names(
    """
    --no-pager -P --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs
    --noglob-pathspecs --icase-pathspecs
    """
)

# These change something as soon as they get another word than the options in their table.
_SAFE_SECOND = {
    "remote": ("", "-v", "--verbose", "get-url"),
    "stash": ("list", "show"),
    "reflog": ("", "show"),
    "worktree": ("list",),
}
_LISTING = frozenset({"branch", "tag"})
_SELECTING = ("--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at")

_HELPER = re.compile(r".*::|(?!(https?|ssh|git)://)[^:]*://|[./~]|-", re.DOTALL)

# All others may print what is in files.
_WITHOUT_CONTENT = _names(
    """
    branch check-attr check-ignore cherry count-objects describe for-each-ref ls-files ls-remote ls-tree
    merge-base name-rev remote rev-list rev-parse show-branch show-ref status symbolic-ref tag version
    worktree
    """
)


def objection(words: Sequence[str], literal: str) -> str:
    """Return why a wildcard rule does not free this git call; empty if it only looks, whatever the folder."""
    if words[0] != "git" and not (words[0].startswith("/") and words[0].endswith("/git")):
        return f"{words[0]} is not known to only look"
    subcommand, rest = parts(words)
    if not subcommand:
        return "" if words[1:] == ["--version"] else "git options before the subcommand can run programs"
    if subcommand not in LOOKING:
        return f"git {subcommand} is not known to only look: only an exact rule frees it"
    unknown = LOOKING[subcommand].unknown(rest)
    if unknown:
        return f"git {subcommand} {unknown} is not known to only look"
    if any(SIGNED.search(word) for word in rest):
        return f"git {subcommand} with a signature runs gpg"
    return _operand_objection(subcommand, rest, literal)


def folder_objection(words: Sequence[str], folder: Path, places: Places) -> str:
    """Return why a git call that only looks may here still run something or print our own files."""
    subcommand, rest = parts(words)
    found = find_repository(folder, real(places.root))
    if found is not None and found.objection:
        return found.objection
    if subcommand == "diff" and any(_holds_private(places, folder, word) for word in rest):
        return "a folder to compare holds Wakeful's own files"
    shows = subcommand not in _WITHOUT_CONTENT
    if found is not None and shows and holds_private(places, real(found.worktree)):
        return "the repository holds Wakeful's own files"
    return ""


def compares_files(words: Sequence[str], folder: Path, places: Places) -> bool:
    """True if `git diff` would read whole folders itself instead of what the repository knows.

    Git does so without being told where an operand lies outside the repository.
    """
    subcommand, rest = parts(words)
    if subcommand != "diff":
        return False
    found = find_repository(folder, real(places.root))
    if found is None or "--no-index" in rest:
        return True
    operands = [word for word in rest if not word.startswith("-")]
    paths = (Path(os.path.normpath(real(folder) / word)) for word in operands)
    return not all(path.is_relative_to(found.worktree) for path in paths)


def parts(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the subcommand and what follows it; empty where unknown options stand before it."""
    rest = list(words[1:])
    while rest and rest[0] in _GLOBAL:
        rest.pop(0)
    return (rest[0], rest[1:]) if rest and not rest[0].startswith("-") else ("", rest)


def _operand_objection(subcommand: str, rest: Sequence[str], literal: str) -> str:
    operands = [word for word in rest if not word.startswith("-")]
    if subcommand in _LISTING and operands and (_taking(rest) or not _selects(subcommand, rest)):
        return f"git {subcommand} with a name can change it"
    if subcommand == "symbolic-ref" and len(operands) != 1:
        return "git symbolic-ref with a target changes it"
    if subcommand == "ls-remote":
        named = literal.startswith("git ls-remote")
        strange = any(_HELPER.match(operand) for operand in operands)
        return "" if named and not strange else "git ls-remote opens a connection: a rule must name it"
    if subcommand not in _SAFE_SECOND or (subcommand == "reflog" and not operands):
        return ""
    second = " ".join(rest[:1])
    if second not in _SAFE_SECOND[subcommand] or (
        second != "get-url" and subcommand == "remote" and rest[1:]
    ):
        return f"git {subcommand} {second} is not known to only look: only an exact rule frees it"
    return ""


def _taking(rest: Sequence[str]) -> bool:
    """True if an option takes the next word for its value, though that looks like an option that lists."""
    return any(word in ("--format", "--sort") for word in rest)


def _selects(subcommand: str, rest: Sequence[str]) -> bool:
    return any(word.partition("=")[0] in _SELECTING for word in rest) or (
        subcommand == "tag" and "-l" in rest
    )


def _holds_private(places: Places, folder: Path, word: str) -> bool:
    try:
        place = real(folder / word)
        return place.is_dir() and holds_private(places, place)
    except (OSError, ValueError):
        return True
