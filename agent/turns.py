"""Runs one turn at a time so that it can be cut off, and remembers how it ended."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Literal

from agent.events import Event, Failed
from agent.limits import Limit, LimitReachedError
from agent.loop import Ending as LoopEnding
from agent.loop import Turn, run_turn
from agent.models.protocol import ModelError, RefusedError
from store.errors import StoreError

Ending = LoopEnding | Literal["limit", "failed", "interrupted"]


class TurnRunner:
    """`error` is what stopped the last turn in words, `limit` the limit that did."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self.ending: Ending | None = None
        self.limit: Limit | None = None
        self.error: str | None = None
        self._emit = emit
        self._task: asyncio.Task[LoopEnding] | None = None

    @property
    def busy(self) -> bool:
        return self._task is not None

    def cut_off(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def forget(self) -> None:
        """How the last turn ended no longer matters."""
        self.ending = self.limit = self.error = None

    async def run(self, turn: Turn) -> Ending:
        """Cancelling this ends the turn and passes on; cutting it off only ends the turn."""
        self.forget()
        self._task = asyncio.create_task(run_turn(turn), name="turn")
        try:
            self.ending = await self._watched(self._task)
        finally:
            self._task = None
        return self.ending

    async def _watched(self, task: asyncio.Task[LoopEnding]) -> Ending:
        try:
            ending = await asyncio.shield(task)
        except asyncio.CancelledError:
            if not _being_cancelled():
                return "interrupted"
            task.cancel()
            await asyncio.wait([task])
            raise
        except LimitReachedError as error:
            self.limit = error.limit
            self._fail(error.limit, str(error))
            return "limit"
        except (ModelError, StoreError) as error:
            self._fail(_code(error), str(error))
            return "refused" if isinstance(error, RefusedError) else "failed"
        if ending == "steps":
            self.limit = "steps"
        return ending

    def _fail(self, code: str, text: str) -> None:
        self.error = text
        message, _, hint = text.partition("; ")
        self._emit(Failed(code, message, hint))


def _being_cancelled() -> bool:
    """Whether the task that runs the session is to end, rather than the turn it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _code(error: Exception) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()
