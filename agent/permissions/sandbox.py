"""Runs commands in bubblewrap where there is one, and says plainly where there is none."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from agent.executables import find_program
from agent.permissions.paths import Places, real
from store.frozen import frozen

# Written inside, obeyed outside: these stay as they are even in a writable workspace.
_FROZEN = (".git/hooks", ".git/config", ".wakeful", ".vscode", ".idea", ".envrc")
_PROBE_SECONDS = 5


@frozen
class Sandbox:
    """`program` is None where commands run unconfined; `statement` says so to the person."""

    program: str | None
    statement: str

    @property
    def present(self) -> bool:
        return self.program is not None


def find_sandbox(root: Path | None = None, path: str | None = None) -> Sandbox:
    """Tries bubblewrap once for real: many machines have it and forbid what it needs."""
    program = find_program("bwrap", root=root, path=path)
    if program is None:
        return Sandbox(None, "no sandbox: bubblewrap (bwrap) is not installed; commands run unconfined")
    probe = [program, *_namespaces(network=False), "--ro-bind", "/", "/", "--", "/bin/sh", "-c", ":"]
    try:
        result = subprocess.run(probe, capture_output=True, timeout=_PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Sandbox(None, f"no sandbox: {program} does not start ({error}); commands run unconfined")
    if result.returncode != 0:
        said = result.stderr.decode(errors="replace").strip().partition("\n")[0]
        return Sandbox(None, f"no sandbox: {program} fails here ({said}); commands run unconfined")
    return Sandbox(program, f"sandbox: {program}; only the workspace is writable, no network unless allowed")


def confine(
    sandbox: Sandbox,
    places: Places,
    command: Sequence[str],
    *,
    network: bool = False,
    folder: Path | None = None,
) -> list[str]:
    """The argument list that runs `command` confined; as it is where there is no sandbox."""
    if sandbox.program is None:
        return list(command)
    root = str(real(places.root))
    # Later binds cover earlier ones, and /tmp is replaced: a workspace below it must come after.
    arguments = [sandbox.program, *_namespaces(network=network), "--ro-bind", "/", "/"]
    arguments += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", root, root]  # noqa: S108
    for name in _FROZEN:
        arguments += ["--ro-bind-try", f"{root}/{name}", f"{root}/{name}"]
    for private in map(real, places.private):
        arguments += ["--tmpfs", str(private)] if private.is_dir() else []
    for readable in map(real, places.readable):
        arguments += ["--ro-bind-try", str(readable), str(readable)]
    return [*arguments, "--chdir", str(real(folder) if folder else root), "--", *command]


def _namespaces(*, network: bool) -> list[str]:
    arguments = [
        "--unshare-user-try",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    arguments += [] if network else ["--unshare-net"]
    # A new session keeps a command from typing into our terminal.
    return [*arguments, "--die-with-parent", "--new-session"]
