"""Fuzzed model streams: each ends in chunks or a typed error, and what was read can be sent back."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

from agent.context.history import to_chat
from agent.models.assemble import assemble
from agent.models.body import encode
from agent.models.protocol import CallDelta, Chunk, Finish, ModelError, Reasoning, Request, Text
from agent.models.reading import StreamReader
from store.records import Message, Part, Usage
from tests.provider.reply import Call, Reply, sse
from tests.provider.strict import complaint

NAME = "fuzzed model streams"
STREAMS = 10_000
WORDS = (
    "plain ",
    "ünï ",
    "日本語 ",
    "👩\u200d💻 ",
    "\u202e",
    "\x00",
    "\n\n",
    "data: ",
    "[DONE]",
    '{"',
    "```",
)
ARGUMENTS = ('{"path": "ü"}', "{}", "", '{"a": ', "[1]", '"{}"', "null", '{"deep": ' + "[" * 2000)
ODD: tuple[Any, ...] = (None, True, -1, 0, 1e308, 10**30, "", "x", "\ud800", [], [None], {}, {"text": 5})

Events = list[Any]
Mutation = Callable[[Random, Events], Events]


def run(scale: float, seed: int) -> str:
    """Raises AssertionError, with the seed of the one stream, when anything but chunks or an error comes."""
    count = max(1, round(STREAMS * scale))
    random = Random(seed)
    whole = failed = 0
    for _ in range(count):
        one = random.getrandbits(64)
        try:
            ended_well = check(Random(one))
        except Exception as error:
            raise AssertionError(f"stream of seed {one} (run seed {seed}): {error!r}") from error
        whole += ended_well
        failed += not ended_well
    assert whole, "no fuzzed stream could be read at all"
    assert failed or count < 100, "no fuzzed stream was broken enough"
    return f"{count} streams: 0 crashes, 0 invalid follow-up requests ({whole} whole, {failed} typed errors)"


def check(random: Random) -> bool:
    """Reads one fuzzed stream; true when it ended in a whole reply."""
    chunks, error = _read(random, fuzzed_bytes(random))
    finishes = [chunk for chunk in chunks if isinstance(chunk, Finish)]
    if error is None:
        assert len(finishes) == 1, "a whole reply ends in one finish"
        assert chunks[-1] is finishes[0], "the finish is the last chunk"
    else:
        assert not finishes, "an error after the finish"
    _check_follow_up(chunks)
    return error is None


def _read(random: Random, data: bytes) -> tuple[list[Chunk], ModelError | None]:
    reader = StreamReader("fuzzed")
    chunks: list[Chunk] = []
    at = 0
    try:
        while at < len(data):
            size = random.choice((1, 2, 3, 50, 1000, len(data)))
            chunks += reader.feed(data[at : at + size])
            at += size
        chunks += reader.end()
    except ModelError as error:
        return chunks, error
    return chunks, None


def _check_follow_up(chunks: list[Chunk]) -> None:
    calls = assemble((chunk for chunk in chunks if isinstance(chunk, CallDelta)), taken={"call_0"})
    text = "".join(chunk.text for chunk in chunks if isinstance(chunk, Text | Reasoning))
    said = Part(1, 2, "text", text=text)
    called = [
        Part(
            2,
            2,
            "tool",
            call_id=call.id,
            tool=call.name,
            status="completed",
            input=call.arguments,
            output="ok",
        )
        for call in calls
    ]
    history = (
        Message(1, "S", "user", "human", "", "", Usage(), 0.0, None, 1, 1, (Part(0, 1, "text", text="go"),)),
        Message(2, "S", "assistant", "agent", "", "", Usage(), 0.0, "stop", 1, 1, (said, *called)),
    )
    body = json.loads(encode(Request("fuzzed", to_chat("system", history)), "fuzzed"))
    found = complaint(body)
    assert found is None, found
    text.encode()


def fuzzed_bytes(random: Random) -> bytes:
    events: Events = [*_reply(random).payloads("fuzzed"), "[DONE]"]
    for mutation in random.choices(MUTATIONS, k=random.randrange(4)):
        events = mutation(random, events)
    separator = random.choice((b"\n", b"\r\n")) * random.choice((1, 2, 2, 2))
    lines = [sse(_text(event)).rstrip(b"\n") + separator for event in events]
    data = b"".join(lines)
    for damage in random.choices(DAMAGES, k=random.choice((0, 0, 1, 2))):
        data = damage(random, data)
    return data


def _reply(random: Random) -> Reply:
    names = ("read", "", "no such", "n" * 99)
    calls = [
        Call(random.choice(names), random.choice(ARGUMENTS), random.choice(("", "same", f"id{at}")))
        for at in range(random.randrange(4))
    ]
    words = "".join(random.choices(WORDS, k=random.randrange(12)))
    finish = random.choice(("", "", "stop", "length", "content_filter", "error", "odd"))
    return Reply(
        text=words, reasoning=words[::2], calls=tuple(calls), finish=finish, piece=random.randint(1, 9)
    )


def _text(event: object) -> str:
    return event if isinstance(event, str) else json.dumps(event)


def _cut(random: Random, events: Events) -> Events:
    return events[: random.randrange(len(events) + 1)]


def _double(random: Random, events: Events) -> Events:
    return [same for event in events for same in [event] * random.choice((1, 1, 1, 2))]


def _reorder(random: Random, events: Events) -> Events:
    return random.sample(events, len(events))


def _without_end(random: Random, events: Events) -> Events:
    return [event for event in events if event != "[DONE]"]


def _insert(random: Random, events: Events) -> Events:
    at = random.randrange(len(events) + 1)
    odd = random.choice(
        ("", "null", "[]", "{", "5", '"x"', "{}", '{"error": null}', '{"choices": null}', "ping")
    )
    return [*events[:at], odd, *events[at:]]


def _error(random: Random, events: Events) -> Events:
    return [*events, {"error": random.choice((*ODD, {"code": 429, "message": "slow"}, "overloaded"))}]


def _wrong_type(random: Random, events: Events) -> Events:
    """Puts something odd at a random place inside some events, ids, names and numbers included."""
    changed = copy.deepcopy(events)
    for event in random.sample(changed, len(changed) // 2):
        if isinstance(event, dict):
            _spoil(random, event)
    return changed


def _spoil(random: Random, value: Any) -> None:
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))  # pyright: ignore[reportUnknownArgumentType] - any JSON
    if not keys:
        return
    key = random.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and random.random() < 0.8:
        _spoil(random, value[key])
    else:
        value[key] = copy.deepcopy(random.choice(ODD))


def _cut_bytes(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _flip(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(min(len(changed), random.randint(1, 8))):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _swap(random: Random, data: bytes) -> bytes:
    first, second = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return data[second:] + data[first:second] + data[:first]


def _bom(random: Random, data: bytes) -> bytes:
    return random.choice((b"\xef\xbb\xbf", b": hello\n\n", b"event: x\r", b"\xff")) + data


MUTATIONS: tuple[Mutation, ...] = (
    _cut,
    _double,
    _reorder,
    _without_end,
    _insert,
    _error,
    _wrong_type,
    _wrong_type,
)
DAMAGES = (_cut_bytes, _flip, _swap, _bom)
