"""Runs one turn at a time so that it can be cut off, and remembers how it ended."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Literal

from agent import turn_failure
from agent.events import Event, Failed
from agent.limits import Limit, LimitReachedError
from agent.loop import Ending as LoopEnding
from agent.loop import Turn, run_turn
from agent.models.protocol import ModelError, RefusedError
from agent.turn_failure import TurnFailure
from store.errors import StoreError

Ending = LoopEnding | Literal["limit", "failed", "interrupted"]


class TurnRunner:
    """`error` is what stopped the last turn in words, `limit` the limit that did.

    `failure` is what is stored of a model's failure.
    """

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self.ending: Ending | None = None
        self.limit: Limit | None = None
        self.error: str | None = None
        self.failure: TurnFailure | None = None
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
        self.ending = self.limit = self.error = self.failure = None

    def remember(self, ending: Ending, failure: TurnFailure | None) -> None:
        """How the last turn of an earlier process ended."""
        self.ending, self.failure = ending, failure
        self.error = str(failure) if failure else None

    async def run(self, turn: Turn) -> Ending:
        """Cancelling this ends the turn and passes on; cutting it off only ends the turn."""
        self.forget()
        self._task = asyncio.create_task(run_turn(turn), name="turn")
        try:
            self.ending = await self._watched(self._task, turn.name)
        finally:
            self._task = None
        return self.ending

    async def _watched(self, task: asyncio.Task[LoopEnding], model: str) -> Ending:
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
            self._tell(_read(error.limit, str(error)))
            return "limit"
        except (ModelError, StoreError) as error:
            failure = _read(_code(error), str(error))
            # A store that fails cannot keep its own failure.
            self.failure = failure if isinstance(error, ModelError) else None
            self._tell(failure)
            return "refused" if isinstance(error, RefusedError) else "failed"
        match ending:
            case "steps":
                self.limit = "steps"
            case "refused":
                self._tell(turn_failure.refused(model))
            case "empty":
                self._tell(turn_failure.empty(model))
            case "length":
                # What was said counts, and open work goes on.
                self._emit_failure(turn_failure.cut(model))
            case _:
                pass
        return ending

    def _tell(self, failure: TurnFailure) -> None:
        self.error = str(failure)
        self._emit_failure(failure)

    def _emit_failure(self, failure: TurnFailure) -> None:
        self._emit(Failed(failure.code, failure.message, failure.hint))


def _read(code: str, text: str) -> TurnFailure:
    message, _, hint = text.partition("; ")
    return TurnFailure(code, message, hint)


def _being_cancelled() -> bool:
    """Whether the task that runs the session is to end, rather than the turn it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _code(error: Exception) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()
