"""The built-in model for those without a key: fixed rules that plan, use the tools, and say so."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator

from agent.models.protocol import CallDelta, Chunk, Finish, Request, Text
from store.records import Usage


class Offline:
    """A pure function of the request. `pace` is the time between two words in seconds, for demonstrations."""

    def __init__(self, *, pace: float = 0.0) -> None:
        self._pace = pace

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        # Rules for every kind of request, of which a window that is only open has no need.
        from agent.models.planner.dialects import SPOKEN
        from agent.models.planner.drive import next_move

        move = next_move(request)
        spoken = [str(ask.arguments["line"]) for ask in move.asks if ask.tool == SPOKEN]
        calls = [ask for ask in move.asks if ask.tool != SPOKEN]
        for piece in re.findall(r"\s*\S+\s*", move.text + "\n".join(spoken)):
            await asyncio.sleep(self._pace)
            yield Text(piece)
        for index, ask in enumerate(calls):
            yield CallDelta(index, "", ask.tool, json.dumps(ask.arguments, ensure_ascii=False))
        yield Finish("tool_calls" if calls else "stop", Usage())

    async def close(self) -> None:
        pass
