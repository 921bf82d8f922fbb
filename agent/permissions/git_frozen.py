"""Finds out whether a git call would change files that the sandbox keeps read-only: it would stop halfway."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from agent.executables import find_program, safe_path
from agent.permissions.paths import Places, real
from agent.permissions.protected_places import frozen_places

_SECONDS = 5
_OBJECTION = "git would change files that the sandbox keeps read-only"
_SWITCHING = frozenset({"checkout", "switch", "reset", "restore"})
_JOINING = frozenset({"merge", "rebase"})
_PICKING = frozenset({"cherry-pick", "revert"})
_TAKING_BACK = frozenset({"pop", "apply", "branch"})
_FORCING = frozenset({"-f", "--force", "--discard-changes", "--hard", "--merge", "--keep", "--"})


def frozen_objection(places: Places, subcommand: str, rest: Sequence[str]) -> str:
    """Return why a call would stop halfway; empty if no file that it is known to change is read-only."""
    if not _changes_files(subcommand, rest):
        return ""
    root = real(places.root)
    frozen = frozen_places(places)
    below = [path.relative_to(root).as_posix() for path in (*frozen.present, *frozen.missing)]
    asking = _Asking(root, [path for path in below if path != ".git" and not path.startswith(".git/")])
    if not asking.usable:
        return ""
    if _drops_changes(root, subcommand, rest) and asking.differ("HEAD"):
        return _OBJECTION
    return (
        _OBJECTION if any(asking.changed_by(subcommand, name) for name in _commits(subcommand, rest)) else ""
    )


def _changes_files(subcommand: str, rest: Sequence[str]) -> bool:
    if subcommand == "reset":
        return bool(_FORCING.intersection(rest) - {"--"})
    if subcommand == "restore" and ({"--staged", "-S"} & set(rest)):
        return bool({"--worktree", "-W"} & set(rest))
    return subcommand in _SWITCHING | _JOINING | _PICKING or subcommand == "stash"


def _drops_changes(root: Path, subcommand: str, rest: Sequence[str]) -> bool:
    """True if what is not committed may be undone, so that it matters whether a file was changed."""
    if subcommand == "stash":
        return not rest or rest[0].startswith("-") or rest[0] in ("push", "save")
    named = any(os.path.lexists(root / word) for word in rest if not word.startswith("-"))
    return subcommand in _SWITCHING and (named or bool(_FORCING.intersection(rest)))


def _commits(subcommand: str, rest: Sequence[str]) -> Iterable[str]:
    words = [word.partition("=")[2] if word.startswith("--") else word for word in rest]
    names = ["@{-1}" if word == "-" else word for word in words if word == "-" or word[:1] not in ("", "-")]
    if subcommand == "stash":
        if rest[:1] and rest[0] in _TAKING_BACK:
            number = names[-1] if len(names) > 1 and rest[0] != "branch" else "0"
            yield f"stash@{{{number}}}" if number.isdigit() else number
        return
    for name in names:
        yield name
        # A branch that exists at the remote alone is created from there.
        yield f"origin/{name}"
    if not names and subcommand in _JOINING:
        yield "@{upstream}"


class _Asking:
    """Asks git about `paths` without settings of anybody but the repository, which has been judged."""

    def __init__(self, root: Path, paths: Sequence[str]) -> None:
        self._root = root
        self._paths = paths
        self._git = find_program("git", root=root)
        self._environment = {
            "PATH": safe_path(root=root),
            "HOME": "/nonexistent",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_LAZY_FETCH": "1",
        }

    @property
    def usable(self) -> bool:
        return self._git is not None and bool(self._paths)

    def differ(self, *commits: str) -> bool:
        return self._ask("diff", "--name-only", "--no-ext-diff", "--no-textconv", *commits)

    def changed_by(self, subcommand: str, name: str) -> bool:
        if subcommand == "stash":
            return self.differ(f"{name}^1", name)
        if subcommand in _SWITCHING:
            return self.differ("HEAD", name)
        if subcommand in _JOINING:
            return self._ask("rev-list", "--max-count=1", f"HEAD...{name}")
        if ".." in name:
            return self._ask("rev-list", "--max-count=1", name)
        return self._ask("diff-tree", "-r", "-m", "--root", "--name-only", "--no-commit-id", name)

    def _ask(self, *words: str) -> bool:
        """True if git names anything; a word that is no commit makes it fail and changes nothing."""
        assert self._git is not None
        options = ["--no-pager", "--literal-pathspecs", "-c", f"safe.directory={self._root}"]
        options += ["-c", "core.fsmonitor=false"]
        try:
            said = subprocess.run(
                [self._git, *options, *words, "--", *self._paths],
                capture_output=True,
                cwd=self._root,
                env=self._environment,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return True
        return said.returncode == 0 and bool(said.stdout.strip())
