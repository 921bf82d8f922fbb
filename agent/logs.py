"""The log: where tracebacks go instead of the screen, private and free of secrets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

NAME = "wakeful"
PACKAGES = ("tui", "agent", "store")


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
        # Its patterns take a moment to build, and most commands report nothing.
        from agent.secrets import Redactor

        return Redactor(self._secrets())(super().format(record))
