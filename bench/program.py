"""A program on a terminal of its own: keys go in, and the moment at which bytes come out is noted."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from agent.tools.capture import plain, shorten
from bench.family import end, family

ROWS, COLUMNS = 40, 120
# Programs that ask the terminal where the cursor is, or what it can do, wait for an answer.
ANSWERS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;22c"}
_LOOKS = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
# Seconds of watching, and of CPU meanwhile.
_QUIET, _NEXT_TO_NOTHING = 0.5, 0.02
# Seconds that it may take to end, and letters that are told of its last line.
_ENDING, _LAST = 5.0, 100


class SilentError(Exception):
    """What was waited for never came out."""


class EndedError(Exception):
    """It ended while something was waited for; the message is its status and what it said last."""


class Program:
    """`early` is typed at the moment of the start; the terminal itself echoes nothing."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: Path, *, early: str = ""
    ) -> None:
        self._output = bytearray()
        self._hung_up = False
        self._status: int | None = None
        self._terminal, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
        _silence(theirs)
        self.started = time.monotonic()
        self.process = os.fork()
        if self.process == 0:
            _become(command, {**environment, **_LOOKS}, folder, theirs)
        os.close(theirs)
        if early:
            self.type(early)

    def type(self, text: str) -> float:
        """The moment at which it was typed."""
        moment = time.monotonic()
        os.write(self._terminal, text.encode())
        return moment

    def wait_for(self, text: str, *, after: int = 0, seconds: float = 60.0) -> float:
        """The moment at which it came out, behind so many bytes."""
        wanted, deadline = text.encode(), time.monotonic() + seconds
        while self._output.find(wanted, after) < 0:
            if not self._read(deadline - time.monotonic()):
                if self._gone(_ENDING if self._hung_up else 0.0):
                    raise EndedError(self._ending())
                raise SilentError(f"{text!r} never came; the last was {bytes(self._output[-2_000:])!r}")
        return time.monotonic()

    def rest(self, seconds: float) -> None:
        """Let time pass, taking in what comes."""
        deadline = time.monotonic() + seconds
        while self._read(deadline - time.monotonic()):
            pass

    def settle(self, seconds: float = 30.0) -> None:
        """Until it does next to nothing for a while; a cursor may go on blinking."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            before = self.cpu
            self.rest(_QUIET)
            if self.cpu - before <= _NEXT_TO_NOTHING:
                return

    @property
    def written(self) -> int:
        """Bytes so far, for what comes behind them."""
        return len(self._output)

    @property
    def cpu(self) -> float:
        """Seconds that it took itself, without the processes it started."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def memory(self) -> float:
        """MiB of it that are in memory."""
        return int(Path(f"/proc/{self.process}/statm").read_text().split()[1]) * _PAGE / 2**20

    @property
    def family_memory(self) -> float:
        """The same of it and of all it started."""
        pages = 0
        for each in family(self.process):
            # One that ended meanwhile holds nothing.
            with suppress(OSError):
                pages += int(Path(f"/proc/{each.number}/statm").read_text().split()[1])
        return pages * _PAGE / 2**20

    def _read(self, seconds: float) -> bool:
        """False when nothing came in that time, or nothing will any more."""
        if seconds <= 0 or not select.select([self._terminal], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self._terminal, 65_536)
        except OSError:
            # Linux reports the end of a terminal as an error.
            self._hung_up = True
            return False
        for question, answer in ANSWERS.items():
            if question in piece:
                os.write(self._terminal, answer)
        self._output += piece
        return bool(piece)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Once it is gone, nobody can tell any more who was started by it.
        started = [each for each in family(self.process) if each.number != self.process]
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._gone(0.0):
                break
            os.kill(self.process, number)
            self._gone(_ENDING)
        end(started)
        os.close(self._terminal)

    def _gone(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while self._status is None:
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if ended:
                self._status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() >= deadline:
                return False
            elif self._hung_up:
                time.sleep(0.02)
            else:
                self._read(0.02)
        return True

    def _ending(self) -> str:
        status = self._status or 0
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        said = plain(bytes(self._output)).split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        return f"ended {how}" + (f": {shorten(last, _LAST)}" if last else "")


def _silence(terminal: int) -> None:
    """What is typed before the program reads must not seem to be its echo."""
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~(termios.ECHO | termios.ECHOE | termios.ECHOK | termios.ECHONL)
    termios.tcsetattr(terminal, termios.TCSANOW, settings)


def _become(command: Sequence[str], environment: Mapping[str, str], folder: Path, terminal: int) -> None:
    try:
        os.chdir(folder)
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        for descriptor in (0, 1, 2):
            os.dup2(terminal, descriptor)
        os.closerange(3, 256)
        os.execve(command[0], list(command), dict(environment))
    finally:
        os._exit(127)
