"""Streams as providers really send them."""

import json
from typing import Any

import pytest

from agent.models.assemble import assemble
from agent.models.protocol import (
    BadRequestError,
    CallDelta,
    Chunk,
    Finish,
    FinishReason,
    RateLimitError,
    Reasoning,
    Text,
    TransientError,
)
from agent.models.reading import StreamReader, read_usage
from store.records import Usage
from tests.provider.reply import Call, Reply, sse


def read(data: bytes, size: int = 1_000_000) -> list[Chunk]:
    reader = StreamReader("m")
    chunks: list[Chunk] = []
    for start in range(0, len(data), size):
        chunks += reader.feed(data[start : start + size])
    return chunks + reader.end()


def stream(*deltas: dict[str, Any], finish: str | None = "stop") -> bytes:
    events: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    if finish:
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return b"".join(map(sse, events)) + sse("[DONE]")


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Text))


def calls_of(chunks: list[Chunk]) -> list[tuple[str, str]]:
    calls = assemble(chunk for chunk in chunks if isinstance(chunk, CallDelta))
    return [(call.name, call.arguments) for call in calls]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_any_split_of_the_bytes_gives_the_same_reply(size: int) -> None:
    reply = Reply(text="naïve 日本語 👩‍💻", reasoning="hm ✓", calls=(Call("read", '{"path": "ü"}'),))
    data = b"".join(map(sse, reply.payloads("m"))) + sse("[DONE]")

    chunks = read(data, size)

    assert chunks == read(data)
    assert text_of(chunks) == reply.text
    assert calls_of(chunks) == [("read", '{"path": "ü"}')]
    assert chunks[-1] == Finish("tool_calls", Usage(60, 10, 40, 0, 3))


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_comments_other_fields_and_line_endings_are_understood(ending: bytes) -> None:
    lines = [b": ping", b"", b"event: x", b"id: 1", b'data:{"choices":[{"delta":{"content":"a"}}]}', b""]
    lines += [b"data: ", b"", b"data: ping", b"", b'data: {"choices":[{"finish_reason":"stop"}]}', b"", b""]

    chunks = read(ending.join(lines))

    assert chunks == [Text("a"), Finish("stop", None)]


def test_events_without_blank_lines_between_them_are_told_apart() -> None:
    data = stream({"content": "a"}, {"content": "b"}).replace(b"\n\n", b"\n")

    assert text_of(read(data)) == "ab"


def test_an_event_may_spread_over_several_data_lines() -> None:
    data = b'data: {"choices":\ndata: [{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n'

    assert text_of(read(data)) == "a"


def test_a_reply_without_the_done_event_is_whole_when_it_said_why_it_stopped() -> None:
    data = stream({"content": "a"}).replace(sse("[DONE]"), b"")

    assert read(data) == [Text("a"), Finish("stop", None)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        sse("[DONE]"),
        stream({"content": "half"}, finish=None).replace(sse("[DONE]"), b""),
        b'data: {"choices": [{"del',
        b'data: {"choices": broken}\n\n',
        b"<html>gateway</html>",
        sse("{" + '"a":[' * 50_000),
    ],
)
def test_a_cut_or_broken_stream_is_worth_another_try(data: bytes) -> None:
    with pytest.raises(TransientError):
        read(data)


def test_an_answer_that_ignores_streaming_is_read_whole() -> None:
    message = {"content": "hi", "tool_calls": [{"id": "a", "function": {"name": "x", "arguments": {"b": 1}}}]}
    body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}, indent=1).encode()

    chunks = read(body)

    assert text_of(chunks) == "hi"
    assert calls_of(chunks) == [("x", '{"b": 1}')]
    assert chunks[-1] == Finish("tool_calls", None)


def test_both_names_of_reasoning_and_lists_of_parts_are_read() -> None:
    data = stream(
        {"reasoning_content": "a"},
        {"reasoning": "b"},
        {"content": [{"type": "text", "text": "c"}, 5, {"x": 1}]},
    )

    assert read(data) == [Reasoning("a"), Reasoning("b"), Text("c"), Finish("stop", None)]


def test_an_error_in_the_stream_is_raised_as_what_it_is() -> None:
    limited = sse({"error": {"message": "slow down, try again in 20s", "code": 429}})
    broken = sse(
        {"choices": [{"delta": {}, "finish_reason": "error", "error": {"message": "x", "code": 502}}]}
    )

    with pytest.raises(RateLimitError) as caught:
        read(limited)
    assert caught.value.wait == 20
    with pytest.raises(TransientError):
        read(broken)
    with pytest.raises(BadRequestError):
        read(sse({"error": {"message": "no", "type": "invalid_request_error"}}))


def call(index: object, identity: object, name: object, arguments: object) -> dict[str, Any]:
    return {
        "tool_calls": [{"index": index, "id": identity, "function": {"name": name, "arguments": arguments}}]
    }


@pytest.mark.parametrize(
    "deltas",
    [
        pytest.param([call(0, "a", "x", "{}"), call(0, "b", "y", "{}")], id="every call numbered 0"),
        pytest.param([call(0, "", "x", "{}"), call(0, "", "y", "{}")], id="numbered 0 and no ids"),
        pytest.param([call(None, "a", "x", "{}"), call(None, "b", "y", "{}")], id="no numbers"),
        pytest.param(
            [call(None, "a", "x", "{"), call(None, "a", "x", "}"), call("?", "b", "y", "{}")], id="repeats"
        ),
        pytest.param(
            [call(0, "a", "x", ""), call(0, "a", "x", "{}"), call(1, "b", "y", "{}")], id="doubled start"
        ),
        pytest.param(
            [call(3, None, "x", "{"), call(3, None, None, "}"), call(7, None, "y", "{}")], id="odd numbers"
        ),
        pytest.param([call(0, "a", "x", None), call(0, 5, [], "{}"), call(1, {}, "y", {})], id="wrong types"),
    ],
)
def test_calls_are_told_apart_however_they_are_numbered(deltas: list[dict[str, Any]]) -> None:
    chunks = read(stream(*deltas, finish="tool_calls"))

    assert calls_of(chunks) == [("x", "{}"), ("y", "{}")]
    assert chunks[-1] == Finish("tool_calls", None)


def test_half_a_surrogate_pair_never_reaches_the_reply() -> None:
    data = stream({"content": "a\ud83d"}, {"content": "\ud83d\ude00"})

    assert text_of(read(data)) == "a\ufffd😀"


def test_a_refusal_is_text_with_its_reason() -> None:
    assert read(stream({"refusal": "I will not"})) == [Text("I will not"), Finish("refused", None)]
    assert read(stream({"content": "x"}, finish="content_filter"))[-1] == Finish("refused", None)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("length", "length"), ("max_tokens", "length"), ("tool_calls", "stop"), ("???", "other")],
)
def test_reasons_to_stop_are_mapped(reason: str, expected: FinishReason) -> None:
    assert read(stream({"content": "x"}, finish=reason))[-1] == Finish(expected, None)


def test_usage_keeps_cached_tokens_apart_and_survives_nonsense() -> None:
    anthropic = {
        "prompt_tokens": 10,
        "cache_creation_input_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 5},
    }
    nonsense = {"prompt_tokens": -5, "completion_tokens": "7", "prompt_tokens_details": 3, "x": float("nan")}

    assert read_usage(anthropic) == Usage(input=1, cache_read=5, cache_write=4)
    assert read_usage(nonsense) == Usage()
    assert read_usage(None) is None


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(TransientError, match="too long"):
        read(b"x" * 9_000_000)
