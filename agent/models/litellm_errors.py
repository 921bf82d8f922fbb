"""Exceptions that come out of litellm, told with the words of the direct transport."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from time import time
from urllib.parse import urlsplit

from agent.models.error_text import plain
from agent.models.failures import classify, without_key
from agent.models.protocol import BadRequestError, ModelError, TransientError
from agent.models.retry import asked_wait
from store.frozen import frozen

_LOST = frozenset(
    [
        "ConnectionResetError",
        "BrokenPipeError",
        "ServerDisconnectedError",
        "ReadError",
        "WriteError",
        "RemoteProtocolError",
        "LocalProtocolError",
        "ClientPayloadError",
        "TransferEncodingError",
        "ContentLengthError",
        "IncompleteReadError",
        "BadStatusLine",
        "BadHttpMessage",
        "BadHttpMethod",
    ]
)
_UNREACHABLE = frozenset(
    [
        "ConnectError",
        "ConnectTimeout",
        "ConnectionTimeoutError",
        "ClientConnectorError",
        "ClientConnectorDNSError",
        "ClientConnectorSSLError",
        "ClientConnectorCertificateError",
        "ConnectionRefusedError",
        "SSLCertVerificationError",
        "gaierror",
    ]
)
_SILENT = frozenset(["Timeout", "APITimeoutError", "ReadTimeout", "TimeoutException", "SocketTimeoutError"])
_UNREADABLE = frozenset(["JSONDecodeError", "UnicodeDecodeError"])
_PLACE = re.compile(r"Cannot connect to host ([\w.-]+:\d+)")
# The reason that aiohttp gives at the end of that line.
_REASON = re.compile(r"Cannot connect to host \S+ ssl:.*?\[(?!Connect call failed)([^\[\]]*)\]")
_LOST_SAID = re.compile(
    r"Connection reset by peer|Server disconnected|payload is not completed|Bad status line"
)
# Text inside a class name would be taken for a sign of another kind of failure.
_NO_PROVIDER = "LLM Provider NOT provided"


@frozen
class Link:
    """One exception of a chain, from what was raised to what caused it."""

    name: str
    text: str


def chain_of(error: BaseException, most: int = 10) -> tuple[Link, ...]:
    links: list[Link] = []
    current: BaseException | None = error
    while current is not None and len(links) < most:
        said: object = getattr(current, "message", None)
        links.append(Link(type(current).__name__, said if isinstance(said, str) else str(current)))
        current = current.__cause__ or current.__context__
    return tuple(links)


def explain(
    model: str,
    chain: Sequence[Link],
    status: int | None,
    *,
    headers: Mapping[str, str] | None = None,
    base_url: str | None = None,
    key: str | None = None,
) -> ModelError:
    """`chain` begins with what litellm raised; header names are lower case. `key` is never quoted."""
    said = without_key(chain[0].text, key)
    if _NO_PROVIDER in said:
        provider = model.partition("/")[0]
        hint = f"write PROVIDER/NAME as litellm does, or set providers.{provider}.base_url to its address"
        return BadRequestError(f"no provider is named {provider!r}; {hint}")
    answered = status is not None and (status != 500 or _has_answer(chain))
    if not answered and (broken := _connection(model, chain, base_url)):
        return broken
    signs = f"{chain[0].name} {said}"
    wait = asked_wait(headers or {}, time())
    return classify(model, status or 500, signs, said, wait)


def detail(chain: Sequence[Link], key: str | None, limit: int = 2_000) -> str:
    """The whole chain, for the log."""
    lines = " <- ".join(f"{link.name}: {' '.join(link.text.split())}" for link in chain)
    return without_key(lines, key)[:limit]


def _has_answer(chain: Sequence[Link]) -> bool:
    """litellm gives 500 to whatever has no status of its own."""
    return any("HTTPStatusError" in link.name for link in chain)


def _connection(model: str, chain: Sequence[Link], base_url: str | None) -> TransientError | None:
    names = {link.name for link in chain}
    text = " ".join(link.text for link in chain)
    if names & _LOST or _LOST_SAID.search(text):
        return TransientError(f"lost the connection to {model}")
    if names & _UNREACHABLE or _PLACE.search(text):
        return TransientError(f"cannot reach {_place(text, base_url, model)}{_reason(chain)}")
    if names & _SILENT:
        return TransientError(f"{model} did not answer in time")
    if names & _UNREADABLE:
        return TransientError(f"{model} sent an event that is not JSON")
    if "Connection error" in text:
        return TransientError(f"cannot reach {_place(text, base_url, model)}")
    return None


def _place(text: str, base_url: str | None, model: str) -> str:
    if found := _PLACE.search(text):
        return found[1]
    try:
        parts = urlsplit(base_url or "")
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return model
    return f"{parts.hostname}{port}" if parts.hostname else model


def _reason(chain: Sequence[Link]) -> str:
    """A wrong certificate or name is worth knowing; that nobody answered is what was said."""
    said = next(_reasons(chain), "")
    return f" ({said})" if said else ""


def _reasons(chain: Sequence[Link]) -> Iterator[str]:
    for link in chain:
        if (found := _REASON.search(link.text)) and (said := plain(found[1], 120)):
            yield said
