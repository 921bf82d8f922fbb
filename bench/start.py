"""The app as it opens by default, from its start to the echo of a key."""

from __future__ import annotations

from bench.row import Row
from bench.starting import compared

NAME = "start to echoed key"
BUDGET = 0.2


def measure() -> Row:
    return compared(BUDGET, instant=True)
