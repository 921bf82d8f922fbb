"""The same conversations over every transport, against the same real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import aclosing

import pytest

from agent.models.direct import Direct, Endpoint
from agent.models.hosted import Host, Hosted
from agent.models.protocol import (
    AuthError,
    BadRequestError,
    ChatMessage,
    ContextOverflowError,
    Model,
    ModelError,
    RateLimitError,
    Text,
    TransientError,
)
from store.records import Usage
from tests.agent.models.conversation import ask, calls_of, finish_of, reasoning_of, request, text_of, user
from tests.provider.reply import Call, Reply, overflow, quota, rate_limited, unauthorized, unavailable
from tests.provider.server import Provider

KEY = "plain.canary"
Connect = Callable[[Provider], Model]
pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(params=["direct", "litellm"])
def connect(request: pytest.FixtureRequest, host: Host) -> Connect:
    if request.param == "litellm":
        return lambda provider: Hosted(host, {"api_base": provider.url, "api_key": KEY}, idle=30)
    return lambda provider: Direct(Endpoint(provider.url, KEY, prefix="openai/", idle=30))


async def test_hello_streams_text_reasoning_and_usage(connect: Connect) -> None:
    text = "Hello, wörld! " * 5
    async with Provider([Reply(text=text, reasoning="let me think")]) as provider:
        model = connect(provider)
        chunks = await ask(model)
        await model.close()

    assert text_of(chunks) == text
    assert reasoning_of(chunks) == "let me think"
    assert finish_of(chunks).reason == "stop"
    assert finish_of(chunks).usage == Usage(input=60, output=10, cache_read=40, reasoning=3)
    assert provider.requests[0].json["messages"][1] == {"role": "user", "content": "hello"}
    assert [tool["function"]["name"] for tool in provider.requests[0].json["tools"]] == ["read", "grep"]


async def test_thirty_tool_turns_keep_a_valid_history(connect: Connect) -> None:
    replies = [Reply(calls=(Call("read", f'{{"path": "{turn}.py"}}', f"call_{turn}"),)) for turn in range(30)]
    history: list[ChatMessage] = [user("go")]
    async with Provider([*replies, Reply(text="done")]) as provider:
        model = connect(provider)
        for turn in range(30):
            (call,) = calls_of(await ask(model, request(*history)))
            assert (call.id, call.name, call.input) == (f"call_{turn}", "read", {"path": f"{turn}.py"})
            history.append({"role": "assistant", "content": None, "tool_calls": [call.as_chat()]})
            history.append({"role": "tool", "tool_call_id": call.id, "content": "text"})
        chunks = await ask(model, request(*history))
        await model.close()

    assert text_of(chunks) == "done"
    assert len(provider.requests) == 31


async def test_parallel_calls_come_apart_in_order(connect: Connect) -> None:
    calls = (Call("read", '{"path": "a"}', "one"), Call("grep", '{"path": "b"}', "two"))
    async with Provider([Reply(text="both", calls=calls, piece=3)]) as provider:
        model = connect(provider)
        chunks = await ask(model)
        await model.close()

    assert text_of(chunks) == "both"
    assert [(call.id, call.name, call.arguments) for call in calls_of(chunks)] == [
        ("one", "read", '{"path": "a"}'),
        ("two", "grep", '{"path": "b"}'),
    ]
    assert finish_of(chunks).reason == "tool_calls"


async def test_malformed_calls_arrive_as_they_were_written(connect: Connect) -> None:
    calls = (Call("read", '{"path": '), Call("no_such_tool", "{}"), Call("grep", "[1]"))
    async with Provider([Reply(calls=calls)]) as provider:
        model = connect(provider)
        chunks = await ask(model)
        await model.close()

    assert [(call.name, call.arguments) for call in calls_of(chunks)] == [
        ("read", '{"path": '),
        ("no_such_tool", "{}"),
        ("grep", "[1]"),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(text="cut in the middle", piece=4, fault="cut", after=3), id="cut"),
        pytest.param(Reply(text="reset in the middle", piece=4, fault="reset", after=3), id="reset"),
        pytest.param(Reply(text="half", fault="malformed", after=2), id="malformed"),
        pytest.param(unavailable(500), id="500"),
        pytest.param(unavailable(503), id="503"),
        pytest.param(unavailable(529), id="529"),
    ],
)
async def test_a_lost_reply_is_worth_another_try_and_the_next_one_is_whole(
    connect: Connect, reply: Reply
) -> None:
    async with Provider([reply, Reply(text="whole")]) as provider:
        model = connect(provider)

        with pytest.raises(TransientError):
            await ask(model)
        chunks = await ask(model)
        await model.close()

    assert text_of(chunks) == "whole"
    assert len(provider.requests) == 2


async def test_a_rate_limit_tells_how_long_to_wait(connect: Connect) -> None:
    async with Provider([rate_limited("7")]) as provider:
        model = connect(provider)

        with pytest.raises(RateLimitError) as caught:
            await ask(model)
        await model.close()

    assert (caught.value.wait, caught.value.final) == (7, False)
    assert len(provider.requests) == 1


async def test_a_used_up_quota_is_final(connect: Connect) -> None:
    async with Provider([quota()]) as provider:
        model = connect(provider)

        with pytest.raises(RateLimitError) as caught:
            await ask(model)
        await model.close()

    assert caught.value.final


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (overflow(), ContextOverflowError),
        (unauthorized("sk-canary0123456789"), AuthError),
        (Reply(status=400, error={"message": "bad value", "code": "invalid_value"}), BadRequestError),
    ],
)
async def test_refusals_are_told_apart_and_never_tried_twice(
    connect: Connect, reply: Reply, kind: type[ModelError]
) -> None:
    async with Provider([reply]) as provider:
        model = connect(provider)

        with pytest.raises(kind) as caught:
            await ask(model)
        await model.close()

    assert "sk-canary" not in str(caught.value)
    assert len(provider.requests) == 1


async def test_a_key_that_does_not_look_like_one_is_not_quoted_either(connect: Connect):
    async with Provider([unauthorized(KEY)]) as provider:
        model = connect(provider)

        with pytest.raises(AuthError) as caught:
            await ask(model)
        await model.close()

    assert KEY in provider.requests[0].headers["authorization"]
    assert KEY not in str(caught.value)


async def test_an_error_in_the_middle_of_a_stream_does_not_quote_the_key(connect: Connect):
    event = json.dumps({"error": {"message": f"{KEY} is overloaded", "code": 503}})
    async with Provider([Reply(raw=f"data: {event}\n\n".encode())]) as provider:
        model = connect(provider)

        with pytest.raises(ModelError) as caught:
            await ask(model)
        await model.close()

    assert KEY not in str(caught.value)


async def test_a_missing_done_event_and_missing_usage_do_no_harm(connect: Connect) -> None:
    async with Provider([Reply(text="all there", fault="no-done", usage=None)]) as provider:
        model = connect(provider)
        chunks = await ask(model)
        await model.close()

    assert text_of(chunks) == "all there"
    assert finish_of(chunks).reason == "stop"


async def test_closing_the_stream_hangs_up_on_the_provider(connect: Connect) -> None:
    async with Provider([Reply(text="first part", fault="silence", after=2)]) as provider:
        model = connect(provider)
        async with aclosing(model.stream(request())) as stream:
            first = await anext(stream)
        received = await provider.request(0)
        await received.disconnected.wait()
        await model.close()

    assert isinstance(first, Text)


async def test_cancelling_the_reader_hangs_up_on_the_provider(connect: Connect) -> None:
    async with Provider([Reply(text="first part", fault="silence", after=2), Reply(text="next")]) as provider:
        model = connect(provider)
        reading = asyncio.create_task(ask(model))
        received = await provider.request(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await received.disconnected.wait()

        chunks = await ask(model)
        await model.close()

    assert text_of(chunks) == "next"


async def test_the_history_is_sent_as_it_is(connect: Connect) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path":"ü"}'}}
    history: list[ChatMessage] = [
        user("look"),
        {"role": "assistant", "content": "reading", "tool_calls": [call]},  # pyright: ignore[reportAssignmentType] - literal
        {"role": "tool", "tool_call_id": "c1", "content": "1: text"},
    ]
    async with Provider([Reply(text="ok")]) as provider:
        model = connect(provider)
        await ask(model, request(*history))
        await model.close()

    sent = provider.requests[0].json["messages"]
    assert json.loads(sent[2]["tool_calls"][0]["function"]["arguments"]) == {"path": "ü"}
    assert sent[1:] == history
