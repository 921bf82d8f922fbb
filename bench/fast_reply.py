"""A reply of 24 kB as fast as the server sends it, in the whole app."""

from __future__ import annotations

from statistics import median

from bench.conversing import cost, talking
from bench.row import Row

NAME = "24 kB reply in the app, fast"
BUDGET = 0.6
RUNS = 5


def measure() -> Row:
    with talking() as program:
        spent = sorted([cost(program) for _ in range(RUNS + 1)][1:])
    return Row(
        median(spent), "s CPU", BUDGET, (spent[1], spent[-2]), f"HTTP and storing included, {RUNS} runs"
    )
