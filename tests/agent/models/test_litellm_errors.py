"""Texts that litellm really raised, and the one clean line that people read instead."""

# ruff: noqa: E501 - the texts are as they were raised

from __future__ import annotations

import asyncio
import re
import socket
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing

import pytest

from agent.models.direct import Direct, Endpoint
from agent.models.error_text import plain
from agent.models.hosted import Host, Hosted
from agent.models.litellm_errors import Link, explain
from agent.models.protocol import AuthError, ModelError, RateLimitError, TransientError
from tests.agent.models.conversation import ask, request, user

KEY = "sk-canary-123456"
REFUSED = (
    "Cannot connect to host 127.0.0.1:51763 ssl:<ssl.SSLContext object at 0x7fbfd90dbb60>"
    " [Connect call failed ('127.0.0.1', 51763)]"
)
UNKNOWN_HOST = (
    "Cannot connect to host no-such-host.invalid:9 ssl:<ssl.SSLContext object at 0x7fbfd90dbb60>"
    " [Name or service not known]"
)
STATUS_LINE = (
    "400, message=\"Bad status line:\\n  Expected HTTP/, RTSP/ or ICE/:\\n\\n  b'\\x00\\x01garbage'\\n    ^\","
    " url='http://127.0.0.1:41155/v1/messages?key=sk-canary-123456'"
)
CUT = (
    "Response payload is not completed: <TransferEncodingError: 400,"
    " message='Not enough data to satisfy transfer length header.'>"
)
BAD_KEY = (
    '{"error":{"message":"Incorrect API key provided: sk-canary-123456. See https://x.example/k'
    '?key=sk-canary-123456","type":"invalid_request_error","code":"invalid_api_key"}}'
)
PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
INTERNAL = "litellm.InternalServerError: "
MID = "litellm.MidStreamFallbackError: litellm.APIConnectionError: "
VERTEX = "Vertex_ai_betaException - "
ANSWERED = (Link("HTTPStatusError", "for url 'http://127.0.0.1:9/'"),)
REJECTED = "m did not accept the key (Incorrect API key provided: [key]. See https://x.example/k); set one with `wakeful config set-key`"
TRACE = (
    "litellm.APIConnectionError: Error parsing chunk: Expecting value: line 1 column 1 (char 0),\n"
    "Received chunk: data: {not json\nTraceback (most recent call last):\n"
    '  File "/x/litellm/llms/cohere/common_utils.py", line 401, in __anext__\n    return 1\n'
)


@pytest.mark.parametrize(
    ("status", "chain", "words"),
    [
        (500, (Link("InternalServerError", f"{INTERNAL}AnthropicException - {REFUSED}. Handle with `litellm.InternalServerError`."), Link("ConnectError", REFUSED)), "cannot reach 127.0.0.1:51763"),
        (500, (Link("MidStreamFallbackError", f"{MID}{VERTEX}{REFUSED}"),), "cannot reach 127.0.0.1:51763"),
        (500, (Link("InternalServerError", f"{INTERNAL}InternalServerError: OpenAIException - Connection error."), Link("APIConnectionError", "Connection error."), Link("ClientConnectorError", REFUSED)), "cannot reach 127.0.0.1:51763"),
        (500, (Link("InternalServerError", f"{INTERNAL}OpenAIException - Connection error."),), "cannot reach base.example:81"),
        (500, (Link("InternalServerError", f"{INTERNAL}CohereException - {UNKNOWN_HOST}"), Link("gaierror", "[Errno -2] Name or service not known")), "cannot reach no-such-host.invalid:9 (Name or service not known)"),
        (500, (Link("InternalServerError", f"{INTERNAL}MistralException - [Errno 104] Connection reset by peer"), Link("ConnectError", ""), Link("ConnectionResetError", "")), "lost the connection to m"),
        (500, (Link("MidStreamFallbackError", f"{MID}{VERTEX}Server disconnected"), Link("ReadError", "")), "lost the connection to m"),
        (500, (Link("MidStreamFallbackError", f"{MID}AnthropicException - {CUT}"),), "lost the connection to m"),
        (500, (Link("InternalServerError", f"{INTERNAL}AnthropicException - {STATUS_LINE}"),), "lost the connection to m"),
        (500, (Link("MidStreamFallbackError", f"{MID}OpenAIException - Expecting property name: line 1 column 2 (char 1)"), Link("JSONDecodeError", "")), "m sent an event that is not JSON"),
        (None, (Link("APIConnectionError", "litellm.Timeout: Connection timed out after 600.0 seconds."), Link("ReadTimeout", "")), "m did not answer in time"),
        (500, (Link("MidStreamFallbackError", TRACE),), "m failed (status 500)"),
        (401, (Link("AuthenticationError", f"litellm.AuthenticationError: AnthropicException - b'{BAD_KEY}'"), *ANSWERED), REJECTED),
        (401, (Link("AuthenticationError", f"litellm.AuthenticationError: AuthenticationError: MistralException - {BAD_KEY}"), *ANSWERED), REJECTED),
        (401, (Link("AuthenticationError", f"litellm.AuthenticationError: OpenAIException - Error code: 401 - {{'error': {{'message': 'Incorrect API key provided: {KEY}. See https://x.example/k?key={KEY}', 'code': None}}}}"), *ANSWERED), REJECTED),
        (429, (Link("RateLimitError", f"litellm.RateLimitError: litellm.RateLimitError: {VERTEX}b'{{\"error\":{{\"message\":\"Slow down\"}}}}'"), *ANSWERED), "m is rate limited (Slow down)"),
        (500, (Link("InternalServerError", f"{INTERNAL}Vertex_ai_betaException InternalServerError - b'{{\"error\":{{\"message\":\"The server had an error\"}}}}'"), *ANSWERED), "m failed (The server had an error)"),
        (502, (Link("BadGatewayError", f"litellm.BadGatewayError: AnthropicException BadGatewayError - b'{PAGE}'"), *ANSWERED), "m failed (502 Bad Gateway)"),
        (500, (Link("MidStreamFallbackError", f"{MID}{VERTEX}{PAGE}"), *ANSWERED), "m failed (502 Bad Gateway)"),
        (400, (Link("BadRequestError", "litellm.BadRequestError: GeminiException - [{'error': {'message': 'unknown field'}}]"), *ANSWERED), "m found the request invalid (unknown field)"),
        (503, (Link("ServiceUnavailableError", "litellm.ServiceUnavailableError: <coroutine object f at 0x7fbfd90dbb60> b'\\x00'"),), "m failed (status 503)"),
    ],
)  # fmt: skip
def test_what_litellm_raises_is_told_in_plain_words(status: int | None, chain: tuple[Link, ...], words: str):
    found = explain("m", chain, status, base_url="http://user:secret@base.example:81/v1", key=KEY)

    assert str(found) == words


UNCLEAN = re.compile(r"0x[0-9a-f]{4}|\bb['\"]|\w(Error|Exception)\b|canary|[<>{}\n]|\?\w+=|litellm")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("max_tokens must be in [1, 8192]", "max_tokens must be in [1, 8192]"),
        ("the model 'x' does not exist", "the model 'x' does not exist"),
        ("litellm.BadRequestError: see https://u:p@h.example/a?token=abc#x now", "see https://h.example/a now"),
        ("all is well. <object object at 0x7fbfd90dbb60>", "all is well."),
        ("b'just words'", "just words"),
        ("<!doctype html><html><body>nothing</body></html>", ""),
        ("{'a': <lambda>}", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_words_are_kept_and_the_rest_is_left_out(text: str, words: str):
    assert plain(text) == words
    assert not UNCLEAN.search(plain(text))


async def _hang_up(reader: StreamReader, writer: StreamWriter, answer: bytes | None) -> None:
    await reader.readuntil(b"\r\n\r\n")
    if answer is None:
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.transport.abort()
        return
    writer.write(answer)
    await writer.drain()
    writer.close()


@asynccontextmanager
async def server(answer: bytes | None) -> AsyncGenerator[str]:
    """Resets the connection when there is no answer."""
    serving = await asyncio.start_server(lambda r, w: _hang_up(r, w, answer), "127.0.0.1", 0)
    async with serving:
        yield f"http://127.0.0.1:{serving.sockets[0].getsockname()[1]}"


def response(status: int, body: str, kind: str = "application/json") -> bytes:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return (head + body).encode()


ANSWERS: dict[str, tuple[bytes | None, type[ModelError], str]] = {
    "reset": (None, TransientError, "lost the connection to {model}"),
    "garbage": (b"\x00\x01 no HTTP\r\n\r\n", TransientError, "lost the connection to {model}"),
    "401": (response(401, BAD_KEY), AuthError, "{model} did not accept the key (Incorrect API key"),
    "429": (response(429, '{"error":{"message":"Slow down"}}'), RateLimitError, "{model} is rate limited (Slow down)"),
    "500": (response(500, '{"error":{"message":"It broke"}}'), TransientError, "{model} failed (It broke)"),
    "page": (response(502, PAGE, "text/html"), TransientError, "{model} failed (502 Bad Gateway)"),
}  # fmt: skip


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("model", ["openai/m", "anthropic/claude-x", "gemini/gemini-pro", "mistral/m"])
@pytest.mark.parametrize("case", [*ANSWERS, "refuse"])
async def test_both_transports_say_the_same(host: Host, model: str, case: str):
    if case == "refuse":
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        kind, words = TransientError, f"cannot reach {address}"
        said = [await fail(each) for each in both(host, f"http://{address}", model)]
    else:
        answer, kind, words = ANSWERS[case]
        words = words.format(model=model)
        async with server(answer) as address:
            said = [await fail(each) for each in both(host, address, model)]

    for error in said:
        assert type(error) is kind
        assert str(error).startswith(words)
        assert not UNCLEAN.search(str(error).replace("litellm/", ""))
    assert str(said[0]) == str(said[1])


def both(host: Host, address: str, model: str) -> list[tuple[Direct | Hosted, str]]:
    return [
        (Hosted(host, {"api_base": address, "api_key": KEY}, idle=30), model),
        (Direct(Endpoint(address, KEY, idle=30)), model),
    ]


async def fail(asked: tuple[Direct | Hosted, str]) -> ModelError:
    transport, model = asked
    with pytest.raises(ModelError) as caught:
        await ask(transport, request(user("hi"), model=model))
    await transport.close()
    return caught.value
