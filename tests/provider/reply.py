"""What the scripted provider answers: one description of a reply, its faults included, readable from JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Fault = Literal["", "cut", "reset", "silence", "malformed", "no-done", "no-finish"]

USAGE: dict[str, Any] = {
    "prompt_tokens": 100,
    "completion_tokens": 10,
    "total_tokens": 110,
    "prompt_tokens_details": {"cached_tokens": 40},
    "completion_tokens_details": {"reasoning_tokens": 3},
}


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. A `fault` strikes after `after` events, or after all of them when that is None.

    `error` with a `status` answers with a plain JSON body instead of a stream; `raw` sends these bytes
    as the body; `usage=None` leaves the usage event out; `piece` is the size of a delta in characters;
    `pause` is the time between two events in seconds.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    usage: Mapping[str, Any] | None = field(default_factory=lambda: USAGE)
    finish: str = ""
    piece: int = 16
    pause: float = 0.0
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    error: Mapping[str, Any] | None = None
    fault: Fault = ""
    after: int | None = None
    raw: bytes | None = None

    def payloads(self, model: str) -> list[dict[str, Any]]:
        """The events of the stream, without the `[DONE]` that ends it."""
        finish = self.finish or ("tool_calls" if self.calls else "stop")
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        deltas += [{"reasoning_content": piece} for piece in _pieces(self.reasoning, self.piece)]
        deltas += [{"content": piece} for piece in _pieces(self.text, self.piece)]
        for index, call in enumerate(self.calls):
            deltas += _call_deltas(index, call, self.piece)
        events = [_event(model, [{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas]
        if self.fault != "no-finish":
            events.append(_event(model, [{"index": 0, "delta": {}, "finish_reason": finish}]))
        if self.usage is not None:
            events.append(_event(model, []) | {"usage": dict(self.usage)})
        return events


def from_json(value: Mapping[str, Any]) -> Reply:
    """A reply of a script file; the field names are those of `Reply`, `raw` is text."""
    calls = tuple(Call(**call) for call in value.get("calls", ()))
    reply = Reply(**{name: item for name, item in value.items() if name not in ("calls", "raw")})
    raw = value.get("raw")
    return replace(reply, calls=calls, raw=raw.encode() if isinstance(raw, str) else None)


def rate_limited(retry_after: str | None = "1") -> Reply:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return _refusal(429, "rate_limit_exceeded", "Rate limit reached for requests", headers)


def quota() -> Reply:
    return _refusal(429, "insufficient_quota", "You exceeded your current quota, please check your plan")


def overflow() -> Reply:
    message = "This model's maximum context length is 8192 tokens, your messages have 9000 tokens"
    return _refusal(400, "context_length_exceeded", message)


def unauthorized(key: str = "sk-1234") -> Reply:
    return _refusal(401, "invalid_api_key", f"Incorrect API key provided: {key}")


def unavailable(status: int = 503, retry_after: str | None = None) -> Reply:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return _refusal(status, "server_error", "The server is overloaded", headers)


def bad_request(message: str) -> Reply:
    return _refusal(400, "invalid_request_error", message)


def _refusal(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    error = {"message": message, "type": code, "param": None, "code": code}
    return Reply(status=status, error=error, headers=headers or {})


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def _call_deltas(index: int, call: Call, size: int) -> list[dict[str, Any]]:
    first = {
        "index": index,
        "id": call.id or f"call_{index}",
        "type": "function",
        "function": {"name": call.name, "arguments": ""},
    }
    rest = [{"index": index, "function": {"arguments": piece}} for piece in _pieces(call.arguments, size)]
    return [{"tool_calls": [item]} for item in (first, *rest)]


def _event(model: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": model,
        "choices": choices,
    }


def sse(payload: Mapping[str, Any] | str) -> bytes:
    text = payload if isinstance(payload, str) else json.dumps(payload)
    return f"data: {text}\n\n".encode()
