"""What the model tests share: a small request and ways to read a whole reply."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from agent.models.assemble import Call, assemble
from agent.models.protocol import (
    CallDelta,
    ChatMessage,
    Chunk,
    Finish,
    Model,
    Reasoning,
    Request,
    Text,
    ToolSpec,
)

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = (ToolSpec("read", "Read a file.", SCHEMA), ToolSpec("grep", "Search files.", SCHEMA))
SYSTEM: ChatMessage = {"role": "system", "content": "You are terse."}


def request(
    *messages: ChatMessage, tools: tuple[ToolSpec, ...] = TOOLS, model: str = "openai/scripted"
) -> Request:
    return Request(model, (SYSTEM, *(messages or (user("hello"),))), tools)


def user(text: str) -> ChatMessage:
    return {"role": "user", "content": text}


async def ask(model: Model, asked: Request | None = None) -> list[Chunk]:
    async with aclosing(model.stream(asked or request())) as stream:
        return [chunk async for chunk in stream]


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Text))


def reasoning_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, Reasoning))


def calls_of(chunks: list[Chunk]) -> tuple[Call, ...]:
    return assemble(chunk for chunk in chunks if isinstance(chunk, CallDelta))


def finish_of(chunks: list[Chunk]) -> Finish:
    assert isinstance(chunks[-1], Finish)
    return chunks[-1]
