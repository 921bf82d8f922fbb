"""The log file: where tracebacks go instead of the screen, rotated, private and free of secrets."""

from __future__ import annotations

import io
import logging
import logging.handlers
import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from agent.paths import make_private_folder

NAME = "wakeful"
PACKAGES = ("tui", "agent", "store")
MAX_BYTES = 1_000_000
KEPT = 3
REDACTED = "[redacted]"

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)S?$", re.IGNORECASE)
_SECRET_SHAPE = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp]|hf|AKIA|AIza)[-_A-Za-z0-9]{16,}"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
    r"|(?i:(?<=bearer )|(?<=basic ))[-._~+/A-Za-z0-9]{8,}=*"
)
# Shorter values are words such as "none" that would eat harmless text.
_SHORTEST_SECRET = 8


@contextmanager
def open_log(path: Path, environment: Mapping[str, str]) -> Generator[logging.Logger]:
    """A log that cannot be written is silently none: it must never be what stops the user."""
    handler = _open_handler(path)
    handler.setFormatter(_Redacting(environment))
    loggers = [logging.getLogger(name) for name in (NAME, *PACKAGES)]
    for logger in loggers:
        # Without this Python prints what nobody handles on the user's screen, secrets included.
        logger.propagate = False
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    try:
        yield loggers[0]
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        handler.close()


def redact(text: str, environment: Mapping[str, str]) -> str:
    """Replaces the values of variables named like secrets, and whatever is shaped like one."""
    secrets = {
        value
        for name, value in environment.items()
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET
    }
    # Longest first, so that a secret inside another leaves no rest behind.
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return _SECRET_SHAPE.sub(REDACTED, text)


def _open_handler(path: Path) -> logging.Handler:
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


class _Redacting(logging.Formatter):
    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")
        self._environment = environment

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record), self._environment)
