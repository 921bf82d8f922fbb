"""Every signal that ends a program ends this one in order, so that the terminal is left as it was."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial


@contextmanager
def handled(interrupt: Callable[[], None], leave: Callable[[int], None]) -> Generator[None]:
    """Before and after, whoever was there is asked again: there is no moment without anybody."""
    # A signal comes between any two steps of anybody; what it starts belongs to whoever is here.
    loop, context = asyncio.get_running_loop(), copy_context()
    ways: dict[int, Callable[[], None]] = {
        signal.SIGINT: interrupt,
        **{each: partial(leave, 128 + each) for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)},
    }

    def told(number: int, frame: object) -> None:
        del frame
        loop.call_soon_threadsafe(ways[number], context=context)

    before = {number: signal.signal(number, told) for number in ways}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
