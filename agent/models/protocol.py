"""What the loop asks of a model: one streamed reply to one request, and errors it can act on."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, Literal, NotRequired, Protocol, TypedDict

from store.frozen import frozen
from store.records import Usage

FinishReason = Literal["stop", "tool_calls", "length", "refused", "other"]


class CalledFunction(TypedDict):
    name: str
    arguments: str


class ChatCall(TypedDict):
    id: str
    type: Literal["function"]
    function: CalledFunction


class ChatMessage(TypedDict):
    """The chat-completions form, which every transport here either speaks or is given by litellm.

    `content` is text, or a list of `{"type": "text" | "image_url", ...}` for images.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: NotRequired[str | list[dict[str, Any]] | None]
    tool_calls: NotRequired[list[ChatCall]]
    tool_call_id: NotRequired[str]


@frozen
class ToolSpec:
    name: str
    description: str
    parameters: dict[str, Any]


@frozen
class Request:
    """`messages` starts with the system message; the bytes sent are a pure function of this value."""

    model: str
    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output: int | None = None


@frozen
class Text:
    text: str


@frozen
class Reasoning:
    text: str


@frozen
class CallDelta:
    """A piece of a tool call; pieces with the same `index` belong together, `arguments` are appended."""

    index: int
    id: str
    name: str
    arguments: str


@frozen
class Finish:
    """Always the last chunk of a stream that ended well."""

    reason: FinishReason
    usage: Usage | None


Chunk = Text | Reasoning | CallDelta | Finish


class Model(Protocol):
    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Closing or cancelling the generator closes the provider's stream at once."""
        ...

    async def close(self) -> None: ...


class ModelError(Exception):
    """Says what happened, to which model, and what to do next. Never holds a key."""


class AuthError(ModelError):
    pass


class RateLimitError(ModelError):
    """`wait` is what the provider asked for in seconds; `final` when the quota itself is used up."""

    def __init__(self, message: str, *, wait: float | None = None, final: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.final = final


class ContextOverflowError(ModelError):
    pass


class TransientError(ModelError):
    """Worth another try: connection refused or cut, silence, 5xx. `wait` is what the provider asked for."""

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class RefusedError(ModelError):
    pass


class BadRequestError(ModelError):
    pass
