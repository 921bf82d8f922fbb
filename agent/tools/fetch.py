"""Fetches a page as text, and looks at every address before it connects."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from agent.http import load_httpx
from agent.permissions.addresses import is_number, is_private
from agent.pictures import media_type
from agent.tools.limits import RESULT
from agent.tools.tool import Attachment, Output, Target, Tool, ToolError, Workspace
from store.frozen import frozen

if TYPE_CHECKING:
    import httpx

SECONDS = 30.0
BYTES = 5_000_000
HOPS = 5
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_TEXTS = ("text/", "application/json", "application/xml", "application/javascript", "application/x-")


async def fetch(workspace: Workspace, url: str) -> Output:
    await asyncio.to_thread(load_httpx)
    import httpx

    try:
        # A person may be asked on the way, so that the limit is on the network alone.
        page = await _follow(workspace, url)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
        raise ToolError(f"{url} could not be fetched: {error or 'it took too long'}") from error
    text, attachments = await asyncio.to_thread(_readable, page)
    if page.status >= 400:
        raise ToolError(f"{page.url} answered {page.status}: {text[:2000]}")
    if len(text.encode("utf-8", "replace")) > RESULT:
        kept = workspace.keep(text)
        text = f"{text[: RESULT - 2_000]}\n(cut here; the whole text is in {kept}, use read or grep)"
    where = "" if page.url == url else f"(from {page.url})\n"
    return Output(where + text, metadata={"url": page.url, "status": page.status}, attachments=attachments)


@frozen
class _Page:
    url: str
    status: int
    media: str
    charset: str
    body: bytes
    whole: bool


async def _follow(workspace: Workspace, url: str) -> _Page:
    allowed = {_origin(url)}
    for _ in range(HOPS + 1):
        if _origin(url) not in allowed:
            await workspace.permit(Target("fetch", url))
            allowed.add(_origin(url))
        address = await _address(url)
        if is_private(address):
            await workspace.permit(Target("fetch", url, private=True))
        async with asyncio.timeout(SECONDS):
            answer = await _get(url, address)
        if isinstance(answer, _Page):
            return answer
        url = urljoin(url, answer)
    raise ToolError(f"more than {HOPS} redirects, the last to {url}")


def _origin(url: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise ToolError(
                f"{url!r} is not a plain http or https address; give one like https://example.com/page"
            )
        return parts.scheme, parts.hostname, parts.port
    except ValueError as error:
        raise ToolError(f"{url!r} is not an address: {error}") from error


async def _address(url: str) -> str:
    """One numeric address, to which the connection is then made: a second look-up might answer otherwise."""
    scheme, host, port = _origin(url)
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port or scheme, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ToolError(f"{host} was not found ({error}); check the address") from error
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    # One private answer among public ones is how a name is made to point inside.
    return next((one for one in addresses if is_private(one)), addresses[0])


async def _get(url: str, address: str) -> _Page | str:
    """The page, or where it has moved."""
    import httpx

    scheme, host, _ = _origin(url)
    target = httpx.URL(url).copy_with(host=address)
    headers = {
        "Host": urlsplit(url).netloc,
        "User-Agent": "wakeful",
        "Accept": "text/html, text/*, */*;q=0.5",
    }
    extensions = {"sni_hostname": host} if scheme == "https" else {}
    async with (
        httpx.AsyncClient(trust_env=False, timeout=SECONDS) as client,
        client.stream("GET", target, headers=headers, extensions=extensions) as response,
    ):
        if response.has_redirect_location:
            return response.headers["location"]
        body, whole = await _body(response)
        media = response.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
        return _Page(url, response.status_code, media, response.charset_encoding or "utf-8", body, whole)


async def _body(response: httpx.Response) -> tuple[bytes, bool]:
    body = bytearray()
    async for piece in response.aiter_bytes(65_536):
        body += piece
        if len(body) > BYTES:
            return bytes(body[:BYTES]), False
    return bytes(body), True


def _readable(page: _Page) -> tuple[str, tuple[Attachment, ...]]:
    if page.media in _IMAGES:
        if not page.whole:
            raise ToolError(f"{page.url} is an image of over {BYTES} bytes, too large to show")
        media = media_type(page.body)
        if media is None:
            raise ToolError(f"{page.url} says it is {page.media}, but it is no picture that can be shown")
        name = urlsplit(page.url).path.rpartition("/")[2] or "image"
        return f"{media}, {len(page.body)} bytes, attached", (Attachment(media, page.body, name),)
    if not page.media.startswith(_TEXTS) and not page.media.endswith(("+json", "+xml")):
        raise ToolError(
            f"{page.url} is {page.media}, which is no text; download it with shell if you need it"
        )
    try:
        text = page.body.decode(page.charset, "replace")
    except LookupError:
        text = page.body.decode("utf-8", "replace")
    if page.media in ("text/html", "application/xhtml+xml"):
        from agent.tools.page import readable

        text = readable(text, page.url)
    cut = "" if page.whole else f"\n(only the first {BYTES} bytes were fetched)"
    return (text or "(empty)") + cut, ()


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return (Target("fetch", arguments["url"], private=_names_private(arguments["url"])),)


def _names_private(url: str) -> bool:
    """What the address itself tells; what its name stands for is looked up on the way."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or (is_number(host) and is_private(host))
    except ValueError:
        return False


def _title(arguments: Mapping[str, Any]) -> str:
    return arguments["url"]


TOOL = Tool("fetch", fetch, _targets, _title, safe=True)
