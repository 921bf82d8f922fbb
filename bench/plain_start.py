"""The app without the instant prompt, from its start to the echo of a key."""

from __future__ import annotations

from bench.row import Row
from bench.starting import compared

NAME = "start to echoed key, plain"
BUDGET = 1.3


def measure() -> Row:
    return compared(BUDGET, instant=False)
