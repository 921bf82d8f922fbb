"""The turn: ask the model, run what it calls for, and again, until it has nothing more to call."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from random import Random
from typing import Literal

from agent import turn_failure
from agent.calls import Toolbox, run_calls
from agent.context import sizes
from agent.context.keeper import ContextKeeper
from agent.events import Event, Notice, ReasoningDelta, RetryWaiting, StepStarted, TextDelta, UsageUpdated
from agent.guard import RepeatGuard
from agent.journal import Journal
from agent.models.assemble import Call, assemble
from agent.models.catalog import Entry
from agent.models.protocol import (
    CallDelta,
    ChatMessage,
    ContextOverflowError,
    Finish,
    FinishReason,
    Model,
    ModelError,
    Reasoning,
    Request,
    Text,
    ToolSpec,
    TransientError,
)
from agent.models.retry import delay
from agent.models.spoken import extract
from store.frozen import frozen
from store.records import Part, Usage

Ending = Literal["done", "refused", "length", "empty", "steps", "repeating"]


@frozen
class Turn:
    """Everything one turn needs.

    `prepare` runs before each request and may end the turn by raising; `spoken` carries out commands that
    a reply wrote as text, and says whether there were any; `tail` ends every request and is not stored.
    """

    model: Model
    name: str
    entry: Entry
    context: ContextKeeper
    specs: Callable[[], tuple[ToolSpec, ...]]
    box: Toolbox
    journal: Journal
    max_steps: int
    prepare: Callable[[int], Awaitable[None]]
    may_repeat: Callable[[str], Awaitable[bool]]
    spoken: Callable[[str], Awaitable[bool]]
    tail: Callable[[], Awaitable[str | None]]
    emit: Callable[[Event], None]
    random: Random


@frozen
class Reply:
    calls: tuple[Call, ...]
    parts: tuple[Part, ...]
    finish: FinishReason


async def run_turn(turn: Turn) -> Ending:
    guard = RepeatGuard()
    for step in range(1, turn.max_steps + 1):
        await turn.prepare(step)
        await turn.context.fit()
        reply = await respond(turn, step)
        if not reply.calls:
            if await turn.spoken(turn.journal.messages[-1].text):
                continue
            return _ending(turn, reply.finish, step)
        if circling := _circling(guard, reply.calls):
            if not await turn.may_repeat(circling):
                await turn.journal.abandon("repeating")
                return "repeating"
            guard.reset()
        await run_calls(turn.box, reply.calls, reply.parts)
        await turn.spoken(turn.journal.messages[-1].text)
    return "steps"


async def respond(turn: Turn, step: int) -> Reply:
    """One reply; what the provider finds too long is made shorter and asked again."""
    while True:
        try:
            return await _replied(turn, step)
        except ContextOverflowError as error:
            await turn.context.relieve(error)


async def _replied(turn: Turn, step: int) -> Reply:
    """One reply to one request, with as many tries as the error is worth."""
    message = await turn.journal.begin_reply()
    turn.emit(StepStarted(message.id, step))
    attempt = 0
    while True:
        attempt += 1
        try:
            return await _streamed(turn)
        except ModelError as error:
            wait = delay(error, attempt, turn.random)
            if wait is None:
                raise
            # What to do about it is for those who get no other try.
            reason = str(error).partition("; ")[0]
            await turn.journal.start_over(reason)
            turn.emit(RetryWaiting(attempt, wait, reason, message.id))
        await asyncio.sleep(wait)


async def _streamed(turn: Turn) -> Reply:
    messages = turn.context.prompt()
    if tail := await turn.tail():
        last: ChatMessage = {"role": "user", "content": tail}
        messages = (*messages, last)
    request = Request(turn.name, messages, turn.specs(), turn.entry.max_output)
    deltas: list[CallDelta] = []
    finish: Finish | None = None
    async with aclosing(turn.model.stream(request)) as chunks:
        async for chunk in chunks:
            match chunk:
                case Text(text):
                    part = await turn.journal.stream("text", text)
                    turn.emit(TextDelta(part.message_id, part.id, text))
                case Reasoning(text):
                    part = await turn.journal.stream("reasoning", text)
                    turn.emit(ReasoningDelta(part.message_id, part.id, text))
                case CallDelta():
                    deltas.append(chunk)
                case Finish():
                    finish = chunk
    if finish is None:
        raise TransientError(f"{turn.name} ended its reply without saying so")
    return await _concluded(turn, request, deltas, finish)


async def _concluded(turn: Turn, request: Request, deltas: Sequence[CallDelta], finish: Finish) -> Reply:
    calls = assemble(deltas, turn.journal.call_ids)
    if not calls and turn.specs():
        calls = await _spoken(turn)
    usage = finish.usage or _estimate(request, turn.journal.growing_text)
    turn.context.measure(usage)
    cost = turn.entry.cost(usage)
    _, parts = await turn.journal.conclude(calls, usage=usage, cost=cost or 0.0, finish=finish.reason)
    turn.emit(UsageUpdated(usage, cost, turn.context.size, turn.entry.context))
    return Reply(calls, parts, finish.reason)


async def _spoken(turn: Turn) -> tuple[Call, ...]:
    """Small local models write their calls as text; what was a call is no longer text."""
    text = turn.journal.growing_text
    remaining, found = extract(text, [spec.name for spec in turn.specs()])
    if found:
        await turn.journal.rewrite(remaining)
    deltas = [CallDelta(index, "", call.name, call.arguments) for index, call in enumerate(found)]
    return assemble(deltas, turn.journal.call_ids)


def _circling(guard: RepeatGuard, calls: Sequence[Call]) -> str | None:
    tripped = [call.name for call in calls if guard.trips(call.name, call.arguments)]
    return tripped[0] if tripped else None


def _ending(turn: Turn, finish: FinishReason, step: int) -> Ending:
    if finish in ("refused", "length"):
        return finish
    if turn_failure.is_empty(turn.journal.messages[-1]):
        if step == 1:
            return "empty"
        turn.emit(Notice("info", turn_failure.WITHOUT_REPLY))
    return "done"


def _estimate(request: Request, text: str) -> Usage:
    """Providers that give no usage still have to count against the budget."""
    sent = sizes.of_chat(request.messages) + sizes.of_tools(request.tools)
    return Usage(input=sent, output=sizes.tokens(text) + 1)
