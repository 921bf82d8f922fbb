from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from agent.tools.fetch import TOOL, fetch
from agent.tools.local import Doors, LocalWorkspace
from agent.tools.page import readable
from agent.tools.tool import Target, ToolError

PICTURE = b"\x89PNG\r\n\x1a\n and so on"

PAGE = """<html><head><title>A page</title><style>p {}</style></head><body><script>evil()</script>
<h1>Hello  <b>there</b></h1><p>Some <a href="/next">words</a> &amp; <code>code</code>.<br>Next</p>
<ul><li>one</li><li>two</li></ul><pre>def f():
    pass</pre><table><tr><td>a</td><td>b</td></tr></table></body></html>"""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        port = self.headers["Host"].rpartition(":")[2]
        answers: dict[str, tuple[int, str, bytes]] = {
            "/page": (200, "text/html; charset=utf-8", PAGE.encode()),
            "/json": (200, "application/json", b'{"a": 1}'),
            "/latin": (200, "text/plain; charset=latin-1", "é".encode("latin-1")),
            "/long": (200, "text/plain", b"word " * 20_000),
            "/huge": (200, "text/plain", b"x" * 6_000_000),
            "/image": (200, "image/jpeg", PICTURE),
            "/no-image": (200, "image/png", b"<html>"),
            "/zip": (200, "application/zip", b"PK"),
            "/host": (200, "text/plain", self.headers["Host"].encode()),
            "/missing": (404, "text/plain", b"nothing here"),
            "/moved": (302, "/page", b""),
            "/elsewhere": (302, f"http://localhost:{port}/json", b""),
            "/file": (302, "file:///etc/passwd", b""),
            "/loop": (302, "/loop", b""),
        }
        status, kind, body = answers[self.path]
        self.send_response(status)
        self.send_header("Location" if status == 302 else "Content-Type", kind)
        if self.path == "/json":
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()
        thread.join()


async def anything(target: Target) -> None:
    pass


@pytest.fixture
def trusting(workspace: LocalWorkspace) -> LocalWorkspace:
    return workspace.bound(Doors(permit=anything))


@pytest.mark.parametrize(("path", "text"), [("/json", '{"a": 1}'), ("/latin", "é")])
async def test_text_comes_as_it_is(trusting: LocalWorkspace, server: str, path: str, text: str) -> None:
    assert (await fetch(trusting, server + path)).text == text


async def test_html_comes_as_readable_text(trusting: LocalWorkspace, server: str) -> None:
    output = await fetch(trusting, f"{server}/page")

    assert output.text == (
        f"A page\n\n# Hello there\n\nSome [words]({server}/next) & `code`.\nNext\n\n- one\n- two\n\n"
        "```\ndef f():\n    pass\n```\n\n | a | b"
    )


async def test_a_redirect_on_the_same_host_is_followed_and_told(
    trusting: LocalWorkspace, server: str
) -> None:
    output = await fetch(trusting, f"{server}/moved")

    assert output.text.startswith(f"(from {server}/page)\nA page")


async def test_a_private_address_is_asked_about_before_it_is_reached(
    workspace: LocalWorkspace, server: str
) -> None:
    with pytest.raises(ToolError, match="needs the user's consent"):
        await fetch(workspace, f"{server}/page")


async def test_what_was_granted_to_the_call_is_not_asked_again(
    workspace: LocalWorkspace, server: str
) -> None:
    granted = TOOL.targets({"url": f"{server}/latin"})

    output = await fetch(workspace.bound(Doors(), granted=granted), f"{server}/latin")

    assert output.text == "é"


async def test_a_redirect_to_another_host_is_asked_about(workspace: LocalWorkspace, server: str) -> None:
    asked: list[Target] = []

    async def permit(target: Target) -> None:
        asked.append(target)

    await fetch(workspace.bound(Doors(permit=permit)), f"{server}/elsewhere")

    other = server.replace("127.0.0.1", "localhost") + "/json"
    assert asked == [
        Target("fetch", f"{server}/elsewhere", private=True),
        Target("fetch", other),
        Target("fetch", other, private=True),
    ]


async def test_the_host_header_keeps_the_name(trusting: LocalWorkspace, server: str) -> None:
    named = server.replace("127.0.0.1", "localhost")

    assert (await fetch(trusting, f"{named}/host")).text == named.removeprefix("http://")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/missing", "answered 404: nothing here"),
        ("/zip", "which is no text"),
        ("/file", "not a plain http or https address"),
        ("/loop", "more than 5 redirects"),
    ],
)
async def test_what_cannot_be_fetched_is_explained(
    trusting: LocalWorkspace, server: str, path: str, words: str
) -> None:
    with pytest.raises(ToolError, match=words):
        await fetch(trusting, server + path)


@pytest.mark.parametrize("url", ["ftp://x/y", "page", "http://", "http://user:word@host/", "http://[::1", ""])
async def test_what_is_no_address_is_refused(trusting: LocalWorkspace, url: str) -> None:
    with pytest.raises(ToolError):
        await fetch(trusting, url)


async def test_a_server_that_is_not_there_is_an_error_for_the_model(trusting: LocalWorkspace) -> None:
    with pytest.raises(ToolError, match="could not be fetched"):
        await fetch(trusting, "http://127.0.0.1:9/")


async def test_a_long_text_is_kept_in_a_file(trusting: LocalWorkspace, server: str) -> None:
    output = await fetch(trusting, f"{server}/long")

    assert len(output.text) < 30_000
    assert "the whole text is in" in output.text
    assert next(trusting.logs.iterdir()).read_text() == "word " * 20_000


async def test_a_huge_body_is_cut_while_it_comes(trusting: LocalWorkspace, server: str) -> None:
    await fetch(trusting, f"{server}/huge")

    assert next(trusting.logs.iterdir()).stat().st_size < 5_100_000


async def test_an_image_is_attached(trusting: LocalWorkspace, server: str) -> None:
    output = await fetch(trusting, f"{server}/image")

    assert [(one.media_type, one.data) for one in output.attachments] == [("image/png", PICTURE)]


async def test_a_page_that_is_only_called_an_image_is_not_attached(
    trusting: LocalWorkspace, server: str
) -> None:
    with pytest.raises(ToolError, match="no picture that can be shown"):
        await fetch(trusting, f"{server}/no-image")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://localhost:1/",
        "http://10.0.0.1/",
        "http://[2002:7f00:1::]/",
        "http://[64:ff9b::a00:1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://127.1/",
    ],
)
def test_a_private_address_is_marked_in_the_target(url: str) -> None:
    assert TOOL.targets({"url": url}) == (Target("fetch", url, private=True),)


def test_a_public_name_is_not_marked() -> None:
    assert TOOL.targets({"url": "https://example.com/"}) == (Target("fetch", "https://example.com/"),)


def test_broken_html_still_gives_its_text() -> None:
    assert readable("<p>a<div>b</a></p></script><li>c<", "http://x") == "a\n\nb\n\n- c<"
