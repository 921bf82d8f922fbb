"""Judges git calls: which only look, and whether this repository would make even those run something."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from agent.executables import find_program, safe_path
from agent.permissions.bash import read_line
from agent.permissions.errors import PermissionsError
from agent.permissions.git_config import SIGNED
from agent.permissions.git_options import LOOKING, WRITING
from agent.permissions.git_repository import Repository, find_repository
from agent.permissions.paths import Places, holds_private, locate, real


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
_SECONDS = 5


def objection(words: Sequence[str], literal: str) -> str:
    """Return why a wildcard rule does not free this git call; empty if it only looks, whatever the folder."""
    if words[0] != "git" and not (words[0].startswith("/") and words[0].endswith("/git")):
        return f"{words[0]} is not known to only look"
    subcommand, rest = _parts(words)
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
    subcommand, rest = _parts(words)
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
    subcommand, rest = _parts(words)
    if subcommand != "diff":
        return False
    found = find_repository(folder, real(places.root))
    if found is None or "--no-index" in rest:
        return True
    operands = [word for word in rest if not word.startswith("-")]
    paths = (Path(os.path.normpath(real(folder) / word)) for word in operands)
    return not all(path.is_relative_to(found.worktree) for path in paths)


def may_write_repository(command: str, places: Places) -> str:
    """Return why a command line may not write `.git` in the sandbox; empty if it may.

    The line must be a single `git add` or `git commit` with options that are known to neither ask, open an
    editor nor read other files, on paths of the workspace. The repository must be at or below the workspace,
    its configuration harmless and without active hooks, so that git runs nothing of the project while `.git`
    is writable. Judge right before the start: the answer holds for the files as they are now.
    """
    line = read_line(command)
    if line.puzzle or len(line.commands) != 1:
        return "not a single plain git command"
    words = [word.text for word in line.commands[0].words]
    subcommand, rest = _parts(words)
    if words[0] != "git" or subcommand not in WRITING or any(word.glob for word in line.commands[0].words):
        return "neither git add nor git commit, spelled out"
    unknown = WRITING[subcommand].unknown(rest)
    if unknown:
        return f"git {subcommand} {unknown} is not known to be harmless"
    if subcommand == "commit" and not any(_gives_message(word) for word in rest):
        return "git commit without a message opens an editor"
    root = real(places.root)
    found = find_repository(root, root)
    if found is None or found.objection:
        return found.objection if found else "there is no repository"
    if not real(found.common).is_relative_to(root) or not real(found.folder).is_relative_to(root):
        return "the repository lies outside the workspace"
    return _hooks_objection(found, root) or _stray_objection(places, rest)


def _parts(words: Sequence[str]) -> tuple[str, list[str]]:
    """The subcommand and what follows it; empty where unknown options stand before it."""
    rest = list(words[1:])
    while rest and rest[0] in _GLOBAL:
        rest.pop(0)
    return (rest[0], rest[1:]) if rest and not rest[0].startswith("-") else ("", rest)


def _operand_objection(subcommand: str, rest: Sequence[str], literal: str) -> str:
    operands = [word for word in rest if not word.startswith("-")]
    if subcommand in _LISTING and operands and not _selects(subcommand, rest):
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


def _gives_message(word: str) -> bool:
    return re.match(r"-[a-z]*m|--message(=|$)|--no-edit$|--dry-run$", word) is not None


def _hooks_objection(found: Repository, root: Path) -> str:
    """Git itself says where hooks are looked for: the user's own settings may name another folder."""
    hooks = found.common / "hooks"
    git = find_program("git", root=root)
    if git is None:
        return "no git outside the workspace can say where hooks are"
    command = [git, "rev-parse", "--path-format=absolute", "--git-path", "hooks"]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, "PATH": safe_path(root=root)}
    try:
        said = subprocess.run(
            command, capture_output=True, cwd=found.worktree, env=environment, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "git cannot say where hooks are"
    if said.returncode != 0 or real(Path(os.fsdecode(said.stdout.rstrip(b"\n")))) != real(hooks):
        return "hooks are looked for in another folder"
    try:
        active = [entry.name for entry in hooks.iterdir() if entry.suffix != ".sample"]
    except FileNotFoundError:
        active = []
    except OSError as error:
        return f"{hooks} cannot be read: {error.strerror}"
    return f"the repository has hooks: {', '.join(sorted(active))}" if active else ""


def _stray_objection(places: Places, rest: Sequence[str]) -> str:
    for word in rest:
        if word.startswith("-") or not os.path.lexists(places.root / word):
            continue
        try:
            located = locate(places, word)
        except PermissionsError as error:
            return str(error)
        if not located.inside or located.internal:
            return f"{word} is outside the workspace or inside .git"
    return ""
