"""The cheapest question: what the command costs beyond Python itself."""

from __future__ import annotations

import sys

from bench.processes import WAKEFUL, interleaved
from bench.row import Row, ratio

NAME = "wakeful --version"
BUDGET = 1.5


def measure() -> Row:
    measured, floor = interleaved([WAKEFUL, "--version"], [sys.executable, "-c", "pass"], pairs=40)
    return ratio(measured, floor, budget=BUDGET)
