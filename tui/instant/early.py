"""The prompt before the app: drawn and typed into within milliseconds, while Textual is still being loaded.

Every import here is paid for before anything is seen, so there are next to none.
"""

import _thread
import os
import select
import sys
import termios
import time

from tui.instant.circumstances import Circumstances
from tui.instant.echo import Echo
from tui.instant.frames import Frame
from tui.instant.terminal import INPUT, OUTPUT, Terminal

# `signal` costs 4 ms more than what it wraps, and `typing` as much.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    import _signal

# Seconds that the reader may take to notice that it is not needed any more.
_PATIENCE = 2.0
_OFF = ("0", "false", "no", "off")

Chunk = tuple[float, bytes]


class Early:
    """Reads in a thread of its own and keeps every byte with its time; the echo is only a view of them."""

    def __init__(self, terminal: Terminal, learned: Frame, frame: Frame) -> None:
        self.terminal = terminal
        self._learned = learned
        self._frame: Frame | None = frame
        self._echo = Echo()
        self._chunks: list[Chunk] = []
        self._wake_reader, self._wake = os.pipe()
        self._ended = _thread.allocate_lock()
        self._reading = False

    def start(self) -> None:
        self.terminal.guard()
        self.terminal.enter()
        self._draw()
        _signal.signal(_signal.SIGWINCH, self._resized)
        self._ended.acquire()
        self._reading = True
        _thread.start_new_thread(self._read, ())

    def stop(self) -> list[Chunk]:
        """From here on nobody reads; what came so far."""
        if self._reading:
            self._reading = False
            os.write(self._wake, b".")
            self._ended.acquire(timeout=_PATIENCE)
            os.close(self._wake)
            os.close(self._wake_reader)
        return self._chunks

    def leave(self) -> None:
        """Nobody took over: the terminal is given back."""
        if self._reading:
            self.stop()
            self.terminal.restore()

    def _read(self) -> None:
        try:
            while True:
                ready = select.select([INPUT, self._wake_reader], [], [])[0]
                if self._wake_reader in ready:
                    return
                data = os.read(INPUT, 4096)
                if not data:
                    return
                self._chunks.append((time.monotonic(), data))
                self._show(data)
        except (OSError, ValueError):
            # The terminal is gone; SIGHUP says so too.
            return
        finally:
            self._ended.release()

    def _show(self, data: bytes) -> None:
        frame, echo = self._frame, self._echo
        if frame is None or echo.frozen:
            return
        echo.feed(data, frame.prompt[2] - 1)
        with self.terminal.writing:
            self.terminal.write(echo.drawn(frame))

    def _draw(self) -> None:
        if self._frame:
            with self.terminal.writing:
                self.terminal.write("\x1b[?2026h" + self._frame.drawn() + "\x1b[?2026l")

    def _resized(self, number: int, frame: object) -> None:
        del number, frame
        self._frame = self._learned.fitted(*_size())
        # The thread may be writing, and a handler must not wait for it; the app draws anew in any case.
        if self._frame and self.terminal.writing.acquire(blocking=False):
            try:
                self.terminal.write(self._frame.drawn() + self._echo.drawn(self._frame))
            finally:
                self.terminal.writing.release()


def begin(arguments: list[str]) -> Early | None:
    """None wherever anything is unusual: then the app starts as any other."""
    try:
        return _begun(arguments)
    except (OSError, ValueError, termios.error):
        return None


def _begun(arguments: list[str]) -> Early | None:
    environment = os.environ
    if environment.get("WAKEFUL_INSTANT") in _OFF or environment.get("TERM", "dumb") in ("", "dumb"):
        return None
    if not all(os.isatty(number) for number in (INPUT, OUTPUT)) or os.tcgetpgrp(INPUT) != os.getpgrp():
        return None
    columns, rows = _size()
    if environment.get("COLUMNS", str(columns)) != str(columns) or environment.get("LINES", str(rows)) != str(
        rows
    ):
        # Textual would believe them.
        return None
    learned = Circumstances(arguments, environment, columns, rows).known()
    fitted = learned.fitted(columns, rows) if learned else None
    if learned is None or fitted is None:
        return None
    sys.stdout.flush()
    early = Early(Terminal(), learned, fitted)
    early.start()
    return early


def _size() -> tuple[int, int]:
    size = os.get_terminal_size(OUTPUT)
    return size.columns, size.lines
