"""Speaks OpenAI-compatible chat completions itself, because the general way there costs five CPU seconds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agent.http import load_httpx
from agent.models.body import encode
from agent.models.caching import mark, wants_marks
from agent.models.error_text import plain
from agent.models.failures import from_response
from agent.models.local import listed_models
from agent.models.protocol import AuthError, BadRequestError, Chunk, Request, TransientError
from agent.models.reading import StreamReader, joined
from store.frozen import frozen

if TYPE_CHECKING:
    from httpx import AsyncClient, Response

log = logging.getLogger(__name__)

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ERROR_BODY = 64_000
# A model may send hundreds of pieces a second, and each read costs as much as what is in it. Who had to wait
# for a piece waits a moment longer, and finds the next ones there too; the first are handed on at once.
_AT_ONCE = 64
_WAITED = 0.001
_MOMENT = 1 / 15


@frozen
class Endpoint:
    """Where and how to ask. `prefix` is the part of a model's name that only we use, such as `ollama/`."""

    base_url: str
    key: str | None = field(default=None, repr=False)
    prefix: str = ""
    output_field: str = "max_tokens"
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    idle: float = 120.0

    @property
    def local(self) -> bool:
        """Raises ValueError when `base_url` is no address at all."""
        return urlsplit(self.base_url).hostname in LOOPBACK

    @property
    def place(self) -> str:
        """Host and port, without anything that may be secret."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


class Direct:
    """A `Model` for one endpoint; keeps its connections until it is closed."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._client: AsyncClient | None = None

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        await asyncio.to_thread(load_httpx)
        import httpx

        name = request.model.removeprefix(self._endpoint.prefix)
        marked = mark(request) if wants_marks(self._endpoint.prefix + name) else request
        body = encode(marked, name, output_field=self._endpoint.output_field)
        reader = StreamReader(request.model, self._endpoint.key)
        try:
            client = await asyncio.to_thread(self._open)
            async with _posted(client, body) as response:
                await _check(request.model, response, self._endpoint.key)
                async with aclosing(_gathered(response.aiter_bytes())) as pieces:
                    async for data in pieces:
                        for chunk in joined(reader.feed(data)):
                            yield chunk
                        if reader.done:
                            await _drain(pieces)
        except (ValueError, httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise BadRequestError(f"{self._endpoint.base_url} is not a usable base_url: {error}") from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise TransientError(f"cannot reach {self._endpoint.place}{_detail(error)}") from error
        except httpx.TimeoutException as error:
            raise self._silent(request.model) from error
        except httpx.HTTPError as error:
            # All that was missing is the usage, and asking again would cost more than not knowing it.
            if not reader.finished:
                log.info(
                    "lost the connection to %s: %s", request.model, plain(str(error)) or type(error).__name__
                )
                raise TransientError(f"lost the connection to {request.model}") from error
        for chunk in reader.end():
            yield chunk

    async def models(self) -> tuple[str, ...]:
        """The names that the endpoint lists. Raise ModelError where it does not."""
        await asyncio.to_thread(load_httpx)
        import httpx

        endpoint = self._endpoint
        try:
            client = await asyncio.to_thread(self._open)
            response = await client.get("models")
        except (ValueError, httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise BadRequestError(f"{endpoint.base_url} is not a usable base_url: {error}") from error
        except httpx.HTTPError as error:
            raise TransientError(f"cannot reach {endpoint.place}") from error
        if response.status_code != 200:
            body = response.content[:_ERROR_BODY]
            raise from_response(
                endpoint.place, response.status_code, response.headers, body, key=endpoint.key
            )
        return listed_models(response.content)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _open(self) -> AsyncClient:
        import httpx

        endpoint = self._endpoint
        if self._client is None:
            headers = {"Content-Type": "application/json", "Accept-Encoding": "identity", **endpoint.headers}
            if endpoint.key:
                headers["Authorization"] = f"Bearer {_sendable(endpoint.key)}"
            self._client = httpx.AsyncClient(
                base_url=endpoint.base_url.rstrip("/") + "/",
                headers=headers,
                timeout=httpx.Timeout(endpoint.idle, connect=min(15.0, endpoint.idle)),
                # No proxy between us and this machine, and no certificates to load for plain HTTP.
                trust_env=not endpoint.local,
                verify=endpoint.base_url.startswith("https:"),
            )
        return self._client

    def _silent(self, model: str) -> TransientError:
        return TransientError(f"{model} has been silent for {self._endpoint.idle:g} seconds")


@asynccontextmanager
async def _posted(client: AsyncClient, body: bytes) -> AsyncGenerator[Response, None]:
    import httpx

    async with client.stream("POST", "chat/completions", content=body) as response:
        try:
            yield response
        finally:
            await response.aclose()
            # The two hold each other, and with them all that was sent: in a long conversation that makes
            # megabytes until garbage is looked for.
            response.stream = httpx.ByteStream(b"")


async def _gathered(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """What is there, in one piece; to be closed by whoever asked for it."""
    clock = asyncio.get_running_loop().time
    waiting: list[bytes] = []
    came = asyncio.Event()

    async def read() -> None:
        count, asked = 0, clock()
        async for data in pieces:
            count += 1
            waited = clock() - asked > _WAITED
            waiting.append(data)
            came.set()
            if waited and count > _AT_ONCE:
                await asyncio.sleep(_MOMENT)
            asked = clock()

    reading = asyncio.create_task(read())
    reading.add_done_callback(lambda _: came.set())
    try:
        while waiting or not reading.done():
            await came.wait()
            came.clear()
            if waiting:
                data = b"".join(waiting)
                waiting.clear()
                yield data
        await reading
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading


async def _drain(pieces: AsyncIterator[bytes]) -> None:
    """Only a connection read to its end can be used again, but a reply that is done waits for nobody."""
    with suppress(TimeoutError):
        async with asyncio.timeout(0.2):
            async for _ in pieces:
                pass


async def _check(model: str, response: Response, key: str | None) -> None:
    if response.status_code == 200:
        return
    body = b""
    async for data in response.aiter_bytes():
        body += data
        if len(body) > _ERROR_BODY:
            break
    raise from_response(model, response.status_code, response.headers, body, key=key)


def _sendable(key: str) -> str:
    # The HTTP library would show the whole key in its complaint.
    if not (key.isascii() and key.isprintable()):
        raise AuthError("the key has characters no key has; set it again with `wakeful config set-key`")
    return key


def _detail(error: Exception) -> str:
    """A wrong certificate or name is worth knowing; that nobody answered is what was said."""
    said = plain(str(error))
    return f" ({said})" if said and said != "All connection attempts failed" else ""
