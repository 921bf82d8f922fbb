"""The log: where tracebacks go instead of the screen, private and free of secrets."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

NAME = "wakeful"
PACKAGES = ("tui", "agent", "store")
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
def open_log(path: Path, secrets: Callable[[], Mapping[str, str]]) -> Generator[logging.Logger]:
    """A log that cannot be written is silently none: it must never be what stops the user."""
    handler = _Late(path)
    handler.setFormatter(_Redacting(secrets))
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


class _Late(logging.Handler):
    """Opens the file with the first record: most commands have nothing to report."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self._file is None:
            # Rotation costs 8 ms to import.
            from agent.logfile import open_file

            self._file = open_file(self._path)
            self._file.setFormatter(self.formatter)
        self._file.handle(record)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        super().close()


class _Redacting(logging.Formatter):
    def __init__(self, secrets: Callable[[], Mapping[str, str]]) -> None:
        super().__init__("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record), self._secrets())
