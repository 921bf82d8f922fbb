"""The in-process model for tests."""

import asyncio
from contextlib import aclosing

import pytest

from agent.models.protocol import BadRequestError, Finish, Text, TransientError
from agent.models.scripted import Scripted, said
from tests.agent.models.conversation import ask, calls_of, request, text_of


async def test_answers_come_in_order_and_then_the_script_is_over() -> None:
    model = Scripted([said("one", ("read", {"path": "a"})), said("two")])

    first, second = await ask(model), await ask(model)

    assert (text_of(first), text_of(second)) == ("one", "two")
    assert calls_of(first)[0].input == {"path": "a"}
    assert len(model.requests) == 2
    with pytest.raises(BadRequestError):
        await ask(model)


async def test_an_error_strikes_where_the_script_puts_it() -> None:
    model = Scripted([(Text("half"), TransientError("cut"))])

    async with aclosing(model.stream(request())) as stream:
        assert await anext(stream) == Text("half")
        with pytest.raises(TransientError):
            await anext(stream)


async def test_a_function_answers_by_the_request_and_an_event_holds_the_stream() -> None:
    gate = asyncio.Event()
    model = Scripted(lambda asked: (Text(asked.model), gate, Finish("stop", None)))

    async with aclosing(model.stream(request())) as stream:
        assert await anext(stream) == Text("openai/scripted")
        gate.set()
        assert await anext(stream) == Finish("stop", None)
    assert model.closed == 1
