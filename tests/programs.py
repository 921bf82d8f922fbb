"""Programs that tests use where they are installed; a test that misses one is skipped and says which.

`python -m tests.programs FOLDER` fills FOLDER with links to every program on `PATH` but these, so that the
tests can be run as on a machine without them: `PATH=FOLDER make test`.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest

REQUIRED = "TESTS_REQUIRE"
"""Names of programs that must be present: without one of them its tests fail instead of being skipped."""

OPTIONAL = ("bwrap", "fish", "rg", "ssh", "sshd", "strace", "tmux", "zsh")
# They come with one of the above, or do its work.
_WITH_THEM = ("scp", "sftp", "rzsh")


def need(name: str, reason: str = "") -> None:
    """Skip the running test if `name` is not on `PATH`, or does not work for the given reason."""
    if missing := absence(name, reason):
        pytest.skip(missing)


def lack(layer: str, statement: str) -> NoReturn:
    """Skip the running test, which needs a sandbox layer that is not in force here."""
    if layer == "bubblewrap":
        absence("bwrap", statement)
    pytest.skip(f"no {layer} here: {statement}")


def absence(name: str, reason: str = "") -> str:
    """The reason why `name` cannot be used; empty if it can. Fail the running test if it is required."""
    missing = reason if shutil.which(name) else f"{name} is not installed"
    if missing and name in os.environ.get(REQUIRED, "").split():
        pytest.fail(f"{missing}, and {REQUIRED} says that it must be there", pytrace=False)
    return missing


def link_others(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for entry in os.get_exec_path():
        for program in sorted(Path(entry).iterdir()) if Path(entry).is_dir() else ():
            link = folder / program.name
            hidden = program.name in (*OPTIONAL, *_WITH_THEM) or program.name.startswith("ssh-")
            if not hidden and not link.is_symlink() and program.is_file() and os.access(program, os.X_OK):
                link.symlink_to(program)


if __name__ == "__main__":
    link_others(Path(sys.argv[1]))
