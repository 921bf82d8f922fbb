"""What Landlock and seccomp can confine on this machine, and the command line that applies them."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from agent.permissions.paths import Places, real
from agent.permissions.protected_places import NEEDED_IN_RUN, SCRATCH_FOLDERS, Frozen, hidden_places
from store.frozen import frozen

_LAUNCHER = str(Path(__file__).with_name("landlock.py"))


@frozen
class Support:
    """`complaint` is why there is no Landlock; `complete` says that files and network are both confined."""

    abi: int
    seccomp: bool
    complaint: str = ""

    @property
    def complete(self) -> bool:
        # Seccomp closes what early versions leave open: truncation, and connections that are not TCP.
        return not self.complaint and self.seccomp

    @property
    def coverage(self) -> tuple[tuple[str, str], ...]:
        landlock = f"Landlock (version {self.abi})"
        files = (
            f"{landlock}: only the workspace and a private TMPDIR can be written, keys cannot be read; "
            "what you approve may write .git; modes and dates of files are not confined"
        )
        if not self.seccomp:
            reach = f"{landlock}: no TCP, but UDP and Unix sockets" if self.abi >= 4 else "not confined"
            return (("files", files), ("network", reach), ("processes", self._signals(landlock)))
        return (
            ("files", files),
            (
                "network",
                "seccomp: none, unless permissions.network is set; no Unix sockets, not even own ones",
            ),
            ("processes", f"seccomp: no tracing, no mounts; {self._signals(landlock)}"),
        )

    def _signals(self, landlock: str) -> str:
        return (
            f"{landlock}: no signals to others"
            if self.abi >= 6
            else "signals to your processes are not confined"
        )


@cache
def support() -> Support:
    """What the kernel offers; asked once."""
    if sys.platform != "linux":
        return Support(0, seccomp=False, complaint="Landlock needs Linux")
    # ctypes costs a few milliseconds, and most machines have bubblewrap.
    from agent.permissions import landlock

    abi = landlock.version()
    known = os.uname().machine in landlock.MACHINES
    return Support(abi, known, "" if abi else "this kernel has no Landlock")


def arguments(places: Places, frozen: Frozen, scratch: Path, *, network: bool, approved: bool) -> list[str]:
    """Return what stands before the command.

    Landlock rights hold for whole trees: whoever may create names in a folder may do so in its `.git` too. So
    only a command that the user approved may create names in the folders that hold something frozen.
    """
    root = real(places.root)
    words = [sys.executable, "-I", "-S", _LAUNCHER]
    for hidden in (*hidden_places(places), *SCRATCH_FOLDERS, Path("/dev")):
        words += ["hide", str(hidden)]
    needed = [*NEEDED_IN_RUN, *([Path("/etc/resolv.conf")] if network else [])]
    for readable in (root, *places.readable, *needed):
        words += ["read", str(real(readable))]
    words += ["write", str(root)]
    for path in () if approved else (*frozen.present, *frozen.missing):
        words += ["keep", str(path)]
    words += ["scratch", str(scratch), *(["network", "yes"] if network else [])]
    return [*words, "--"]
