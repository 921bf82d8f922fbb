"""Keeps the beginning and the end of an output of any size, and the whole of it in a file."""

from __future__ import annotations

import os
import re
from io import FileIO
from pathlib import Path

from agent.paths import make_private_folder

HEAD = 12_000
TAIL = 16_000
LOG_LIMIT = 64_000_000
LINE = 2_000

# Colours and window titles mean nothing to a model and cost tokens.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Capture:
    """Fed with bytes as they come; memory stays within head, tail and one chunk."""

    def __init__(self, log: Path, *, head: int = HEAD, tail: int = TAIL, log_limit: int = LOG_LIMIT) -> None:
        self.size = 0
        self._path = log
        self._file: FileIO | None = None
        self._head = bytearray()
        self._tail = bytearray()
        self._head_limit = head
        self._tail_limit = tail
        self._log_limit = log_limit
        self._lost = ""

    def feed(self, data: bytes) -> None:
        self.size += len(data)
        if self.size > self._head_limit + self._tail_limit:
            self._log(data)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if self._file is not None or self._lost:
            del self._tail[: -self._tail_limit]

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    @property
    def log(self) -> Path | None:
        """The file with the whole output, when there is more than `text` shows."""
        return self._path if self._file is not None else None

    def text(self) -> str:
        kept = bytes(self._head) + bytes(self._tail)
        left_out = self.size - len(kept)
        if not left_out:
            return plain(kept)
        where = f"all of it is in {self._path}" if self._file is not None else self._lost
        if self._file is not None and self.size > self._log_limit:
            where = f"the first {self._log_limit // 1_000_000} MB are in {self._path}"
        marker = f"\n[... {left_out} bytes left out; {where} ...]\n"
        return plain(bytes(self._head)) + marker + plain(bytes(self._tail))

    def _log(self, data: bytes) -> None:
        if self._lost:
            return
        try:
            if self._file is None:
                make_private_folder(self._path.parent)
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
                self._file = FileIO(os.open(self._path, flags, 0o600), "w")
                data = bytes(self._head) + bytes(self._tail) + data
            room = self._log_limit - self._file.tell()
            if room > 0:
                self._file.write(data[:room])
        except OSError as error:
            # A full disk must not end the command whose output it cannot hold.
            self._lost = f"they could not be kept: {error.strerror}"
            self.close()
            self._file = None


def plain(data: bytes) -> str:
    """What a person would have read on a terminal: no colours, progress bars as they ended."""
    text = _ESCAPES.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
    lines = (shorten(_overwritten(line)) for line in text.split("\n"))
    return _CONTROLS.sub("\ufffd", "\n".join(lines))


def shorten(line: str, limit: int = LINE) -> str:
    if len(line) <= limit:
        return line
    kept = limit // 2
    return f"{line[:kept]} [... {len(line) - 2 * kept} characters ...] {line[-kept:]}"


def _overwritten(line: str) -> str:
    return line.rstrip("\r").rpartition("\r")[2]
