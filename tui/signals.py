"""Every signal that ends a program ends this one in order, so that the terminal is left as it was."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def handled(interrupt: Callable[[], None], leave: Callable[[int], None]) -> Generator[None]:
    """Before and after, whoever was there is asked again: there is no moment without anybody."""
    loop = asyncio.get_running_loop()
    ways: dict[int, Callable[[], None]] = {
        signal.SIGINT: interrupt,
        signal.SIGTERM: lambda: leave(128 + signal.SIGTERM),
        signal.SIGHUP: lambda: leave(128 + signal.SIGHUP),
    }

    def told(number: int, frame: object) -> None:
        del frame
        loop.call_soon_threadsafe(ways[number])

    before = {number: signal.signal(number, told) for number in ways}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
