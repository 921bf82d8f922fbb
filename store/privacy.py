"""Modes of files and folders that only their owner may read."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def is_open(thing: Path) -> bool:
    """Whether others may read or enter it, though it is ours alone; a folder that others use too is not."""
    state = thing.stat()
    return bool(state.st_mode & 0o077) and not _is_shared(thing, state.st_mode)


def tighten(thing: Path) -> bool:
    """Make an existing file or folder of ours private; return whether that was needed."""
    if not is_open(thing) or thing.stat().st_uid != os.geteuid():
        return False
    thing.chmod(0o700 if thing.is_dir() else 0o600)
    return True


def _is_shared(thing: Path, mode: int) -> bool:
    home = Path.home()
    return stat.S_ISDIR(mode) and (bool(mode & stat.S_ISVTX) or thing in (home, *home.parents))
