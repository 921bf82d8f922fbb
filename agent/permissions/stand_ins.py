"""Empty folders that hold the place of names which a confined command must not create.

A mount needs something to stand on, so the folders exist on the host too while commands run. Whoever ends
last removes them, in whichever process: all share a lock on one file per workspace, which also lists them.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path

from agent.digests import hashed
from agent.paths import make_private_folder


@contextmanager
def stand_ins(folder: Path, root: Path, missing: Iterable[Path], parents: Iterable[Path]) -> Generator[None]:
    """Create empty folders for `missing` and `parents`; on leaving remove those that nobody uses."""
    make_private_folder(folder)
    name = hashed(os.fsencode(root), size=16).hexdigest()
    descriptor = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        for path in (*parents, *missing):
            _create(path, root, descriptor)
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(descriptor)
        os.close(descriptor)


def _create(path: Path, root: Path, descriptor: int) -> None:
    lacking = [place for place in (path, *path.parents) if place.is_relative_to(root) and not place.exists()]
    for place in reversed(lacking):
        # Noted first: what is noted and was never made does no harm.
        os.write(descriptor, os.fsencode(place) + b"\0")
        with suppress(OSError):
            place.mkdir(mode=0o755)


def _remove(descriptor: int) -> None:
    size = os.fstat(descriptor).st_size
    noted = os.pread(descriptor, size, 0).split(b"\0")[:-1]
    for path in reversed(noted):
        # Fails, as it should, for whatever was filled meanwhile.
        with suppress(OSError):
            os.rmdir(path)  # noqa: PTH106 - bytes, as they were noted
    os.ftruncate(descriptor, 0)
