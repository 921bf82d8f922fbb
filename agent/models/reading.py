"""Reads a streamed chat completion as providers really send it; pure over bytes, so that it can be fuzzed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from agent.models.failures import from_payload
from agent.models.loose import as_count, as_dict, as_list, as_text, parse
from agent.models.protocol import CallDelta, Chunk, Finish, FinishReason, Reasoning, Text, TransientError
from agent.models.sse import EventReader
from store.records import Usage

_REASONS: dict[str, FinishReason] = {
    "stop": "stop",
    "end_turn": "stop",
    "eos": "stop",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refused",
    "refusal": "refused",
}


class StreamReader:
    """The whole way from bytes to chunks for one reply: feed it, then call `end`.

    Both raise a `ModelError` when the stream carries an error or is broken; nothing else. An error that
    quotes `key` is told without it.
    """

    def __init__(self, model: str, key: str | None = None) -> None:
        self.done = False
        self._model = model
        self._events = EventReader()
        self._reply = ReplyReader(model, key)

    @property
    def finished(self) -> bool:
        """The reply is whole, though its usage may still be on the way."""
        return self.done or self._reply.finished

    def feed(self, data: bytes) -> list[Chunk]:
        try:
            return self._read(self._events.feed(data))
        except ValueError as error:
            raise TransientError(f"{self._model} sent a broken stream: {error}") from error

    def end(self) -> list[Chunk]:
        chunks = self._read(self._events.end())
        if not self._reply.started:
            chunks += self._read_stray()
        return [*chunks, self._reply.finish(done=self.done)]

    def _read(self, payloads: list[str]) -> list[Chunk]:
        chunks: list[Chunk] = []
        for payload in payloads:
            text = payload.strip()
            self.done = self.done or text == "[DONE]"
            # Keep-alives come as empty or nameless data; only an object can carry a piece of the reply.
            if text.startswith("{") and not self.done:
                chunks += self._reply.read(as_dict(self._parse(text)))
        return chunks

    def _parse(self, text: str) -> object:
        try:
            return parse(text)
        except ValueError as error:
            raise TransientError(f"{self._model} sent an event that is not JSON") from error

    def _read_stray(self) -> list[Chunk]:
        """Some servers ignore `stream` and answer with one JSON object."""
        try:
            return self._reply.read(as_dict(parse("\n".join(self._events.stray))))
        except ValueError:
            return []


@dataclass(slots=True)
class _Slot:
    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


class ReplyReader:
    """Turns parsed events of one reply into chunks; keeps what only the end of the stream can tell."""

    def __init__(self, model: str, key: str | None = None) -> None:
        self.started = False
        self._model = model
        self._key = key
        self._reason: FinishReason | None = None
        self._refused = False
        self._usage: Usage | None = None
        self._slots: list[_Slot] = []
        self._by_index: dict[int, _Slot] = {}

    @property
    def finished(self) -> bool:
        return self._reason is not None

    def read(self, event: Mapping[str, object]) -> list[Chunk]:
        if event.get("error"):
            raise from_payload(self._model, 200, event, key=self._key)
        self._usage = read_usage(event.get("usage")) or self._usage
        chunks: list[Chunk] = []
        for choice in map(as_dict, as_list(event.get("choices"))):
            # Only the first answer was asked for.
            if as_count(choice.get("index")) == 0:
                chunks += self._read_choice(choice)
        return chunks

    def finish(self, *, done: bool) -> Finish:
        """The last chunk; a stream that just stops is an error, whatever came before."""
        if self._reason is None and not (done and self.started):
            raise TransientError(f"the reply of {self._model} was cut off")
        reason = self._reason or "stop"
        if self._refused:
            reason = "refused"
        elif self._slots and reason in ("stop", "other"):
            reason = "tool_calls"
        elif not self._slots and reason == "tool_calls":
            reason = "stop"
        return Finish(reason, self._usage)

    def _read_choice(self, choice: Mapping[str, object]) -> list[Chunk]:
        if choice.get("error") or choice.get("finish_reason") == "error":
            raise from_payload(self._model, 200, choice, key=self._key)
        reason = as_text(choice.get("finish_reason"))
        if reason and self._reason is None:
            self._reason = _REASONS.get(reason, "other")
        delta = as_dict(choice.get("delta")) or as_dict(choice.get("message"))
        self.started = self.started or bool(delta) or bool(reason)
        chunks: list[Chunk] = []
        thought = _content(delta.get("reasoning_content")) or _content(delta.get("reasoning"))
        if thought:
            chunks.append(Reasoning(thought))
        refusal = as_text(delta.get("refusal"))
        self._refused = self._refused or bool(refusal)
        said = _content(delta.get("content")) + refusal
        if said:
            chunks.append(Text(said))
        chunks += [self._read_call(as_dict(item)) for item in as_list(delta.get("tool_calls"))]
        return chunks

    def _read_call(self, item: Mapping[str, object]) -> CallDelta:
        function = as_dict(item.get("function"))
        identity, name = as_text(item.get("id")), as_text(function.get("name"))
        arguments = _arguments(function.get("arguments"))
        slot = self._slot(item.get("index"), identity, name)
        # Some providers repeat id and name in every piece.
        fresh_id = "" if slot.id else identity
        fresh_name = "" if name == slot.name or slot.arguments else name
        slot.id += fresh_id
        slot.name += fresh_name
        slot.arguments += arguments
        return CallDelta(slot.index, fresh_id, fresh_name, arguments)

    def _slot(self, index: object, identity: str, name: str) -> _Slot:
        number = index if isinstance(index, int) else None
        known = self._unnumbered(identity, name) if number is None else self._by_index.get(number)
        if known is not None and not _starts_another(known, identity, name):
            return known
        slot = _Slot(len(self._slots))
        self._slots.append(slot)
        if number is not None:
            self._by_index[number] = slot
        return slot

    def _unnumbered(self, identity: str, name: str) -> _Slot | None:
        same = [slot for slot in self._slots if identity and slot.id == identity]
        if same:
            return same[-1]
        return None if identity or name or not self._slots else self._slots[-1]


def joined(chunks: Sequence[Chunk]) -> Iterator[Chunk]:
    """Text that came at once is handed on at once."""
    for kind, group in groupby(chunks, type):
        if kind is Text or kind is Reasoning:
            yield kind("".join(chunk.text for chunk in cast("Iterator[Text | Reasoning]", group)))
        else:
            yield from group


def read_usage(value: object) -> Usage | None:
    """Providers count what came from the cache into the prompt; `Usage` keeps the three apart."""
    fields = as_dict(value)
    if not fields:
        return None
    sent = as_dict(fields.get("prompt_tokens_details"))
    read = as_count(sent.get("cached_tokens")) or as_count(fields.get("prompt_cache_hit_tokens"))
    written = as_count(sent.get("cache_creation_tokens")) or as_count(sent.get("cache_write_tokens"))
    written = written or as_count(fields.get("cache_creation_input_tokens"))
    thought = as_count(as_dict(fields.get("completion_tokens_details")).get("reasoning_tokens"))
    return Usage(
        input=max(0, as_count(fields.get("prompt_tokens")) - read - written),
        output=as_count(fields.get("completion_tokens")),
        cache_read=read,
        cache_write=written,
        reasoning=thought,
    )


def _starts_another(known: _Slot, identity: str, name: str) -> bool:
    """Some servers number every call 0; a new id with a name, or a name after whole arguments, tells."""
    if not name or not known.name:
        return False
    if identity and known.id:
        return identity != known.id
    return not identity and _is_whole(known.arguments)


def _is_whole(arguments: str) -> bool:
    try:
        parse(arguments)
    except ValueError:
        return False
    return True


def _content(value: object) -> str:
    """Text, or the texts of a list of parts."""
    texts = [as_text(as_dict(part).get("text")) for part in as_list(value)]
    return "".join(texts) or as_text(value)


def _arguments(value: object) -> str:
    return json.dumps(value) if isinstance(value, dict) else as_text(value)
