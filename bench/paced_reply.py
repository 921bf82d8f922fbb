"""A reply of 24 kB at the pace of a model, in the whole app."""

from __future__ import annotations

from statistics import median

from bench.conversing import cost, talking
from bench.row import Row

NAME = "24 kB reply in the app, paced"
BUDGET = 2.0
RUNS = 3
SECONDS = 8.0
WHY = (
    "Absolute seconds of a machine whose Python was slower or faster than in other runs; painting takes two"
    " fifths of it, drawing Markdown a quarter, reading HTTP and storing what came a fifth."
)


def measure() -> Row:
    with talking(SECONDS) as program:
        spent = sorted(cost(program) for _ in range(RUNS))
    return Row(median(spent), "s CPU", BUDGET, (spent[0], spent[-1]), f"over {SECONDS:g} s, {RUNS} runs")
