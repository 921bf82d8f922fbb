"""The REPL line by line: for screen readers, dumb terminals and pipes. Nothing is ever redrawn."""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
from typing import Self, TextIO

from agent.events import Event, SessionStateChanged, WakeCountdown
from tui.asking import hint
from tui.repl.talk import Talk

INTERRUPTED = 130


class Lines:
    """The terminal itself lets the user edit a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._left: asyncio.Future[int] | None = None
        self._interrupted = False

    def write(self, text: str) -> None:
        if text:
            encoding = self._out.encoding or "utf-8"
            self._out.write(text.encode(encoding, "replace").decode(encoding))
            self._out.flush()

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
        elif talk.interruptible:
            talk.interrupt()
        else:
            talk.say("ctrl+c again leaves, or ctrl+d")
        self._interrupted = True

    async def run(self, talk: Talk) -> int:
        """Until the input ends or the user leaves."""
        self._left = asyncio.get_running_loop().create_future()
        with LineReader(sys.stdin.fileno()) as reader:
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
        held: list[str] = []
        while (line := await reader.next()) is not None:
            self._interrupted = False
            if line.endswith("\\"):
                held.append(line[:-1])
                continue
            text = "\n".join([*held, line])
            held.clear()
            if talk.status.wakes_at is not None and not text.strip():
                talk.interrupt()
            talk.submit(text)


def spoken_state(event: Event, talk: Talk) -> str:
    """What a toolbar would show, as a sentence when it changes."""
    match event:
        case SessionStateChanged(state="running"):
            return "Working." if event.reason == "working" else ""
        case SessionStateChanged():
            question = talk.question
            keys = f" Answer with a line: {hint(question)}." if question else ""
            return f"{talk.status.sentence[:1].upper()}{talk.status.sentence[1:]}.{keys}"
        case WakeCountdown():
            return f"The agent goes on in {event.seconds:.0f} seconds; press enter to hold it."
        case _:
            return ""


class LineReader:
    """Lines of a terminal, a pipe or a file, taken as they come and without changing how others see it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unfinished = ""

    def __enter__(self) -> Self:
        try:
            asyncio.get_running_loop().add_reader(self._descriptor, self._readable)
        except PermissionError:
            # An ordinary file is always ready, which is why nobody can wait for it.
            while self._readable():
                pass
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)

    async def next(self) -> str | None:
        """None when the input has ended."""
        return await self._lines.get()

    def _readable(self) -> bool:
        try:
            data = os.read(self._descriptor, 65_536)
        except OSError:
            # The terminal is gone.
            data = b""
        *whole, self._unfinished = (self._unfinished + self._decoder.decode(data, not data)).split("\n")
        for line in whole:
            self._lines.put_nowait(line.rstrip("\r"))
        if not data:
            if self._unfinished:
                self._lines.put_nowait(self._unfinished)
            self._lines.put_nowait(None)
            asyncio.get_running_loop().remove_reader(self._descriptor)
        return bool(data)
