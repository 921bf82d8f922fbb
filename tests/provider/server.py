"""A scripted OpenAI-compatible server on loopback: real HTTP for tests, bench and reliability runs."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from tests.provider.reply import Reply, bad_request, overflow, sse
from tests.provider.strict import complaint

Script = Iterable[Reply] | Callable[["Received"], Reply]


@dataclass(slots=True)
class Received:
    """One request. `at` is when its last byte came, `answered` when the reply's last byte went."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float
    answered: float | None = None
    disconnected: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body)


class Provider:
    """Answers the n-th request with the n-th reply, or with what a function of the request says.

    `strict` refuses histories no provider should be sent; `context` refuses requests longer than that
    many tokens of four bytes; `repeat` starts the script again at its end.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        strict: bool = True,
        context: int | None = None,
        repeat: bool = False,
        port: int = 0,
        models: tuple[str, ...] = ("scripted",),
    ) -> None:
        self.requests: list[Received] = []
        self._answer = script if callable(script) else None
        self._replies: list[Reply] = [] if callable(script) else list(script)
        self._next = 0
        self._strict = strict
        self._context = context
        self._repeat = repeat
        self._port = port
        self._models = models
        self.connections: dict[asyncio.Task[None], StreamWriter] = {}
        self._arrived = asyncio.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def port(self) -> int:
        return self._port

    def add(self, *replies: Reply) -> None:
        self._replies += replies

    async def request(self, number: int) -> Received:
        """The request of that number, counted from 0; waits for it to arrive."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) > number)
        return self.requests[number]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for writer in self.connections.values():
            writer.transport.abort()
        if self.connections:
            await asyncio.wait(self.connections)
        await self._server.wait_closed()

    async def _connected(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.connections[task] = writer
        ahead: bytes | None = b""
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while ahead is not None:
                    ahead = await self._serve_one(reader, writer, ahead)
        finally:
            del self.connections[task]
            writer.close()

    async def _serve_one(self, reader: StreamReader, writer: StreamWriter, ahead: bytes) -> bytes | None:
        """Answers one request; returns what came of the next one, or None to close the connection."""
        received = await _read_request(reader, ahead)
        if received.method == "GET":
            models = [{"id": name, "name": name, "object": "model"} for name in self._models]
            body = json.dumps({"object": "list", "data": models, "models": models}).encode()
            await _send_whole(writer, 200, {}, body)
            return None if received.headers.get("connection") == "close" else b""
        self.requests.append(received)
        async with self._arrived:
            self._arrived.notify_all()
        reply = self._reply(received)
        async with _watching(reader, received) as next_bytes:
            await _respond(writer, reply, received)
        received.answered = time.perf_counter()
        broken = reply.fault in ("cut", "reset", "silence") or received.disconnected.is_set()
        return None if broken else bytes(next_bytes)

    def _reply(self, received: Received) -> Reply:
        found = complaint(received.json) if self._strict and received.path.endswith("completions") else None
        if found:
            return bad_request(found)
        if self._context is not None and len(received.body) > self._context * 4:
            return overflow()
        if self._answer:
            return self._answer(received)
        if self._next == len(self._replies) and self._repeat:
            self._next = 0
        if self._next == len(self._replies):
            return bad_request("the script has no more replies")
        self._next += 1
        return self._replies[self._next - 1]


async def _read_request(reader: StreamReader, ahead: bytes) -> Received:
    head = ahead + await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, path, headers, body, time.perf_counter())


@asynccontextmanager
async def _watching(reader: StreamReader, received: Received) -> AsyncGenerator[bytearray]:
    """Sets `disconnected` when the client hangs up; gives what it read of the next request instead."""
    ahead = bytearray()

    async def watch() -> None:
        with suppress(ConnectionError):
            ahead.extend(await reader.read(1))
        if not ahead:
            received.disconnected.set()

    task = asyncio.create_task(watch())
    try:
        yield ahead
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _respond(writer: StreamWriter, reply: Reply, received: Received) -> None:
    if reply.error is not None:
        body = json.dumps({"error": dict(reply.error)}).encode()
        await _send_whole(writer, reply.status, reply.headers, body)
        return
    headers = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", **reply.headers}
    writer.write(_head(reply.status, headers))
    for at, event in enumerate(_events(reply, received)):
        if (reply.fault and at == reply.after) or received.disconnected.is_set():
            break
        writer.write(b"%x\r\n%b\r\n" % (len(event), event))
        await writer.drain()
        if reply.pause:
            await _until(received.disconnected, reply.pause)
    await _end(writer, reply, received)


def _events(reply: Reply, received: Received) -> list[bytes]:
    if reply.raw is not None:
        return [reply.raw] if reply.raw else []
    model = received.json.get("model", "")
    events = [sse(payload) for payload in reply.payloads(str(model))]
    return events if reply.fault in ("no-done", "no-finish") else [*events, sse("[DONE]")]


async def _end(writer: StreamWriter, reply: Reply, received: Received) -> None:
    match reply.fault:
        case "cut":
            writer.transport.close()
        case "reset":
            await writer.drain()
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
        case "silence":
            await received.disconnected.wait()
        case "malformed":
            broken = b'data: {"choices": [{"delta": {"content": \n\n'
            writer.write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(broken), broken))
        case _:
            writer.write(b"0\r\n\r\n")
    if not writer.transport.is_closing():
        await writer.drain()


async def _until(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def _send_whole(writer: StreamWriter, status: int, headers: Mapping[str, str], body: bytes) -> None:
    length = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    writer.write(_head(status, length | dict(headers)) + body)
    await writer.drain()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
