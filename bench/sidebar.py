"""10,000 todos in the sidebar: from the new list to the painted screen."""

from __future__ import annotations

from statistics import median

from bench.row import Row
from bench.screen import on_a_terminal

NAME = "10,000 todos in the sidebar"
BUDGET = 30.0


def measure() -> Row:
    figures = on_a_terminal("bench.planner")
    middle = {name: median(times) for name, times in figures.items() if name != "load"}
    slowest = max(middle, key=lambda name: middle[name])
    times = sorted(figures[slowest])
    words = ", ".join(f"{name} {value:.1f}" for name, value in middle.items())
    detail = f"{words}, load and first paint {figures['load'][0]:.0f} ms CPU"
    return Row(
        middle[slowest], "ms CPU", BUDGET, (times[len(times) // 4], times[-1 - len(times) // 4]), detail
    )
