"""One process at a time runs turns in a session; the lock dies with its owner and names it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from store.errors import SessionBusyError

# Whoever asks for the owner holds the lock for an instant, and an owner needs one to write its name.
_ATTEMPTS = 20


@contextmanager
def session_lock(folder: Path, session_id: str) -> Generator[None]:
    """Hold the right to run turns and write messages; todos may be changed by any process."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(_file(folder, session_id), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        for attempt in range(_ATTEMPTS, 0, -1):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                pid = owner(folder, session_id)
                if pid is not None or attempt == 1:
                    raise SessionBusyError(session_id, pid) from None
                time.sleep(0.01)
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)


def owner(folder: Path, session_id: str) -> int | None:
    """The process that holds the session now, if any does."""
    try:
        handle = os.open(_file(folder, session_id), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        text = os.pread(handle, 20, 0).decode("ascii", "ignore")
        return int(text) if text.isdigit() else None
    finally:
        os.close(handle)
    return None


def _file(folder: Path, session_id: str) -> Path:
    return folder / f"{session_id}.lock"
