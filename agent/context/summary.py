"""Has a model write the summary: two tries at most, the request trimmed to what it can read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from random import Random

from agent.context import sizes
from agent.context.pages import page
from agent.context.trimming import trimmed, without_pictures
from agent.models.catalog import Entry
from agent.models.protocol import (
    ChatMessage,
    ContextOverflowError,
    Finish,
    Model,
    ModelError,
    Request,
    Text,
    ToolSpec,
)
from agent.models.retry import delay
from store.frozen import frozen
from store.records import Usage

TRIES = 2
# Nobody waits long for a summary when one can be made without a model.
_LONGEST_WAIT = 10.0
# Tokens a summary may take at least, however small the model.
_SHORTEST_LIMIT = 1_024


@frozen
class Scribe:
    """A model that can be asked to summarise."""

    model: Model
    name: str
    entry: Entry


@frozen
class Written:
    """`text` is empty when nobody wrote one; `problem` then says how the last try failed, if there was one.

    `name` is that of the model, `usage` and `cost` are of all tries.
    """

    text: str
    name: str
    usage: Usage
    cost: float
    problem: str = ""


NOTHING = Written("", "", Usage(), 0.0)


async def write_summary(
    messages: Sequence[ChatMessage],
    specs: tuple[ToolSpec, ...],
    scribes: Sequence[Scribe],
    *,
    focus: str,
    scale: float,
    random: Random,
) -> Written:
    """`scribes` are asked in turn; `scale` is how many tokens one of our estimate is to the provider.

    The conversation comes first and the wish last, so that a provider finds it in its cache.
    """
    asked = (*messages, _wish(focus))
    so_far, refused = NOTHING, False
    for attempt in range(1, TRIES + 1):
        scribe = scribes[min(attempt, len(scribes)) - 1]
        request = _request(scribe, asked, specs, scale, refused=refused)
        try:
            text, used = await _answer(scribe, request)
        except ModelError as error:
            refused = isinstance(error, ContextOverflowError)
            so_far = replace(so_far, problem=str(error))
            wait = 0.0 if refused else delay(error, attempt, random)
            if attempt == TRIES or (wait is None and len(scribes) == 1):
                break
            await asyncio.sleep(min(wait or 0.0, _LONGEST_WAIT))
            continue
        cost = scribe.entry.cost(used) or 0.0
        so_far = Written(text, scribe.name, so_far.usage + used, so_far.cost + cost)
        if text:
            break
        so_far = replace(so_far, problem=f"{scribe.name} wrote no summary")
    return so_far


def _request(
    scribe: Scribe,
    asked: Sequence[ChatMessage],
    specs: tuple[ToolSpec, ...],
    scale: float,
    *,
    refused: bool,
) -> Request:
    """What is too large is trimmed to nine tenths of the budget, and to half of that when it was refused.

    A summary is shorter than other replies, and what it leaves to the conversation need not be trimmed.
    """
    entry = scribe.entry
    if not entry.pictures:
        asked = [without_pictures(message) for message in asked]
    longest = min(entry.max_output, max(_SHORTEST_LIMIT, entry.context // 16))
    tools = sizes.of_tools(specs)
    size = sizes.of_chat(asked) + tools
    budget = (entry.context - longest) / scale
    if size > budget or refused:
        budget = min(size, budget) * (0.45 if refused else 0.9)
    return Request(scribe.name, trimmed(asked, int(budget) - tools), specs, longest)


def _wish(focus: str) -> ChatMessage:
    parts = [page("request"), *([page("focus").format(focus=focus)] if focus else [])]
    return {"role": "user", "content": "\n\n".join(parts)}


async def _answer(scribe: Scribe, request: Request) -> tuple[str, Usage]:
    pieces: list[str] = []
    used: Usage | None = None
    async with aclosing(scribe.model.stream(request)) as chunks:
        async for chunk in chunks:
            match chunk:
                case Text(text):
                    pieces.append(text)
                case Finish(_, usage):
                    used = usage
                case _:
                    pass
    text = "".join(pieces).strip()
    return text, used or Usage(sizes.of_chat(request.messages), sizes.tokens(text))
