"""The scripted provider itself: what other tests lean on."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from agent.models.direct import Direct, Endpoint
from agent.models.protocol import BadRequestError, ChatMessage, ContextOverflowError
from tests.agent.context.histories import PICTURE
from tests.agent.models.conversation import ask, calls_of, request, text_of, user
from tests.provider.reply import Reply
from tests.provider.server import Provider
from tests.provider.strict import complaint


async def test_it_runs_as_a_process_of_its_own_and_logs_what_it_was_asked(tmp_path: Path) -> None:
    script, log = tmp_path / "script.json", tmp_path / "log"
    calls = [{"name": "read", "arguments": "{}"}]
    script.write_text(json.dumps({"replies": [{"text": "hi", "calls": calls}], "repeat": True}))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.provider", str(script), "--log", str(log)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    port = int(await process.stdout.readline())
    model = Direct(Endpoint(f"http://127.0.0.1:{port}/v1"))
    replies = [await ask(model), await ask(model)]
    await model.close()
    await process.communicate(b"")

    assert [text_of(chunks) for chunks in replies] == ["hi", "hi"]
    assert calls_of(replies[0])[0].name == "read"
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [row["path"] for row in rows] == ["/v1/chat/completions"] * 2
    assert rows[1]["at"] > rows[0]["answered"]


async def test_it_refuses_what_exceeds_the_context_and_what_the_script_does_not_cover() -> None:
    async with Provider(context=500) as provider:
        model = Direct(Endpoint(provider.url))
        with pytest.raises(BadRequestError, match="no more replies"):
            await ask(model)
        with pytest.raises(ContextOverflowError):
            await ask(model, request(user("x" * 2000)))
        await model.close()


async def test_a_function_answers_by_the_request() -> None:
    async with Provider(lambda received: Reply(text=received.json["messages"][-1]["content"])) as provider:
        model = Direct(Endpoint(provider.url))
        chunks = await ask(model, request(user("echo")))
        await model.close()

    assert text_of(chunks) == "echo"


def assistant(*identities: str) -> ChatMessage:
    return called(*identities)


def called(*identities: str, name: str = "x", arguments: str = "{}") -> ChatMessage:
    calls = [
        {"id": one, "type": "function", "function": {"name": name, "arguments": arguments}}
        for one in identities
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}  # pyright: ignore[reportReturnType] - literal


def result(identity: str) -> ChatMessage:
    return {"role": "tool", "tool_call_id": identity, "content": "ok"}


def picture(media: str, data: str) -> ChatMessage:
    block = {"type": "image_url", "image_url": {"url": f"data:{media};base64,{data}"}}
    return {"role": "user", "content": [{"type": "text", "text": "look"}, block]}


def test_a_valid_history_has_no_complaint() -> None:
    messages = [user("a"), assistant("1", "2"), result("2"), result("1"), picture("image/png", PICTURE)]

    assert complaint({"messages": messages}) is None


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [user("")],
        [user("a"), assistant("1")],
        [user("a"), assistant("1"), user("b")],
        [user("a"), result("1")],
        [user("a"), assistant("1"), result("1"), result("1")],
        [user("a"), assistant("1"), result("1"), assistant("1"), result("1")],
        [user("a"), {"role": "assistant", "content": None}],
        [user("a"), {"role": "assistant", "content": "x", "tool_calls": []}],
        [{"role": "robot", "content": "x"}],
        [assistant("1"), result("1")],
        [user("a"), {"role": "assistant", "content": "x"}],
        [user("a"), {"role": "system", "content": "x"}],
        [user(" \n")],
        [user("a"), assistant("a b"), result("a b")],
        [user("a"), assistant("x" * 41), result("x" * 41)],
        [user("a"), assistant("1"), {"role": "tool", "tool_call_id": "1", "content": " "}],
        [user("a"), called("1", arguments="[1]"), result("1")],
        [user("a"), called("1", arguments='{"a": NaN}'), result("1")],
        [user("a"), called("1", name="no such"), result("1")],
        [picture("image/svg+xml", "AAAA")],
        [picture("image/png", "AA")],
        [picture("image/png", "AAAA")],
        ["text"],
        None,
    ],
)
def test_a_damaged_history_is_refused(messages: object) -> None:
    assert complaint({"messages": messages})
