"""Servers on this machine."""

import asyncio

import pytest

from agent.models.local import Known, find_servers, usual
from tests.provider.server import Provider


async def test_servers_that_answer_are_offered_with_their_models():
    async with Provider() as closed:
        pass
    async with Provider(models=("llama3", "qwen")) as ollama, Provider(models=()) as empty:
        known = [
            Known("ollama", "Ollama", ollama.port, "/api/tags"),
            Known("empty", "Empty", empty.port, "/v1/models"),
            Known("closed", "Closed", closed.port, "/"),
        ]
        offers = await find_servers(known, limit=10)

    assert [(offer.provider, offer.models) for offer in offers] == [("ollama", ("llama3", "qwen"))]
    assert offers[0].base_url == ollama.url


async def test_a_server_that_says_nothing_or_nonsense_is_not_waited_for():
    hang = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await hang.wait()
        writer.close()

    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH\r\n\r\n{not json}")
        writer.close()

    servers = [await asyncio.start_server(handler, "127.0.0.1", 0) for handler in (silent, nonsense)]
    known = [Known("x", "X", server.sockets[0].getsockname()[1], "/") for server in servers]

    assert await find_servers(known, limit=0.1) == []
    hang.set()
    for server in servers:
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("", 11434),
        ("127.0.0.1:5000", 5000),
        ("http://localhost:5001", 5001),
        ("0.0.0.0", 11434),
        ("models.example:5000", 11434),
        ("[", 11434),
        ("127.0.0.1:many", 11434),
    ],
)
def test_only_another_port_of_this_machine_is_looked_at(host: str, port: int) -> None:
    ollama, studio = usual({"OLLAMA_HOST": host})

    assert (ollama.port, studio.port) == (port, 1234)
