"""A session of 10,000 messages on the screen: opening it, turning a page, one message more."""

from __future__ import annotations

from statistics import median

from bench.row import Row
from bench.screen import on_a_terminal

NAME = "transcript of 10,000 messages"
BUDGET = 25.0


def measure() -> Row:
    figures = on_a_terminal("bench.reader")
    middle = {name: median(figures[name]) for name in ("page", "append")}
    slowest = max(middle, key=lambda name: middle[name])
    times = sorted(figures[slowest])
    words = ", ".join(f"{name} {value:.1f}" for name, value in middle.items())
    detail = f"{words}, load and first paint {figures['load'][0]:.0f} ms CPU"
    return Row(
        middle[slowest], "ms CPU", BUDGET, (times[len(times) // 4], times[-1 - len(times) // 4]), detail
    )
