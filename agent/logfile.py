"""The file behind the log: rotated, readable by its owner alone, and never the user's problem."""

from __future__ import annotations

import io
import logging
import logging.handlers
import os
from pathlib import Path
from typing import cast

from agent.paths import make_private_folder

MAX_BYTES = 1_000_000
KEPT = 3


def open_file(path: Path) -> logging.Handler:
    try:
        make_private_folder(path.parent)
        return _PrivateHandler(path, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8")
    except OSError:
        return logging.NullHandler()


class _PrivateHandler(logging.handlers.RotatingFileHandler):
    def _open(self) -> io.TextIOWrapper:
        def private(name: str, flags: int) -> int:
            return os.open(name, flags | os.O_NOFOLLOW, 0o600)

        return cast("io.TextIOWrapper", open(self.baseFilename, self.mode, encoding="utf-8", opener=private))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """A full disk is not worth a second traceback on the user's screen."""
