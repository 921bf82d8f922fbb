"""The REPL line by line: for screen readers, dumb terminals and pipes. Nothing is ever redrawn."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import select
from collections import deque
from dataclasses import replace
from typing import Self, TextIO

from agent.commands.results import Table
from agent.events import Event, SessionStateChanged, WakeCountdown
from tui.repl import usage
from tui.repl.talk import Talk

INTERRUPTED = 130

_ADDS = re.compile(r"\s*/todo\s+add\s", re.IGNORECASE)
_BLOCK_END = "/endtodo"
# Some inputs never end, and others wait for their turn.
_MOST_READS = 64


class Lines:
    """The terminal itself lets the user edit a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._left: asyncio.Future[int] | None = None
        self._interrupted = False
        self._warned = False

    def write(self, text: str) -> None:
        if text:
            encoding = self._out.encoding or "utf-8"
            self._out.write(text.encode(encoding, "replace").decode(encoding))
            self._out.flush()

    @property
    def takes_sequences(self) -> bool:
        return self._out.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    @property
    def keys(self) -> Table:
        return usage.LINES

    def refresh(self) -> None:
        """There is nothing on this screen that could be drawn again."""

    def draft(self, text: str) -> None:
        """What is typed here is the terminal's own until it is a line."""

    def leave(self, status: int) -> None:
        if self._left is not None and not self._left.done():
            self._left.set_result(status)

    def interrupted(self, talk: Talk) -> None:
        if self._interrupted:
            self.leave(INTERRUPTED)
            return
        running = talk.interruptible
        if running:
            talk.interrupt()
        if talk.jobs or not running:
            talk.warn("ctrl+c")
        self._interrupted = True

    async def run(self, talk: Talk, reader: LineReader) -> int:
        """Until the input ends or the user leaves."""
        self._left = asyncio.get_running_loop().create_future()
        with reader:
            reading = asyncio.ensure_future(self._read(reader, talk))
            try:
                await asyncio.wait([reading, self._left], return_when=asyncio.FIRST_COMPLETED)
            finally:
                reading.cancel()
                await asyncio.wait([reading])
        if not reading.cancelled():
            reading.result()
        return self._left.result() if self._left.done() else 0

    async def _read(self, reader: LineReader, talk: Talk) -> None:
        while True:
            text = await reader.next()
            if text is None:
                if self._warned or self._interrupted or not talk.jobs or not reader.resume():
                    return
                self._warned = True
                talk.warn("ctrl+d")
                continue
            self._interrupted = self._warned = False
            if not text.strip():
                talk.hold_wake()
            talk.submit(text)


def spoken_state(event: Event, talk: Talk) -> str:
    """What a toolbar would show, as a sentence when it changes."""
    match event:
        case SessionStateChanged(state="running"):
            return "Working." if event.reason == "working" else ""
        case SessionStateChanged(state="awaiting_human" | "awaiting_approval"):
            # The question says it, and comes next.
            return ""
        case SessionStateChanged():
            jobs = replace(talk.status, jobs=len(talk.jobs)).in_background
            said = f"{talk.status.sentence[:1].upper()}{talk.status.sentence[1:]}."
            return f"{said} {jobs}." if jobs else said
        case WakeCountdown():
            return f"The agent goes on in {event.seconds:.0f} seconds; press enter to hold it."
        case _:
            return ""


class LineReader:
    """Lines of a terminal, a pipe or a file, taken as they come and without changing how others see it.

    It reads while it is entered, which may be several times; what was read and not asked for is kept.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[str] = deque()
        self._ended = False
        self._arrived = asyncio.Event()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unfinished = ""

    def __enter__(self) -> Self:
        if self._ended:
            return self
        try:
            asyncio.get_running_loop().add_reader(self._descriptor, self._readable)
        except PermissionError:
            # An ordinary file is always ready, which is why nobody can wait for it.
            while self._readable():
                pass
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)

    def resume(self) -> bool:
        """Read on after ctrl+d; False where the input is no terminal and has ended for good."""
        if not os.isatty(self._descriptor):
            return False
        self._ended = False
        asyncio.get_running_loop().add_reader(self._descriptor, self._readable)
        return True

    async def next(self) -> str | None:
        """A line and those that belong to it; None when the input has ended."""
        line = await self._line()
        if line is None:
            return None
        taken = [line]
        try:
            while taken[-1].endswith("\\"):
                taken.append(await self._line() or "")
        except asyncio.CancelledError:
            # Whoever reads next gets all of it.
            self._lines.extendleft(reversed(taken))
            raise
        whole = [*(each[:-1] for each in taken[:-1]), taken[-1]]
        return "\n".join([*whole, *self._block(line)])

    async def _line(self) -> str | None:
        while not self._lines and not self._ended:
            self._arrived.clear()
            await self._arrived.wait()
        return self._lines.popleft() if self._lines else None

    def _block(self, line: str) -> list[str]:
        """The notes of a todo, if their end is there already: nobody can wait for what may never come."""
        rest = list(self._lines)
        if not _ADDS.match(line) or not rest or rest[0].startswith("/"):
            return []
        commands = (at for at, each in enumerate(rest) if each.lstrip().startswith(("/todo", _BLOCK_END)))
        end = next(commands, None)
        if end is None or rest[end].strip() != _BLOCK_END:
            return []
        return [self._lines.popleft() for _ in range(end + 1)]

    def _readable(self) -> bool:
        """All that is there, so that lines which were pasted together are seen together."""
        for _ in range(_MOST_READS):
            if not self._read() or not select.select([self._descriptor], [], [], 0)[0]:
                break
        self._arrived.set()
        return not self._ended

    def _read(self) -> bool:
        try:
            data = os.read(self._descriptor, 65_536)
        except OSError:
            # The terminal is gone.
            data = b""
        *whole, self._unfinished = (self._unfinished + self._decoder.decode(data, not data)).split("\n")
        self._lines.extend(line.rstrip("\r") for line in whole)
        if not data:
            if self._unfinished:
                self._lines.append(self._unfinished)
                self._unfinished = ""
            self._ended = True
            asyncio.get_running_loop().remove_reader(self._descriptor)
        return bool(data)
