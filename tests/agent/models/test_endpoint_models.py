"""Models of an endpoint at an address of the user's own, and names that are wrong."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from agent.commands.builtin import context_for
from agent.commands.errors import CommandError
from agent.commands.execution import execute
from agent.commands.results import Picker, Text
from agent.events import Notice
from agent.models.choose import ProviderSettings, Settings, own_endpoints
from agent.models.direct import Endpoint
from agent.models.endpoint_models import EndpointModels
from agent.opening import Opened, open_session
from tests.agent.openings import opening
from tests.provider.server import Provider

MODELS = ("mock", "mock-large", "mock-mini")


@asynccontextmanager
async def opened(tmp_path: Path, url: str) -> AsyncGenerator[Opened]:
    plain = opening(tmp_path, model_name="openai/mock", attended=True)
    environment = {**plain.environment, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "sk-1"}
    async with open_session(opening(tmp_path, model_name="openai/mock", environment=environment)) as found:
        yield found


async def command(opened: Opened, line: str) -> str:
    result = await execute(context_for(opened), line)
    assert isinstance(result, Text)
    return result.text


async def test_the_list_of_models_is_that_of_the_endpoint(tmp_path: Path):
    async with Provider(models=MODELS) as provider, opened(tmp_path, provider.url) as found:
        picker = await execute(context_for(found), "/model")

    assert isinstance(picker, Picker)
    names = [option.label for option in picker.options if option.label.startswith("openai/")]
    assert names == [f"openai/{name}" for name in MODELS]


async def test_an_endpoint_that_cannot_be_asked_is_told_of(tmp_path: Path):
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    async with opened(tmp_path, f"http://{place}/v1") as found:
        with found.session.subscribe() as events:
            picker = await execute(context_for(found), "/model")
            accepted = await command(found, "/model openai/anything")
            events.push(None)
            notices = [event.text async for event in events if isinstance(event, Notice)]

    assert isinstance(picker, Picker)
    assert [each.label for each in picker.options if each.label.startswith("openai/")] == ["openai/mock"]
    assert notices[-1] == f"no list of models: cannot reach {place}; type /model NAME"
    assert accepted.startswith("openai/anything answers")
    assert f"not checked: cannot reach {place}" in accepted


async def test_a_silent_endpoint_keeps_nobody_waiting():
    left = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        left.set()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with server:
        place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        listing = await EndpointModels(limit=0.2).ask(Endpoint(f"http://{place}/v1"))
        await left.wait()

    assert listing.problem == f"{place} did not answer in 0.2 s"


async def test_an_endpoint_is_asked_once_and_after_a_failure_again():
    listings = EndpointModels()
    async with Provider(models=MODELS) as provider:
        port = provider.port
        first = await listings.ask(Endpoint(provider.url))
    later = await listings.ask(Endpoint(f"http://127.0.0.1:{port}/v1"), again=True)
    other = Endpoint(f"http://127.0.0.1:{port}/v2")
    failed = await listings.ask(other)
    async with Provider(models=MODELS, port=port):
        still, again = await listings.ask(other), await listings.ask(other, again=True)

    assert first == later
    assert failed.problem == still.problem == f"cannot reach 127.0.0.1:{port}"
    assert again.models == MODELS


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("nonsense", "no model is named 'nonsense'", "/model lists what there is"),
        ("foo/bar", "no provider is named 'foo'", "set providers.foo.base_url to its address"),
        ("opneai/mock", "no provider is named 'opneai'", "did you mean openai/mock"),
        ("openai/mock-lrge", "no model is named 'openai/mock-lrge'", "did you mean openai/mock-large"),
        ("openai/nonsense", "no model is named 'openai/nonsense'", "/model lists what there is"),
    ],
)
async def test_a_wrong_name_is_refused_at_once(tmp_path: Path, name: str, message: str, hint: str):
    async with Provider(models=MODELS) as provider, opened(tmp_path, provider.url) as found:
        with pytest.raises(CommandError) as refused:
            await command(found, f"/model {name}")
        still = found.workshop.chosen.name

    assert refused.value.message == message
    assert refused.value.hint.startswith(hint)
    assert still == "openai/mock"


@pytest.mark.parametrize("name", ["openai/mock-mini", "anthropic/claude-sonnet-4-5", "offline", "mock-large"])
async def test_a_name_that_is_known_is_taken(tmp_path: Path, name: str):
    async with Provider(models=MODELS) as provider, opened(tmp_path, provider.url) as found:
        told = await command(found, f"/model {name}")

    assert told.startswith(f"{name} answers")
    assert "not checked" not in told


def test_only_an_address_of_ones_own_has_to_be_asked():
    own = {"mine": ProviderSettings("http://here/v1"), "anthropic": ProviderSettings("https://proxy")}
    keyed = {
        "GROQ_API_KEY": "k",
        "OPENAI_BASE_URL": "https://api.openai.com/v1/",
        "LM_STUDIO_API_BASE": "http://x/v1",
    }

    found = own_endpoints(Settings(keyed, providers=own))

    assert {name: endpoint.base_url for name, endpoint in found.items()} == {
        "mine": "http://here/v1",
        "lm_studio": "http://x/v1",
    }
