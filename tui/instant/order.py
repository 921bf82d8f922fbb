"""Input in the order it was given: an event is handed on once the one before has done all it does."""

from __future__ import annotations

import asyncio
from collections import deque

from textual.app import App
from textual.events import Key, MouseMove
from textual.message import Message
from textual.widgets import TextArea

from tui.instant.internals import pumps

# Seconds; whoever keeps an event longer than that must not keep the keyboard too.
_PATIENCE = 0.25


class Order:
    """Stock Textual queues every key at the widget at once, while bindings act only after bubbling: `w`,
    backspace and `o` in one burst would become `o` without the `w` it followed, or worse."""

    def __init__(self, app: App[int]) -> None:
        self._app = app
        self._waiting: deque[Message] = deque()
        self._task: asyncio.Task[None] | None = None
        self._opened = False

    @property
    def waiting(self) -> bool:
        return bool(self._waiting)

    def open(self) -> None:
        """Before that everything waits, so that the first frame is seen as it is without anything typed."""
        self._opened = True
        self._go_on()

    def put(self, message: Message) -> None:
        """On the app's loop."""
        self._waiting.append(message)
        self._go_on()

    def _go_on(self) -> None:
        if self._opened and self._waiting and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._hand_on(), name="input in order")

    async def drained(self) -> None:
        if self._task is not None:
            await self._task

    def drop(self) -> None:
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    def _go_together(self, message: Message) -> bool:
        """Letters and more letters where one types: no binding is in between, and they come by thousands."""
        return (
            bool(self._waiting)
            and _is_letter(message)
            and _is_letter(self._waiting[0])
            and isinstance(self._app.focused, TextArea)
        )

    async def _hand_on(self) -> None:
        try:
            while self._waiting:
                message = self._waiting.popleft()
                self._app.post_message(message)
                if not isinstance(message, MouseMove) and not self._go_together(message):
                    await settled(self._app)
        finally:
            self._task = None


def _is_letter(message: Message) -> bool:
    return isinstance(message, Key) and message.character is not None and message.character.isalnum()


async def settled(app: App[int]) -> None:
    """Until the last event has gone down and bubbled back up, and what it opened has the keys."""
    try:
        async with asyncio.timeout(_PATIENCE):
            way: list[object] = []
            while way != (now := list(pumps(app))):
                way = [*now]
                for pump in now:
                    # Queues are worked off in order, so whoever is told this is done with all before it.
                    told = asyncio.Event()
                    if pump.call_later(told.set):
                        await told.wait()
    except TimeoutError:
        return
