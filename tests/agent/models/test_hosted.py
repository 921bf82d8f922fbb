"""The model host as a process: what it may see, what it must survive, and that it never outlives us."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from agent.models.choose import Settings, choose
from agent.models.hosted import Host, Hosted
from agent.models.protocol import BadRequestError, ChatMessage, TransientError
from tests.agent.models.conversation import ask, finish_of, request, text_of, user
from tests.provider.reply import Reply, sse
from tests.provider.server import Provider

pytestmark = pytest.mark.asyncio(loop_scope="session")

ANTHROPIC_EVENTS: tuple[dict[str, Any], ...] = (
    {
        "type": "message_start",
        "message": {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "claude",
            "stop_reason": None,
            "usage": {
                "input_tokens": 5,
                "cache_creation_input_tokens": 7,
                "cache_read_input_tokens": 11,
                "output_tokens": 1,
            },
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hello"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
    {"type": "message_stop"},
)


def folder_of(pid: int | None) -> Path:
    try:
        return Path(f"/proc/{pid}/cwd").readlink()
    except PermissionError:
        pytest.skip("only root may look: the model host hides itself")


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def hosted(host: Host, provider: Provider, idle: float = 30.0) -> Hosted:
    return Hosted(host, {"api_base": provider.url, "api_key": "sk-test"}, idle=idle)


async def test_streams_run_beside_each_other(host: Host) -> None:
    async with Provider(lambda got: Reply(text=got.json["messages"][-1]["content"], piece=1)) as provider:
        model = hosted(host, provider)
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(ask(model, request(user(word * 9)))) for word in ("a", "b", "c")]

    assert [text_of(task.result()) for task in asked] == ["a" * 9, "b" * 9, "c" * 9]


async def test_a_provider_that_nobody_knows_is_named_and_not_tried_again(host: Host) -> None:
    model = choose("nosuch/model", Settings({}), lambda: host)

    with pytest.raises(BadRequestError, match="no provider is named 'nosuch'"):
        await ask(model, request(user("hi"), model="nosuch/model"))


async def test_silence_ends_the_stream_and_not_the_host(host: Host) -> None:
    async with Provider([Reply(text="x", fault="silence", after=1), Reply(text="next")]) as provider:
        with pytest.raises(TransientError, match="silent"):
            await ask(hosted(host, provider, idle=0.2))
        before = host.pid
        received = await provider.request(0)
        await received.disconnected.wait()

        assert text_of(await ask(hosted(host, provider))) == "next"
    assert host.pid == before


async def test_anthropic_is_told_what_to_cache_and_its_count_of_it_is_read(host: Host) -> None:
    raw = b"".join(f"event: {event['type']}\n".encode() + sse(event) for event in ANTHROPIC_EVENTS)
    history: list[ChatMessage] = [user("one"), {"role": "assistant", "content": "two"}, user("three")]
    async with Provider([Reply(raw=raw)]) as provider:
        model = Hosted(host, {"api_base": provider.url.removesuffix("/v1"), "api_key": "k"}, idle=30)
        chunks = await ask(model, request(*history, model="anthropic/claude-sonnet-4-5"))

    sent = provider.requests[0].json
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    marked = ["cache_control" in message["content"][-1] for message in sent["messages"]]
    assert marked == [False, True, True]
    assert text_of(chunks) == "hello"
    usage = finish_of(chunks).usage
    assert usage is not None
    assert (usage.input, usage.cache_write, usage.cache_read, usage.output) == (5, 7, 11, 3)


async def test_a_killed_host_is_reported_and_replaced(host: Host) -> None:
    async with Provider([Reply(text="half", fault="silence", after=2), Reply(text="whole")]) as provider:
        model = hosted(host, provider)
        async with aclosing(model.stream(request())) as stream:
            await anext(stream)
            killed = host.pid
            assert killed is not None
            os.kill(killed, signal.SIGKILL)
            with pytest.raises(TransientError, match="host ended"):
                await anext(stream)

        assert text_of(await ask(model)) == "whole"
    assert host.pid != killed


async def test_the_host_runs_and_reads_nothing_of_the_folder_we_work_in(host: Host, hostile: Path) -> None:
    async with Provider([Reply(text="up")]) as provider:
        await ask(hosted(host, provider))

    assert folder_of(host.pid) == Path("/")
    assert "marker" not in names_in(hostile)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells of a parent's death only on Linux")
async def test_the_host_dies_with_a_parent_that_is_killed() -> None:
    code = (
        "import asyncio, os\nfrom agent.models.hosted import Host\n"
        "async def main():\n  host = Host(os.environ)\n  await host.start()\n"
        "  print(host.pid, flush=True)\n  await asyncio.Event().wait()\nasyncio.run(main())"
    )
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    watched = os.pidfd_open(int(await parent.stdout.readline()))
    parent.kill()
    await parent.wait()

    ended, _, _ = await asyncio.to_thread(select.select, [watched], [], [])

    assert ended == [watched]
    os.close(watched)
