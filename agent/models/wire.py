"""The JSON lines between us and the model host: chunks, errors and requests as plain objects and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from agent.models.loose import as_count, as_dict, as_text
from agent.models.protocol import (
    AuthError,
    BadRequestError,
    CallDelta,
    Chunk,
    ContextOverflowError,
    Finish,
    ModelError,
    RateLimitError,
    Reasoning,
    RefusedError,
    Request,
    Text,
    ToolSpec,
    TransientError,
)
from store.records import Usage

LONGEST_LINE = 2**28

_ERRORS: dict[str, type[ModelError]] = {
    kind.__name__: kind
    for kind in (
        AuthError,
        BadRequestError,
        ContextOverflowError,
        RateLimitError,
        RefusedError,
        TransientError,
        ModelError,
    )
}


def from_request(request: Request) -> dict[str, Any]:
    return asdict(request)


def to_request(value: Mapping[str, Any]) -> Request:
    tools = tuple(ToolSpec(**tool) for tool in value["tools"])
    return Request(value["model"], tuple(value["messages"]), tools, value["max_output"])


def from_chunk(chunk: Chunk) -> dict[str, Any]:
    return {"kind": type(chunk).__name__, **asdict(chunk)}


def from_error(error: ModelError) -> dict[str, Any]:
    waits = isinstance(error, RateLimitError | TransientError)
    return {
        "kind": type(error).__name__,
        "message": str(error),
        "wait": error.wait if waits else None,
        "final": isinstance(error, RateLimitError) and error.final,
    }


def to_chunk(value: Mapping[str, Any]) -> Chunk:
    """Raises the error when that is what the line carries."""
    match value["kind"]:
        case "Text":
            return Text(value["text"])
        case "Reasoning":
            return Reasoning(value["text"])
        case "CallDelta":
            return CallDelta(value["index"], value["id"], value["name"], value["arguments"])
        case "Finish":
            usage = as_dict(value["usage"])
            counts = {name: as_count(count) for name, count in usage.items()}
            return Finish(value["reason"], Usage(**counts) if usage else None)
        case kind:
            raise _to_error(kind, value)


def _to_error(kind: str, value: Mapping[str, Any]) -> ModelError:
    message, wait = as_text(value.get("message")), value.get("wait")
    if kind == "RateLimitError":
        return RateLimitError(message, wait=wait, final=bool(value.get("final")))
    if kind == "TransientError":
        return TransientError(message, wait=wait)
    return _ERRORS.get(kind, ModelError)(message)
