"""The direct transport against a real server on loopback: what only it promises."""

import gc
import json
import os

import httpx
import pytest

from agent.models.direct import Direct, Endpoint
from agent.models.protocol import AuthError, BadRequestError, ChatMessage, Request, TransientError
from tests.agent.models.conversation import TOOLS, ask, finish_of, request, text_of, user
from tests.provider.reply import Reply, unauthorized
from tests.provider.server import Provider


def connect(
    provider: Provider, *, idle: float = 30.0, key: str | None = None, field: str = "max_tokens"
) -> Direct:
    return Direct(Endpoint(provider.url, key, prefix="openai/", idle=idle, output_field=field))


async def test_the_body_has_tools_first_and_messages_last_and_grows_only_at_its_end() -> None:
    hello = user("hello")
    answer: ChatMessage = {"content": "hi ü", "role": "assistant"}
    async with Provider([Reply(text="a"), Reply(text="b")]) as provider:
        model = connect(provider)
        await ask(model, request(hello))
        await ask(model, request(hello, answer, user("more")))
        await model.close()

    first, second = (received.body for received in provider.requests)
    assert list(json.loads(first)) == ["model", "stream", "stream_options", "tools", "messages"]
    assert second.startswith(first.removesuffix(b"]}"))
    assert '"role":"assistant","content":"hi ü"' in second.decode()


async def test_the_wire_name_the_key_and_the_output_limit_are_sent_as_the_endpoint_wants_them() -> None:
    async with Provider([Reply(text="a")]) as provider:
        model = connect(provider, key="sk-test", field="max_completion_tokens")
        await ask(model, Request("openai/org/name", (user("x"),), TOOLS, max_output=99))
        await model.close()

    (received,) = provider.requests
    assert received.headers["authorization"] == "Bearer sk-test"
    assert received.json["model"] == "org/name"
    assert received.json["max_completion_tokens"] == 99
    assert received.json["stream_options"] == {"include_usage": True}


async def test_one_connection_serves_consecutive_requests() -> None:
    async with Provider([Reply(text="a"), Reply(text="b")]) as provider:
        model = connect(provider)
        await ask(model)
        await ask(model)
        kept = len(provider.connections)
        await model.close()

    assert kept == 1


async def test_what_was_sent_is_let_go_without_a_search_for_garbage() -> None:
    async with Provider([Reply(text="a")]) as provider:
        model = connect(provider)
        gc.collect()
        gc.disable()
        try:
            await ask(model)
            left = [each for each in gc.get_objects() if isinstance(each, httpx.Request)]
        finally:
            gc.enable()
        await model.close()

    assert not left


async def test_silence_ends_in_an_error_worth_another_try() -> None:
    async with Provider([Reply(text="abc", fault="silence", after=2)]) as provider:
        model = connect(provider, idle=0.2)

        with pytest.raises(TransientError, match="silent"):
            await ask(model)
        await model.close()


async def test_a_reply_whose_end_is_lost_after_its_finish_reason_is_kept() -> None:
    async with Provider([Reply(text="whole", usage=None, fault="cut", after=3)]) as provider:
        model = connect(provider)
        chunks = await ask(model)
        await model.close()

    assert text_of(chunks) == "whole"
    assert finish_of(chunks).usage is None


async def test_nobody_listening_is_worth_another_try() -> None:
    async with Provider() as provider:
        pass
    model = connect(provider)

    with pytest.raises(TransientError, match=r"^cannot reach 127\.0\.0\.1:\d+$"):
        await ask(model)
    await model.close()


async def test_an_unusable_address_is_not_tried_again() -> None:
    model = Direct(Endpoint("http://[nonsense/v1"))

    with pytest.raises(BadRequestError, match="base_url"):
        await ask(model)


async def test_a_key_never_shows_in_an_error_or_a_repr() -> None:
    key = "sk-canary0123456789"
    async with Provider([unauthorized(key)]) as provider:
        model = connect(provider, key=key)
        with pytest.raises(AuthError) as refused:
            await ask(model)
        await model.close()
        with pytest.raises(AuthError) as unsendable:
            await ask(connect(provider, key=key + "\n"))

    assert key not in f"{refused.value} {unsendable.value} {Endpoint('x', key)!r}"


async def test_a_proxy_in_the_environment_is_not_asked_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(os.environ, "HTTP_PROXY", "http://127.0.0.1:9")
    async with Provider([Reply(text="here")]) as provider:
        model = connect(provider)
        chunks = await ask(model)
        await model.close()

    assert text_of(chunks) == "here"
