"""A model that says what it was told to, in process: for tests and benchmarks of everything above it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from typing import Any

from agent.models.protocol import (
    BadRequestError,
    CallDelta,
    Chunk,
    Finish,
    FinishReason,
    ModelError,
    Reasoning,
    Request,
    Text,
)
from store.records import Usage

Answer = Sequence[Chunk | ModelError | asyncio.Event]
"""Chunks to give, an error to raise, or an event to wait for before going on."""


class Scripted:
    """Answers the n-th request with the n-th answer, or with what a function of the request says."""

    def __init__(self, script: Iterable[Answer] | Callable[[Request], Answer]) -> None:
        self.requests: list[Request] = []
        self.closed = 0
        self._answer = script if callable(script) else _in_order(script)

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        self.requests.append(request)
        try:
            for item in self._answer(request):
                if isinstance(item, ModelError):
                    raise item
                if isinstance(item, asyncio.Event):
                    await item.wait()
                    continue
                # What streams lets others run between two pieces, as a real one does.
                await asyncio.sleep(0)
                yield item
        finally:
            self.closed += 1

    async def close(self) -> None:
        pass


def said(
    text: str = "",
    *calls: tuple[str, Mapping[str, Any] | str],
    reasoning: str = "",
    usage: Usage | None = Usage(input=100, output=10),  # noqa: B008 - frozen
    finish: FinishReason | None = None,
) -> tuple[Chunk, ...]:
    """A whole answer: `said("on it", ("read", {"path": "a.py"}))`. Text as arguments stays as it is."""
    chunks: list[Chunk] = []
    if reasoning:
        chunks.append(Reasoning(reasoning))
    if text:
        chunks.append(Text(text))
    for index, (name, arguments) in enumerate(calls):
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        chunks.append(CallDelta(index, "", name, written))
    reason = finish or ("tool_calls" if calls else "stop")
    return (*chunks, Finish(reason, usage))


def _in_order(script: Iterable[Answer]) -> Callable[[Request], Answer]:
    answers = iter(script)
    over: Answer = (BadRequestError("the script has no more answers"),)
    return lambda _: next(answers, over)
