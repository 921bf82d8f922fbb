"""What a tool turn costs beside the tool: from the last byte of a reply to the next request."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from statistics import median

from agent.models.direct import Direct, Endpoint
from agent.models.protocol import Chunk, Request
from agent.opening import Opening, open_session
from agent.paths import Paths
from bench.provider import Served, serving
from bench.row import Row

NAME = "overhead of a tool turn"
BUDGET = 15.0
TURNS = 300
# What the last turns may cost beside the first; two halves of the same work scatter by a fifth here.
FLAT = 1.3


def measure() -> Row:
    calls = [
        {"text": f"step {n}", "calls": [{"name": "read", "arguments": json.dumps({"path": f"{n % 7}.txt"})}]}
        for n in range(TURNS)
    ]
    with serving([*calls, {"text": "done"}]) as served:
        spent = asyncio.run(_run(served))
    wall = [
        (after["at"] - before["answered"]) * 1000
        for before, after in zip(served.requests, served.requests[1:], strict=False)
    ]
    cpu = sorted(spent)
    early, late = median(spent[:50]), median(spent[-50:])
    return Row(
        value=median(spent),
        unit="ms CPU",
        budget=BUDGET,
        spread=(cpu[len(cpu) // 4], cpu[-1 - len(cpu) // 4]),
        detail=f"wall {median(wall):.1f} ms; first 50 of {TURNS} {early:.1f}, last 50 {late:.1f} ms CPU",
        holds=late <= early * FLAT,
    )


class _Clocked:
    """A model that notes the CPU used between the end of one reply and the next request."""

    def __init__(self, model: Direct) -> None:
        self._model = model
        self._ended: float | None = None
        self.spent: list[float] = []

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        if self._ended is not None:
            self.spent.append((time.process_time() - self._ended) * 1000)
        async with aclosing(self._model.stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk
        self._ended = time.process_time()

    async def close(self) -> None:
        await self._model.close()


async def _run(served: Served) -> list[float]:
    project = served.home / "project"
    project.mkdir()
    for number in range(7):
        (project / f"{number}.txt").write_text(f"line {number}\n" * 40)
    environment = served.environment()
    model = _Clocked(Direct(Endpoint(served.url, "bench", "openai/")))
    opening = Opening(
        Paths.from_environment(environment),
        environment,
        project,
        attended=False,
        model=model,
        model_name="openai/scripted",
        max_steps=TURNS + 1,
    )
    async with open_session(opening) as opened:
        await opened.session.send("read them")
        await opened.session.run(until_idle=True)
    return model.spent
