"""The model host: a child process, so that litellm's five seconds, its prints and its crashes stay in there.

Reads JSON lines from stdin (`stream`, `cancel`) and ends when stdin does; answers in JSON lines.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, cast

from agent.models import wire
from agent.models.body import message_objects, tool_objects
from agent.models.caching import mark, wants_marks
from agent.models.litellm_errors import chain_of, detail, explain
from agent.models.loose import as_dict
from agent.models.protocol import ModelError, Request
from agent.models.reading import ReplyReader
from agent.own_process import hide_own_memory

Send = Callable[[Mapping[str, Any]], None]
Complete = Callable[..., Any]


def main() -> None:
    hide_own_memory()
    _die_with_parent(int(sys.argv[1]))
    send = _claim_stdout()
    try:
        complete = _load()
    except ImportError as error:
        send({"kind": "failed", "message": str(error)})
        return
    send({"kind": "ready"})
    asyncio.run(_serve(complete, send))
    # litellm leaves threads behind that nobody waits for.
    os._exit(0)


def _die_with_parent(parent: int) -> None:
    """Where the kernel cannot tell us, the end of stdin does, though only after the import."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


def _claim_stdout() -> Send:
    """Keeps the pipe for ourselves: what anybody else prints goes to stderr."""
    pipe = os.dup(1)
    os.dup2(2, 1)
    out = os.fdopen(pipe, "w", encoding="utf-8")

    def send(message: Mapping[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    return send


def _load() -> Complete:
    # Without the first it asks the network for prices, without the second it reads a .env file.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    import litellm

    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.disable_streaming_logging = True
    litellm.turn_off_message_logging = True
    return cast("Complete", litellm.acompletion)  # pyright: ignore[reportUnknownMemberType] - untyped upstream


async def _serve(complete: Complete, send: Send) -> None:
    running: dict[int, asyncio.Task[None]] = {}
    async with asyncio.TaskGroup() as group:
        async for message in _messages():
            number = message["stream"]
            if message["op"] == "stream":
                running[number] = group.create_task(_answer(complete, message, send))
                running[number].add_done_callback(lambda _, number=number: running.pop(number))
            elif number in running:
                running[number].cancel()
        for task in running.values():
            task.cancel()


async def _messages() -> AsyncIterator[dict[str, Any]]:
    reader = asyncio.StreamReader(limit=wire.LONGEST_LINE)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async for line in reader:
        yield json.loads(line)


async def _answer(complete: Complete, message: Mapping[str, Any], send: Send) -> None:
    number = message["stream"]
    request = wire.to_request(message["request"])
    try:
        async for line in _lines(complete, request, message["options"]):
            send({"stream": number, **line})
    except ModelError as error:
        send({"stream": number, **wire.from_error(error)})
    except Exception as error:  # noqa: BLE001 - litellm raises what it likes, and the other streams go on
        send({"stream": number, **_explained(request.model, error, message["options"])})
    finally:
        send({"stream": number, "kind": "ended"})


async def _lines(
    complete: Complete, request: Request, options: Mapping[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    marked = mark(request) if wants_marks(request.model) else request
    limits = {} if request.max_output is None else {"max_tokens": request.max_output}
    tools = {"tools": tool_objects(request.tools)} if request.tools else {}
    stream = await complete(
        model=request.model,
        messages=message_objects(marked.messages),
        stream=True,
        stream_options={"include_usage": True},
        num_retries=0,
        max_retries=0,
        **tools,
        **limits,
        **options,
    )
    reader = ReplyReader(request.model, options.get("api_key"))
    try:
        async for event in stream:
            for chunk in reader.read(as_dict(event.model_dump())):
                yield wire.from_chunk(chunk)
    finally:
        await stream.aclose()
    yield wire.from_chunk(reader.finish(done=True))


def _explained(model: str, error: Exception, options: Mapping[str, Any]) -> dict[str, Any]:
    """The line for an exception: an error that the loop can act on, and for the log what was behind it."""
    chain, key = chain_of(error), options.get("api_key")
    status = getattr(error, "status_code", None)
    response = getattr(error, "response", None)
    headers: object = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None)
    explained = explain(
        model,
        chain,
        status if isinstance(status, int) else None,
        headers={str(name).lower(): str(value) for name, value in dict(cast("Any", headers or {})).items()},
        base_url=options.get("api_base"),
        key=key,
    )
    return wire.from_error(explained) | {"detail": detail(chain, key)}


if __name__ == "__main__":
    main()
