"""The app as it opens by default, from its start to the echo of a key."""

from __future__ import annotations

from bench.row import Row
from bench.starting import compared

NAME = "start to echoed key"
BUDGET = 0.2
# Seconds on the clock, whatever the floor takes.
LONGEST = 0.06
WHY = "On a machine with other work the prompt waits for its turn; look at the load above."


def measure() -> Row:
    return compared(BUDGET, instant=True, longest=LONGEST)
