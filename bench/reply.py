"""One streamed reply of 24 kB Markdown in 2,000 chunks, drawn as it comes."""

from __future__ import annotations

from statistics import median

from bench.row import Row
from bench.screen import on_a_terminal

NAME = "24 kB reply drawn while it streams"
BUDGET = 0.35


def measure() -> Row:
    spent = sorted(on_a_terminal("bench.reader")["stream"])
    return Row(median(spent), "s CPU", BUDGET, (spent[1], spent[-2]), "2,000 chunks, 120x40 terminal, 5 runs")
