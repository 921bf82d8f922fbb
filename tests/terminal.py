"""A program on a real pseudo terminal: its keys are typed, its screen is read, its bytes are kept."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from unicodedata import combining

import pyte
from pyte.screens import Char
from wcwidth import wcwidth

# Long enough for the slowest machine; nothing waits it out unless it is broken.
_PATIENCE = 60.0
_PIECE = 4_096
_MODES = re.compile(rb"\x1b\[\?(\d+(?:;\d+)*)([hl])")


class _Screen(pyte.HistoryScreen):
    def draw(self, data: str) -> None:
        # Where a letter takes no cell and is no accent either, pyte forgets what comes behind it.
        super().draw("".join(each for each in data if wcwidth(each) or combining(each)))


class Terminal:
    """The other end stays open in here, so that its settings can be read after the program ended.

    One that is not `controlling` sends no signals.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        columns: int = 80,
        rows: int = 24,
        controlling: bool = True,
    ) -> None:
        self.captured = b""
        self._controlling = controlling
        # A flood is only listened to: an emulated screen is slower than a real one.
        self.drawing = True
        self.screen = _Screen(columns, rows, history=10_000, ratio=0.5)
        self._stream = pyte.ByteStream(self.screen)
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.settings = termios.tcgetattr(self._slave)
        os.set_blocking(self._master, False)
        self.pid = os.fork()
        if self.pid == 0:
            self._become(argv, env, cwd)
        self.status: int | None = None

    def _become(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        try:
            os.chdir(cwd)
            os.setsid()
            if self._controlling:
                fcntl.ioctl(self._slave, termios.TIOCSCTTY, 0)
            for descriptor in (0, 1, 2):
                os.dup2(self._slave, descriptor)
            os.closerange(3, 256)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(argv[0], list(argv), dict(env))
        finally:
            os._exit(127)

    def type(self, text: str) -> None:
        """However much it is: what the program says meanwhile is taken in, or both would wait for ever."""
        data = text.encode("utf-8", "surrogateescape")
        while data:
            ready, free, _ = select.select([self._master], [self._master], [], _PATIENCE)
            assert ready or free, f"it takes no keys\n{self.shown}"
            if ready:
                self.read(0)
            if free:
                data = data[os.write(self._master, data[:_PIECE]) :]

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)
        os.kill(self.pid, signal.SIGWINCH)

    def cook(self) -> None:
        """As a shell does that gets its terminal back from a program that was stopped."""
        termios.tcsetattr(self._slave, termios.TCSANOW, self.settings)

    def is_stopped(self) -> bool:
        _, _, fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(") ")
        return fields.startswith("T")

    def close(self) -> int:
        """As when a window is closed: the exit status of the program, which has no terminal any more."""
        os.close(self._slave)
        os.close(self._master)
        self._slave = self._master = -1
        deadline = time.monotonic() + _PATIENCE
        while self._running():
            assert time.monotonic() < deadline, f"still running\n{self.text}"
            time.sleep(0.05)
        assert self.status is not None
        return self.status

    def scribble(self, text: str) -> None:
        """As another program does that has the same terminal."""
        os.write(self._slave, text.encode())

    def kill(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    @property
    def text(self) -> str:
        """Everything that was printed and is still to be seen by scrolling up, then the screen."""
        return "\n".join([*(self._read_off(line) for line in self.screen.history.top), self.shown])

    @property
    def shown(self) -> str:
        return "\n".join(self._read_off(self.screen.buffer[y]) for y in range(self.screen.lines))

    def _read_off(self, line: Mapping[int, Char]) -> str:
        """Wide letters take two cells, of which the second is empty; pyte's own way fails on half of one."""
        return "".join(line[x].data for x in range(self.screen.columns)).rstrip()

    def wait_for(self, pattern: str, *, gone: bool = False, on_screen: bool = False) -> str:
        """Until it is there (or gone); a failure shows the screen instead of the time it took."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            text = self.shown if on_screen or gone else self.text
            if bool(re.search(pattern, text)) is not gone:
                return text
            alive = self.read(0.1)
            if not alive or time.monotonic() > deadline:
                what = "still there" if gone else "never came"
                raise AssertionError(f"{pattern!r} {what}; status {self.status}\n{self.text}")

    def read(self, seconds: float) -> bool:
        """Take in what comes; false when the program has ended and nothing is left to read."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if ready:
            data = os.read(self._master, 65_536)
            self.captured += data
            if self.drawing:
                self._stream.feed(data)
            return True
        return self._running()

    def settle(self, seconds: float) -> None:
        """Let time pass where a person would need it; nothing may depend on its being short."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self.read(left):
            pass

    def end(self) -> int:
        """Wait for the program to end by itself; its exit status, negative after a signal."""
        deadline = time.monotonic() + _PATIENCE
        while self.read(0.05):
            assert time.monotonic() < deadline, f"still running\n{self.text}"
        assert self.status is not None
        return self.status

    @property
    def modes(self) -> dict[int, bool]:
        """Private modes that were switched and how each was left."""
        found: dict[int, bool] = {}
        for numbers, letter in _MODES.findall(self.captured):
            found |= {int(number): letter == b"h" for number in numbers.split(b";")}
        return found

    def is_sane(self) -> list[str]:
        """What is not as it was before the program; empty when a shell could go on."""
        now: list[Any] = termios.tcgetattr(self._slave)
        wrong = [
            f"termios field {at}"
            for at, (was, is_) in enumerate(zip(self.settings, now, strict=True))
            if was != is_
        ]
        modes = self.modes
        wrong += [
            f"mode {mode} left on"
            for mode in (9, 1000, 1002, 1003, 1004, 1006, 1049, 47, 2004)
            if modes.get(mode)
        ]
        if modes.get(25) is False:
            wrong.append("cursor hidden")
        if modes.get(7) is False:
            wrong.append("no line wrap")
        if b"\x1b]2;" in self.captured and not (
            0 <= self.captured.find(b"\x1b[22;2t") < self.captured.find(b"\x1b]2;")
            and self.captured.rfind(b"\x1b[23;2t") > self.captured.rfind(b"\x1b]2;")
        ):
            wrong.append("another title")
        if not os.get_blocking(self._slave):
            wrong.append("not blocking")
        return wrong

    def _running(self) -> bool:
        if self.status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._running():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        for descriptor in (self._master, self._slave):
            if descriptor >= 0:
                os.close(descriptor)
