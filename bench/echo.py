"""How long a key takes to appear while a reply streams."""

from __future__ import annotations

from statistics import median, quantiles

from bench.conversing import echoes, talking
from bench.row import Row

NAME = "key echo while streaming, p95"
BUDGET = 50.0
RUNS = 3
SECONDS = 8.0


def measure() -> Row:
    found: list[float] = []
    for _ in range(RUNS):
        with talking(SECONDS) as program:
            found += echoes(program, SECONDS - 1)
    found.sort()
    quarter = len(found) // 4
    detail = f"median {median(found):.0f}, worst {found[-1]:.0f} ms, {len(found)} keys"
    return Row(quantiles(found, n=20)[-1], "ms", BUDGET, (found[quarter], found[-1 - quarter]), detail)
