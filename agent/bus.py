"""The one channel from the core to its doors: every subscriber gets every event, in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from agent.events import Event, ReasoningDelta, TextDelta, ToolOutput
from store.clock import now

Delta = TextDelta | ReasoningDelta | ToolOutput


class Bus:
    def __init__(self, session: str = "") -> None:
        self.session = session
        self._seq = 0
        self._subscriptions: list[Subscription] = []
        self._closed = False

    def emit(self, event: Event) -> None:
        self._seq += 1
        stamped = replace(event, seq=self._seq, session=event.session or self.session, time=now())
        for subscription in self._subscriptions:
            subscription.push(stamped)

    @contextmanager
    def subscribe(self, *, merged: bool = False) -> Generator[Subscription]:
        """With `merged`, deltas that piled up while the subscriber was busy arrive as one."""
        subscription = Subscription(merged=merged)
        self._subscriptions.append(subscription)
        if self._closed:
            subscription.push(None)
        try:
            yield subscription
        finally:
            self._subscriptions.remove(subscription)

    def close(self) -> None:
        """No more events: subscribers take what is left and end."""
        self._closed = True
        for subscription in self._subscriptions:
            subscription.push(None)


class Subscription:
    def __init__(self, *, merged: bool) -> None:
        self._merged = merged
        self._events: deque[Event | None] = deque()
        self._arrived = asyncio.Event()

    def push(self, event: Event | None) -> None:
        self._events.append(event)
        self._arrived.set()

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Event:
        while not self._events:
            self._arrived.clear()
            await self._arrived.wait()
        event = self._events.popleft()
        if event is None:
            raise StopAsyncIteration
        return self._joined(event) if self._merged else event

    def _joined(self, event: Event) -> Event:
        if not isinstance(event, TextDelta | ReasoningDelta | ToolOutput):
            return event
        texts = [event.text]
        last = event
        while (following := self._continuation(event)) is not None:
            last = following
            texts.append(following.text)
            self._events.popleft()
        return replace(last, text="".join(texts))

    def _continuation(self, event: Delta) -> Delta | None:
        following = self._events[0] if self._events else None
        if not isinstance(following, TextDelta | ReasoningDelta | ToolOutput):
            return None
        same = following.kind == event.kind and following.part_id == event.part_id
        return following if same else None
