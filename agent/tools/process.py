"""Runs a command so that it can always be ended, whole, and its output never fills the memory."""

from __future__ import annotations

import asyncio
import codecs
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

from agent.tools.capture import HEAD, LOG_LIMIT, Capture, plain

# The reaper needs one second for those who ignore TERM; beyond this it is the one that hangs.
PATIENCE = 1.7
DRAIN = 0.5
EMIT_EVERY = 0.1
EMIT_LIMIT = 8_000

_REAPER = str(Path(__file__).with_name("reaper.py"))


class Process:
    """A running command and everything it started. Whoever starts one must `wait` or `stop` it."""

    def __init__(self, capture: Capture, emit: Callable[[str], None] | None) -> None:
        self.capture = capture
        self._stream = _Stream(capture, emit)
        self._transport: asyncio.SubprocessTransport | None = None
        self._started_at = time.monotonic()

    @classmethod
    async def start(
        cls,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        log: Path,
        emit: Callable[[str], None] | None = None,
        head: int = HEAD,
    ) -> Self:
        process = cls(Capture(log, head=head), emit)
        # asyncio can wait for ever for a subprocess whose start was cancelled, so the start is let finish.
        starting = asyncio.ensure_future(process._spawn(argv, cwd, env))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await _outlast(starting)
            if starting.exception() is None:
                await process.stop()
            raise
        return process

    async def _spawn(self, argv: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self._transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: self._stream,
            *(sys.executable, "-I", "-S", _REAPER, "given" if "LC_CTYPE" in env else "unset", *argv),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=cwd,
            env=dict(env),
            start_new_session=True,
        )

    @property
    def code(self) -> int | None:
        """The exit code as a shell gives it, 128 + n after signal n; None while it runs."""
        ended = self._stream.ended
        return ended.result() if ended.done() else None

    @property
    def seconds(self) -> float:
        """How long it has run, or ran."""
        return (self._stream.ended_at or time.monotonic()) - self._started_at

    async def wait(self) -> int:
        """Cancelling this leaves the command running; `stop` ends it."""
        code = await asyncio.shield(self._stream.ended)
        self._close()
        return code

    def when_ended(self, act: Callable[[], None]) -> None:
        self._stream.ended.add_done_callback(lambda _: act())

    def let_go(self) -> None:
        """Asks the command to end, without waiting; `stop` waits."""
        assert self._transport is not None
        lifeline = self._transport.get_pipe_transport(0)
        if lifeline is not None:
            lifeline.close()

    async def stop(self) -> None:
        """Ends the command and all it started, and returns when they are gone or cannot be."""
        # An impatient second cancel must not leave half of the tree running.
        if cancelled := await _outlast(asyncio.ensure_future(self._end())):
            raise cancelled

    async def _end(self) -> None:
        assert self._transport is not None
        self.let_go()
        await asyncio.wait([self._stream.ended], timeout=PATIENCE)
        if not self._stream.ended.done():
            self._transport.kill()
            await asyncio.wait([self._stream.ended], timeout=0.2)
        self._close()

    def _close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        self._stream.flush()
        self.capture.close()


async def _outlast(task: asyncio.Future[None]) -> asyncio.CancelledError | None:
    """Wait until it is done, however often the wait is cancelled; the last cancellation is handed back."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    return cancelled


class _Stream(asyncio.SubprocessProtocol):
    """Feeds the capture, and shows what comes in few and small enough pieces for a screen to follow."""

    def __init__(self, capture: Capture, emit: Callable[[str], None] | None) -> None:
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[int] = self._loop.create_future()
        self._capture = capture
        self._emit = emit
        self._fresh = bytearray()
        self._skipped = 0
        self._drained = False
        self.ended_at: float | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._timer: asyncio.TimerHandle | None = None
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        assert fd == 1
        assert isinstance(data, bytes)
        self._capture.feed(data)
        if self._capture.size > LOG_LIMIT:
            self._breathe()
        if self._emit is None:
            return
        self._fresh += data
        if len(self._fresh) > EMIT_LIMIT:
            self._skipped += len(self._fresh) - EMIT_LIMIT
            del self._fresh[:-EMIT_LIMIT]
        if self._timer is None:
            self._timer = self._loop.call_later(EMIT_EVERY, self.flush)

    def _breathe(self) -> None:
        """Nobody will read what a flood still brings: slow it down rather than spend a core on it."""
        assert self._transport is not None
        pipe = self._transport.get_pipe_transport(1)
        if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing():
            pipe.pause_reading()
            self._loop.call_later(0.001, pipe.resume_reading)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        del exc
        if fd == 1:
            self._drained = True
            self._finish(late=False)

    def process_exited(self) -> None:
        # Somebody may have killed the reaper, and its orphans hold the pipe.
        self._loop.call_later(DRAIN, self._finish)
        self._finish(late=False)

    def _finish(self, *, late: bool = True) -> None:
        code = self._transport.get_returncode() if self._transport is not None else None
        if code is not None and (self._drained or late) and not self.ended.done():
            self.ended_at = time.monotonic()
            self.ended.set_result(code if code >= 0 else 128 - code)

    def flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._emit is None or not self._fresh:
            return
        note = f"\n[... {self._skipped} bytes not shown ...]\n" if self._skipped else ""
        text = self._decoder.decode(bytes(self._fresh))
        self._fresh.clear()
        self._skipped = 0
        self._emit(note + plain(text.encode("utf-8", "replace")))


async def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    log: Path,
    timeout: float,
    emit: Callable[[str], None] | None = None,
    head: int = HEAD,
) -> tuple[int | None, Capture]:
    """The exit code, None when the time was over, and the output; nothing of the command is left behind."""
    process = await Process.start(argv, cwd=cwd, env=env, log=log, emit=emit, head=head)
    try:
        async with asyncio.timeout(timeout):
            return await process.wait(), process.capture
    except TimeoutError:
        return None, process.capture
    finally:
        if process.code is None:
            await process.stop()
