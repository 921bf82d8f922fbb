"""Looks for model servers on this machine, to offer them; nobody is sent anywhere by what is found."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

from agent.models.loose import as_dict, as_list, as_text, parse
from store.frozen import frozen

_LONGEST = 1_000_000
_HERE = ("127.0.0.1", "localhost", "0.0.0.0")  # noqa: S104 - where it listens is here


@frozen
class Known:
    """A server that is usually found at this port, and the page that lists its models."""

    provider: str
    label: str
    port: int
    path: str


@frozen
class Offer:
    provider: str
    label: str
    base_url: str
    models: tuple[str, ...]


USUAL = (Known("ollama", "Ollama", 11434, "/api/tags"), Known("lm_studio", "LM Studio", 1234, "/v1/models"))


def usual(environment: Mapping[str, str]) -> tuple[Known, ...]:
    """Where they are unless told otherwise; Ollama's own variable may name another port of this machine."""
    host = environment.get("OLLAMA_HOST", "").strip()
    try:
        place = urlsplit(host if "://" in host else f"//{host}")
        moved = place.port if place.hostname in _HERE else None
    except ValueError:
        moved = None
    ollama, *others = USUAL
    return (replace(ollama, port=moved or ollama.port), *others)


def offered(offer: Offer) -> str:
    return (
        f"{offer.label} answers on this machine ({', '.join(offer.models[:3])}); to use it: "
        f"`wakeful config set model.default {offer.provider}/{offer.models[0]}`"
    )


async def find_servers(known: Sequence[Known] = USUAL, *, limit: float = 0.5) -> list[Offer]:
    """Those that answer within `limit` seconds and have at least one model."""
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(_ask(server, limit)) for server in known]
    return [offer for task in asked if (offer := task.result())]


async def _ask(server: Known, limit: float) -> Offer | None:
    answer = b""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(limit):
            answer = await _get(server.port, server.path)
    models = _models(answer)
    if not models:
        return None
    return Offer(server.provider, server.label, f"http://127.0.0.1:{server.port}/v1", models)


async def _get(port: int, path: str) -> bytes:
    """By hand, because loading an HTTP library takes longer than the question."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while len(answer) < _LONGEST and not _is_whole(answer):
            data = await reader.read(65_536)
            if not data:
                break
            answer += data
        return answer
    finally:
        writer.close()


def _is_whole(answer: bytes) -> bool:
    return bool(_models(answer))


def _models(answer: bytes) -> tuple[str, ...]:
    """The names in an answer, whichever of the two usual shapes it has."""
    return listed_models(answer.partition(b"\r\n\r\n")[2])


def listed_models(body: bytes) -> tuple[str, ...]:
    """The names in a list of models, in the order in which the server has them."""
    try:
        fields = as_dict(parse(body[body.find(b"{") : body.rfind(b"}") + 1]))
    except ValueError:
        return ()
    rows = [as_dict(row) for row in as_list(fields.get("models")) or as_list(fields.get("data"))]
    names = [as_text(row.get("name")) or as_text(row.get("id")) for row in rows]
    return tuple(dict.fromkeys(name for name in names if name))
