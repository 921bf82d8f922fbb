"""The terminal between the shell and Textual: how it was, how it becomes raw, and how it is given back."""

import _thread
import os
import termios

# `signal` costs 4 ms more than what it wraps, and `typing` as much.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    import _signal

INPUT, OUTPUT = 0, 1
ENTER = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?7l"
# Whatever may be on by the time of a signal; the kitty keys before the other screen, which has its own.
LEAVE = (
    "\x1b[?2026l\x1b[<u\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2048l\x1b[?1004l"
    "\x1b[?2004l\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h"
)
SAVE_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
DEADLY = (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGQUIT)
# Seconds that a dying process waits for whoever writes at the moment.
_GRACE = 0.2


class Terminal:
    """`writing` is held by everyone who writes, so that nothing follows the last word."""

    def __init__(self) -> None:
        """Raises termios.error where there is none."""
        self.attributes = termios.tcgetattr(INPUT)
        self.writing = _thread.allocate_lock()
        self.touched = False
        self.titled = False

    def guard(self) -> None:
        """From here on a signal that ends the process gives the terminal back first."""
        for number in DEADLY:
            _signal.signal(number, self.die)

    def die(self, number: int, frame: object) -> None:
        del frame
        self.writing.acquire(timeout=_GRACE)
        self.restore()
        os._exit(128 + number)

    def enter(self) -> None:
        """As raw as Textual wants it, except that ctrl+c still interrupts, as nobody reads keys yet."""
        mode = termios.tcgetattr(INPUT)
        mode[0] &= ~(termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR)
        mode[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
        off = bytes([os.fpathconf(INPUT, "PC_VDISABLE")])
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        mode[6][termios.VSUSP] = mode[6][termios.VQUIT] = off
        self.touched = True
        termios.tcsetattr(INPUT, termios.TCSANOW, mode)
        self.write(ENTER)

    def restore(self) -> None:
        """Also after Textual has turned everything on; nothing where the terminal was never touched."""
        try:
            if self.touched:
                self.touched = False
                self.write(LEAVE)
                termios.tcsetattr(INPUT, termios.TCSANOW, self.attributes)
            self.retitle()
        except (OSError, termios.error):
            # It was closed, which is what SIGHUP tells of.
            return

    def retitle(self) -> None:
        """As the window was called before; the app may have left the screen already."""
        if self.titled:
            self.titled = False
            self.write(RESTORE_TITLE)

    def write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(OUTPUT, data) :]
