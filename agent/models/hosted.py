"""Our side of the model host: starts it, speaks to it, and survives its death."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from agent.models import wire
from agent.models.protocol import BadRequestError, Chunk, Finish, Request, TransientError

log = logging.getLogger(__name__)

_START = 120.0
_GRACE = 2.0

Line = Mapping[str, Any]


class Host:
    """One child process for any number of streams. `start` returns at once, the child loads meanwhile.

    `environment` is all the child gets to know, keys included.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = dict(environment)
        self._child: _Child | None = None
        self._numbers = count(1)
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        return self._child.process.pid if self._child else None

    async def start(self) -> None:
        async with self._starting:
            if self._child is not None and self._child.reading.done():
                await self._child.end()
                self._child = None
            if self._child is None:
                self._child = await _spawn(self._environment)

    async def stream(
        self, request: Request, options: Mapping[str, str], idle: float
    ) -> AsyncGenerator[Chunk, None]:
        await self.start()
        child = self._child
        assert child is not None
        await child.loaded()
        number = next(self._numbers)
        inbox = child.ask(number, {"request": wire.from_request(request), "options": dict(options)})
        finished = False
        try:
            while not finished:
                line = await child.answer(number, inbox, request.model, idle)
                if why := line.get("detail"):
                    log.info("litellm: %s", why)
                chunk = wire.to_chunk(line)
                finished = isinstance(chunk, Finish)
                yield chunk
        finally:
            child.let_go(number)

    async def close(self) -> None:
        async with self._starting:
            if self._child is not None:
                await self._child.end()
                self._child = None


class Hosted:
    """A `Model` behind the host. `options` are litellm's own, such as `api_base` and `api_key`.

    `alias` is a provider's name that litellm does not know: its models are asked for as OpenAI's.
    """

    def __init__(
        self, host: Host, options: Mapping[str, str], *, idle: float = 120.0, alias: str | None = None
    ) -> None:
        self._host = host
        self._options = dict(options)
        self._idle = idle
        self._alias = alias

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        if self._alias is not None:
            request = replace(request, model=f"openai/{request.model.removeprefix(self._alias + '/')}")
        return self._host.stream(request, self._options, self._idle)

    async def close(self) -> None:
        """Whoever made the host closes it: others may be using it."""


@dataclass(slots=True)
class _Child:
    process: Process
    reading: asyncio.Task[None] = field(init=False)
    inboxes: dict[int, asyncio.Queue[Line | None]] = field(default_factory=dict[int, Any])
    started: asyncio.Queue[Line | None] = field(default_factory=asyncio.Queue[Any])
    ready: bool = False

    async def loaded(self) -> None:
        if self.ready:
            return
        try:
            async with asyncio.timeout(_START):
                line = await self.started.get()
        except TimeoutError as error:
            self.process.kill()
            raise TransientError(f"the model host did not start within {_START:g} seconds") from error
        # Others may be waiting for the same news.
        self.started.put_nowait(line)
        if line is None:
            raise TransientError("the model host ended while starting")
        if line["kind"] == "failed":
            raise BadRequestError(f"litellm cannot be loaded ({line['message']}); reinstall wakeful")
        self.ready = True

    def ask(self, number: int, message: Line) -> asyncio.Queue[Line | None]:
        inbox: asyncio.Queue[Line | None] = asyncio.Queue()
        self.inboxes[number] = inbox
        if self.reading.done():
            inbox.put_nowait(None)
        self._send({"op": "stream", "stream": number, **message})
        return inbox

    async def answer(self, number: int, inbox: asyncio.Queue[Line | None], model: str, idle: float) -> Line:
        try:
            async with asyncio.timeout(idle):
                line = await inbox.get()
        except TimeoutError as error:
            await self._end_or_kill(number, inbox)
            raise TransientError(f"{model} has been silent for {idle:g} seconds") from error
        if line is None:
            raise TransientError(f"the model host ended while answering for {model}")
        return line

    def let_go(self, number: int) -> None:
        """Hangs up on the provider; the host ignores it when the answer is over."""
        del self.inboxes[number]
        self._send({"op": "cancel", "stream": number})

    async def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        # While it loads it does not listen, and has nothing to lose.
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE if self.ready else 0):
                await self.process.wait()
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await self.reading

    async def read(self) -> None:
        assert self.process.stdout is not None
        async for raw in self.process.stdout:
            line = json.loads(raw)
            inbox = self.inboxes.get(line["stream"]) if "stream" in line else self.started
            if inbox is not None:
                inbox.put_nowait(line)
        for inbox in (self.started, *self.inboxes.values()):
            inbox.put_nowait(None)

    async def _end_or_kill(self, number: int, inbox: asyncio.Queue[Line | None]) -> None:
        """A host that cannot even end a stream hangs as a whole."""
        self._send({"op": "cancel", "stream": number})
        try:
            async with asyncio.timeout(_GRACE):
                line = await inbox.get()
                while line is not None and line["kind"] != "ended":
                    line = await inbox.get()
        except TimeoutError:
            self.process.kill()

    def _send(self, message: Line) -> None:
        assert self.process.stdin is not None
        if self.process.returncode is None and not self.process.stdin.is_closing():
            self.process.stdin.write(json.dumps(message).encode() + b"\n")


async def _spawn(environment: Mapping[str, str]) -> _Child:
    process = await asyncio.create_subprocess_exec(
        # The folder we were started in may hold anything: nothing is to be imported or read from there.
        *(sys.executable, "-P", "-m", "agent.models.host", str(os.getpid())),
        cwd="/",
        env=dict(environment),
        stdin=PIPE,
        stdout=PIPE,
        # Whatever litellm complains about may quote a key.
        stderr=DEVNULL,
        limit=wire.LONGEST_LINE,
        start_new_session=True,
    )
    child = _Child(process)
    child.reading = asyncio.create_task(child.read())
    return child
