"""Decides which git calls may write `.git`, which the sandbox keeps read-only for all other commands."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path, PurePath

from agent.executables import find_program, safe_path
from agent.permissions.bash import Word, loose_commands, read_line
from agent.permissions.errors import PermissionsError
from agent.permissions.git import parts
from agent.permissions.git_frozen import frozen_objection
from agent.permissions.git_options import STRATEGIES, WRITING
from agent.permissions.git_repository import Repository, find_repository
from agent.permissions.paths import Places, locate, real

READ_ONLY_NOTE = "The sandbox keeps .git read-only for this command; the user can run it with !git …"

_SECONDS = 5
_STASHES = frozenset({"push", "save", "pop", "apply", "drop", "branch", "clear"})
# Where `-s` does not mean to sign off.
_MERGES = frozenset({"merge", "rebase"})
_TAKES_STRATEGY = frozenset({"merge", "rebase", "cherry-pick", "revert"})
_RESUMING = frozenset({"--continue", "--skip"})
# What the steps of a rebase may be: all but `exec`, which runs a command.
_STEP = re.compile(
    r"\s*(#.*|(p|pick|r|reword|e|edit|s|squash|f|fixup|d|drop|l|label|t|reset|m|merge|u|update-ref|revert)\s.*"
    r"|b|break|noop)?\s*"
)
_STEPS = ("rebase-merge/git-rebase-todo", "sequencer/todo")
_REFUSED = re.compile(r"Read-only file system|Permission denied")
_IN_GIT = re.compile(r"(^|[\s'\"/(])\.git(/|['\"]?:)")


def may_write_repository(command: str, places: Places) -> str:
    """Return why a command line may not write `.git` in the sandbox; empty if it may.

    The line must be a single git call with a subcommand and options that are known to neither ask, read other
    files nor run a program, on paths of the workspace. The repository must be at or below the workspace, its
    configuration harmless and without active hooks, so that git runs nothing of the project while `.git` is
    writable. Judge right before the start: the answer holds for the files as they are now.
    """
    line = read_line(command)
    if line.puzzle or len(line.commands) != 1:
        return "not a single plain git command"
    objection = _call_objection(line.commands[0].words)
    if objection:
        return objection
    subcommand, rest = parts(_texts(command))
    root = real(places.root)
    found = find_repository(root, root)
    if found is None or found.objection:
        return found.objection if found else "there is no repository"
    if not real(found.common).is_relative_to(root) or not real(found.folder).is_relative_to(root):
        return "the repository lies outside the workspace"
    return (
        _hooks_objection(found, root)
        or _steps_objection(found, rest)
        # A rename creates its target before git looks at the name.
        or _stray_objection(places, rest, missing=subcommand == "mv")
        or frozen_objection(places, subcommand, rest)
    )


def writes_settings(command: str) -> bool:
    """True if a call that may write the repository also writes its settings: the upstream of a branch."""
    return parts(_texts(command))[0] in ("branch", "checkout", "switch")


def refused_by_sandbox(command: str, output: str) -> bool:
    """True if git in this failed command line could not write `.git`, by what it said."""
    calls = [words[1:] for words in loose_commands(command) if PurePath(words[0]).name == "git"]
    if not output.strip():
        # Some versions of `git stash` say nothing when they cannot lock the index.
        return any(words[:1] == ["stash"] for words in calls)
    return bool(calls) and any(_REFUSED.search(line) and _IN_GIT.search(line) for line in output.splitlines())


def _texts(command: str) -> list[str]:
    return [word.text for word in read_line(command).commands[0].words]


def _call_objection(words: Sequence[Word]) -> str:
    texts = [word.text for word in words]
    subcommand, rest = parts(texts)
    if texts[0] != "git" or subcommand not in WRITING or any(word.glob for word in words):
        return "not a git command that is known to write only what it names, spelled out"
    if subcommand in _TAKES_STRATEGY:
        rest = _with_strategies(subcommand, rest)
    unknown = WRITING[subcommand].unknown(rest)
    if unknown:
        return f"git {subcommand} {unknown} is not known to be harmless"
    if subcommand == "commit" and not any(_gives_message(word) for word in rest):
        return "git commit without a message opens an editor"
    if subcommand == "stash" and rest and not rest[0].startswith("-") and rest[0] not in _STASHES:
        return f"git stash {rest[0]} is not known to be harmless"
    return ""


def _with_strategies(subcommand: str, rest: Sequence[str]) -> list[str]:
    """Join a strategy to its option, so that the table sees it: unknown ones are looked up as programs."""
    names = {"-X", "--strategy", "--strategy-option", *(("-s",) if subcommand in _MERGES else ())}
    joined: list[str] = []
    words = iter(rest)
    for word in words:
        if word not in names:
            joined.append(word)
            continue
        value = next(words, "")
        joined.append("--strategy=" + value)
        if not STRATEGIES.fullmatch(value):
            break
    return joined


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


def _steps_objection(found: Repository, rest: Sequence[str]) -> str:
    """What is resumed was planned earlier, perhaps with commands between the commits."""
    if not _RESUMING.intersection(rest):
        return ""
    for name in _STEPS:
        try:
            steps = (found.folder / name).read_text(errors="replace").splitlines()
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"{name} cannot be read: {error.strerror}"
        if not all(_STEP.fullmatch(step) for step in steps):
            return f"{name} has steps that are not known to be harmless"
    return ""


def _stray_objection(places: Places, rest: Sequence[str], *, missing: bool) -> str:
    for word in rest:
        if word.startswith("-") or not (missing or os.path.lexists(places.root / word)):
            continue
        try:
            located = locate(places, word)
        except PermissionsError as error:
            return str(error)
        if not located.inside or located.internal:
            return f"{word} is outside the workspace or inside .git"
    return ""
