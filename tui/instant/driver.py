"""Textual's way to the terminal without its three defects, and able to take over from the instant prompt."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import termios
import time
from codecs import getincrementaldecoder
from contextlib import suppress
from io import TextIOWrapper
from threading import Event, Thread
from typing import Any, Protocol, TextIO, cast

from textual import events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from tui.instant.early import Chunk, Early
from tui.instant.internals import ALTERNATE_SCREEN, ESCAPE_DELAY, Parser, is_input
from tui.instant.order import Order
from tui.instant.terminal import Terminal
from tui.prompting.pouring import is_poured

# Seconds after which the screen is shown whatever became of the prompt.
_PATIENCE = 4.0
# Seconds in which the next piece of a paste comes, if there is one.
_REST = 0.05
_ESCAPE = "\x1b"
# Marked pastes, the mouse and the focus: what a shell may have switched off.
_USED = "\x1b[?2004h\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h\x1b[?1004h"
_SYNCHRONIZED, _SHOWN = "\x1b[?2026h", "\x1b[?2026l"


class Host(Protocol):
    """What the app tells its driver."""

    terminal: Terminal
    early: Early | None

    @property
    def at_prompt(self) -> bool:
        """Whether keys go to the prompt, and not to something that lies over it."""
        ...

    def write(self, text: str) -> None:
        """Into the prompt, as if typed."""
        ...


class Driver(LinuxDriver):
    def __init__(
        self,
        app: App[int],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)  # pyright: ignore[reportUnknownMemberType] an app of anything
        self._host = cast("Host", app)
        self._early = self._host.early
        self._order = Order(app)
        self._raw: list[Any] | None = None
        self._held: list[str] | None = [] if self._early else None
        self._file = cast("TextIO", Locked(_screen(), self._host.terminal))
        self.exit_event = Waking()
        self._parser = Parser(debug)
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def write(self, data: str) -> None:
        if self._held is None:
            super().write(data)
        elif data != ALTERNATE_SCREEN:
            # The instant prompt is on that screen already.
            self._held.append(data)

    def start_application_mode(self) -> None:
        self._host.terminal.touched = True
        super().start_application_mode()
        self.attrs_before = self._host.terminal.attributes
        with suppress(termios.error):
            self._raw = termios.tcgetattr(self.fileno)
        asyncio.get_running_loop().call_later(_PATIENCE, self._give_up)

    def resume_application_mode(self) -> None:
        """After a stop that nobody was told of all still stands, but for what a shell did to the terminal."""
        if self._raw is None:
            super().resume_application_mode()
        else:
            with suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._raw)
            self.write(_USED)
        self._app.call_later(self._app.refresh, layout=True)

    def stop_application_mode(self) -> None:
        self._raw = None
        self._order.drop()
        if self._early:
            self._early.stop()
            self._early, self._held = None, None
        super().stop_application_mode()

    def close(self) -> None:
        super().close()
        self._host.terminal.touched = False

    @property
    def keys_waiting(self) -> bool:
        return self._order.waiting

    def send_message(self, message: Message) -> None:
        if self._loop and is_input(message):
            self._loop.call_soon_threadsafe(self._order.put, message)
        else:
            super().send_message(message)

    def admit_keys(self) -> None:
        self._order.open()

    async def take_over(self) -> None:
        """What was typed into the instant prompt is typed again, and then all is shown in one go."""
        self._order.open()
        early, self._early = self._early, None
        if early is None:
            return
        try:
            await self._replay(early.stop())
        finally:
            self._reveal()
            if self._raw is not None:
                self._key_thread = Thread(target=self._run_input_thread, name="textual-input")
                self._key_thread.start()

    def run_input_thread(self) -> None:
        """Sleeps until there is something to read; the sequence of a key may come in pieces."""
        if self._early:
            # There is a reader already.
            return
        while not self.exit_event.is_set():
            patience = ESCAPE_DELAY if self._parser.waiting else None
            ready = select.select([self.fileno, self.exit_event.descriptor], [], [], patience)[0]
            if self.fileno in ready:
                data = _read(self.fileno)
                if not data:
                    # It was closed, and only the terminal a program was started from says so by itself.
                    os.kill(os.getpid(), signal.SIGHUP)
                    return
                self._take(self._whole(data), time.monotonic())
            for event in self._parser.tick():
                self.process_message(event)

    def _take(self, data: bytes, moment: float) -> None:
        """Keys say when they came, which is not when we got round to them: together, they may be a paste."""
        text = self._decode(data)
        lines, key, rest = text.partition(_ESCAPE)
        if self._parser.idle and is_poured(lines):
            # A paste that the terminal does not mark as one; key by key it would take minutes.
            self.process_message(events.Paste(lines.replace("\r\n", "\n").replace("\r", "\n")))
            text = key + rest
        if text:
            for event in self._parser.feed(text):
                event.time = moment
                self.process_message(event)

    def _whole(self, data: bytes) -> bytes:
        """With the rest of it, where it is the beginning of such a paste."""
        pieces = [data]
        if self._parser.idle and is_poured(data.decode("utf-8", "replace")):
            while _ESCAPE.encode() not in pieces[-1] and select.select([self.fileno], [], [], _REST)[0]:
                pieces.append(_read(self.fileno))
                if not pieces[-1]:
                    break
        return b"".join(pieces)

    async def _replay(self, chunks: list[Chunk]) -> None:
        if not self._host.at_prompt:
            self._host.write(_printable(chunks))
            return
        for number, (moment, data) in enumerate(chunks):
            self._take(data, moment)
            later = chunks[number + 1][0] if number + 1 < len(chunks) else moment
            if self._parser.waiting and later - moment >= ESCAPE_DELAY:
                # Escape by itself, and something else after it.
                await asyncio.sleep(ESCAPE_DELAY)
                for event in self._parser.tick():
                    self.process_message(event)
        # What is fed from this thread is queued by the loop, one round later.
        await asyncio.sleep(0)
        await self._order.drained()
        await self._painted()

    async def _painted(self) -> None:
        done = asyncio.Event()
        if self._app.call_after_refresh(done.set):
            await done.wait()

    def _give_up(self) -> None:
        self._order.open()
        if self._early:
            self._app.run_worker(self.take_over())
        else:
            self._reveal()

    def _reveal(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self.write(_SYNCHRONIZED + "".join(held) + _SHOWN)


class Waking(Event):
    """An event that also wakes who sleeps in a select."""

    def __init__(self) -> None:
        super().__init__()
        self.descriptor, self._wake = os.pipe()

    def set(self) -> None:
        super().set()
        os.write(self._wake, b".")

    def clear(self) -> None:
        super().clear()
        os.read(self.descriptor, 4096)


class Locked:
    """A file whose every flush is one piece; nothing is written after the terminal's last word."""

    def __init__(self, file: TextIO, terminal: Terminal) -> None:
        self._file = file
        self._terminal = terminal
        self._texts: list[str] = []

    def write(self, text: str) -> None:
        self._texts.append(text)

    def flush(self) -> None:
        text = "".join(self._texts)
        self._texts.clear()
        # A terminal that was closed takes nothing any more; if the thread that writes died of it, the app
        # would wait for ever to say its last words.
        with self._terminal.writing, suppress(OSError):
            self._file.write(text)
            self._file.flush()

    def isatty(self) -> bool:
        return self._file.isatty()

    def fileno(self) -> int:
        return self._file.fileno()


def _screen() -> TextIO:
    """Not where errors go, as with Textual: those may be sent to a file."""
    found = sys.__stdout__
    assert isinstance(found, TextIOWrapper)
    found.reconfigure(errors="backslashreplace")
    return found


def _read(descriptor: int) -> bytes:
    """Nothing where there is no terminal any more, which Linux reports as an error."""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


def _printable(chunks: list[Chunk]) -> str:
    """The words among the keys: a dialog must not be answered by what was typed before it was seen."""
    parser, found = Parser(), ""
    text = b"".join(data for _, data in chunks).decode("utf-8", "replace")
    for event in parser.feed(text) if text else ():
        match event:
            case events.Key(is_printable=True, character=str() as letter):
                found += letter
            case events.Paste():
                found += event.text
            case _:
                pass
    return found
