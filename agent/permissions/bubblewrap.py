"""Builds the command line that runs a command in bubblewrap."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent.permissions.paths import Places, real
from agent.permissions.protected_places import (
    NEEDED_IN_RUN,
    SCRATCH_FOLDERS,
    Frozen,
    hidden_places,
    listening_sockets,
)

_NAMESPACES = (
    "--unshare-user-try", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try",
    # A new session keeps a command from typing into our terminal. Root would otherwise keep the capabilities
    # with which it could mount everything writable again.
    "--die-with-parent", "--new-session", "--cap-drop", "ALL",
)  # fmt: skip

# Root without capabilities may still change these settings, one of which names a program to run.
_KERNEL = ("/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/scsi", "/proc/acpi", "/proc/mtrr")


def arguments(
    program: str,
    places: Places,
    frozen: Frozen,
    *,
    network: bool,
    repository: bool = False,
    settings: bool = False,
    folder: Path | None,
) -> list[str]:
    """Return what stands before the command.

    With `repository` the workspace's own `.git` may be written, but its configuration only with `settings`.
    """
    root = real(places.root)
    network_options = [] if network else ["--unshare-net"]
    hidden = hidden_places(places)
    below = [path for path in hidden if path.is_relative_to(root) and path != root]
    # Later mounts cover earlier ones: a workspace below a hidden folder must come after it.
    words = [program, *_NAMESPACES, *network_options]
    words += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for name in _KERNEL:
        words += ["--ro-bind-try", name, name]
    for scratch in SCRATCH_FOLDERS:
        words += ["--tmpfs", str(scratch)] if scratch.is_dir() and not scratch.is_symlink() else []
    words += _covered([path for path in hidden if path not in below])
    words += _needed_in_run(network=network)
    words += ["--bind", str(root), str(root), *_covered(below)]
    for readable in map(real, places.readable):
        words += ["--ro-bind-try", str(readable), str(readable)]
    words += _frozen(frozen, root, repository=repository)
    words += _frozen_in_git(root / ".git", settings=settings) if repository else []
    gone = _prefixes([*SCRATCH_FOLDERS, *hidden, Path("/dev"), Path("/proc")])
    inside = _prefixes([root])
    words += _covered(
        [
            path
            for path in listening_sockets()
            if f"{path}/".startswith(inside) or not f"{path}/".startswith(gone)
        ]
    )
    return [*words, "--chdir", str(real(folder) if folder else root), "--"]


def _covered(paths: Sequence[Path]) -> list[str]:
    words: list[str] = []
    covering = _prefixes(paths)
    for path in paths:
        if str(path).startswith(covering):
            continue
        words += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", "/dev/null", str(path)]
    return words


def _prefixes(folders: Sequence[Path]) -> tuple[str, ...]:
    """As text: comparing paths as such would take longer than the sandbox takes to start."""
    return tuple(f"{str(folder).rstrip('/')}/" for folder in folders)


def _needed_in_run(*, network: bool) -> list[str]:
    needed = [*NEEDED_IN_RUN]
    # Often a link into /run; without it no name of a host can be found.
    needed += [real(Path("/etc/resolv.conf"))] if network else []
    words: list[str] = []
    for path in needed:
        if real(path).is_relative_to("/run") and path.exists():
            words += ["--ro-bind", str(path), str(path)]
    return words


def _frozen(frozen: Frozen, root: Path, *, repository: bool) -> list[str]:
    words: list[str] = []
    # A folder that is mounted cannot be moved aside together with the repository in it.
    for parent in frozen.parents:
        words += ["--bind", str(parent), str(parent)]
    for path in frozen.present:
        if path.is_symlink() or (repository and path == root / ".git"):
            continue
        words += ["--ro-bind", str(path), str(path)]
    for path in frozen.missing:
        words += ["--tmpfs", str(path), "--remount-ro", str(path)]
    return words


def _frozen_in_git(git: Path, *, settings: bool) -> list[str]:
    """Git writes none of these here: whatever races with it must not either, through a link for example."""
    words: list[str] = []
    for path in (git / "modules", git / "config.worktree", *(() if settings else (git / "config",))):
        words += ["--ro-bind", str(path), str(path)] if path.exists() else []
    hooks = str(git / "hooks")
    return [*words, *(["--ro-bind", hooks, hooks] if (git / "hooks").is_dir() else ["--tmpfs", hooks])]
