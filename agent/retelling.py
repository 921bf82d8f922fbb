"""Tells of stored messages with the events that the process which wrote them had told of at the time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from agent.context.compaction import mark_of
from agent.events import (
    ContextCompacted,
    Event,
    Failed,
    MessageAdded,
    Notice,
    ReasoningDelta,
    RetryWaiting,
    SessionRewound,
    SessionStateChanged,
    StepStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    UsageUpdated,
    WakeStarted,
)
from agent.models import catalog
from agent.money import all_priced, known_cost
from agent.tools.registry import title_of
from agent.turn_failure import WITHOUT_REPLY, from_part, is_empty, of_message
from store.records import Change, Message, Part, Session


class Retelling:
    """Knows what was told of each part, and tells the rest; what a tool prints comes when it has ended."""

    def __init__(self, record: Session, *, max_wakes: int = 0) -> None:
        self._record = record
        self._max_wakes = max_wakes
        self._told: dict[int, str] = {}
        self._parts: dict[int, str] = {}
        self._asked: Message | None = None
        self._steps = 0
        self._turn = False
        self._before = record
        # Wakes that were told of; the record counts one before its message is there.
        self._wakes = record.wakes
        self._counted = record.wakes

    def know(self, messages: Iterable[Message]) -> None:
        """These are on the screen already."""
        for message in messages:
            self._told[message.id] = "ended"
            self._parts |= {part.id: _mark(part) for part in message.parts}
            if message.role == "user":
                self._asked = message

    def message(self, message: Message, wakes: int | None = None) -> Iterator[Event]:
        """Whatever of it was not told yet. `wakes` is the stored count at the time of reading."""
        if wakes is not None:
            self._counted = wakes
        known = self._told.get(message.id)
        if known is None:
            yield from self._added(message)
        self._told.setdefault(message.id, "added")
        if message.role == "assistant":
            for part in message.parts:
                yield from self._part(part)
            # A reply that broke off was never counted.
            if message.finish is not None and known != "ended" and message.usage.total:
                entry = catalog.look_up(message.model)
                cost = known_cost(message.cost, priced=entry.prices is not None)
                yield UsageUpdated(message.usage, cost, message.usage.total, entry.context)
            if message.finish is not None and known != "ended":
                yield from self._failed(message)
        if message.role == "user" or message.finish is not None:
            self._told[message.id] = "ended"

    def _next_wake(self) -> int:
        """Several wakes may come at once, and a command may have started the count anew."""
        self._wakes = max(1, min(self._wakes + 1, self._counted))
        return self._wakes

    def _failed(self, message: Message) -> Iterator[Event]:
        """What is wrong with the reply as a whole; a failure that is stored as a part is told as one."""
        failure = of_message(message, after_calls=self._steps > 1)
        if failure and not any(map(from_part, message.parts)):
            yield Failed(failure.code, failure.message, failure.hint)
        elif message.finish == "stop" and is_empty(message):
            yield Notice("info", WITHOUT_REPLY)

    def state(self, record: Session, ending: str = "done") -> Iterator[Event]:
        """`ending` is how the newest reply ended, which is how its turn did."""
        before, self._record = self._record, record
        if (record.state, record.reason) == (before.state, before.reason):
            return
        if self._turn and record.state in ("idle", "dormant"):
            self._turn = False
            spent = record.usage - self._before.usage
            cost = known_cost(record.cost - self._before.cost, priced=all_priced([record.model]))
            yield TurnEnded(ending, spent, cost)
        cause = "failed" if ending in ("failed", "refused") else ""
        yield SessionStateChanged(record.state, record.reason, record.wakes, self._max_wakes, cause=cause)

    def _added(self, message: Message) -> Iterator[Event]:
        if message.role == "user":
            if message.origin == "wake":
                yield WakeStarted(self._next_wake(), self._max_wakes)
            if message.origin == "human":
                self._wakes = 0
            if message.origin != "todos":
                self._asked = message
            yield MessageAdded(message, message.role)
            if mark := mark_of(message):
                limit = catalog.look_up(self._record.model).context
                yield ContextCompacted(message.id, mark.before, mark.after, mark.automatic, limit, mark.local)
            return
        if not self._turn and self._asked is not None:
            self._turn, self._steps, self._before = True, 0, self._record
            yield TurnStarted(self._asked.id, self._asked.origin)
        self._steps += 1
        yield StepStarted(message.id, self._steps)

    def _part(self, part: Part) -> Iterator[Event]:
        known = self._parts.get(part.id, "")
        self._parts[part.id] = _mark(part)
        match part.kind:
            case "text" | "reasoning" if part.text.startswith(known) and part.text != known:
                delta = TextDelta if part.kind == "text" else ReasoningDelta
                yield delta(part.message_id, part.id, part.text[len(known) :])
            case "retry" if not known:
                if failure := from_part(part):
                    yield Failed(failure.code, failure.message, failure.hint)
                else:
                    reason = str(_object(part.data).get("reason", ""))
                    yield RetryWaiting(1, 0.0, reason, part.message_id)
            case "tool":
                yield from _call(part, known)
            case _:
                pass


def rewound(change: Change) -> SessionRewound:
    """As the log has it; which files went back only the process that did it knows."""
    told = _object(change.after)
    return SessionRewound(
        int(told.get("message", 0)), told.get("what", "both"), told.get("hidden", 0), told.get("revealed", 0)
    )


def _mark(part: Part) -> str:
    if part.kind in ("text", "reasoning"):
        return part.text
    return part.status or "told"


def _call(part: Part, known: str) -> Iterator[Event]:
    name, call_id = part.tool or "", part.call_id or ""
    if part.status != "pending" and known in ("", "pending"):
        arguments = _object(part.input)
        yield ToolStarted(
            part.message_id, part.id, call_id, name, arguments, title_of(name, arguments) or name
        )
    if part.status not in ("pending", "running", None) and known != part.status:
        data = _object(part.data)
        metadata = data.get("metadata")
        yield ToolFinished(
            part.message_id,
            part.id,
            call_id,
            name,
            part.status,
            part.output or "",
            (part.ended_at or 0) - (part.started_at or 0),
            str(data.get("title") or ""),
            cast("dict[str, Any]", metadata) if isinstance(metadata, dict) else {},
        )


def _object(text: str | None) -> dict[str, Any]:
    try:
        found = cast("object", json.loads(text or "{}"))
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
