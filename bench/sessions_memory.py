"""What a process with a session of 10,000 messages open holds, against one with an empty session."""

from __future__ import annotations

from statistics import median

from bench.row import Row
from bench.sitting import figures

NAME = "memory of 10,000 messages"
BUDGET = 1.1


def measure() -> Row:
    long, empty = figures()
    key = "memory afterwards"
    ratios = sorted(one[key] / other[key] for one, other in zip(long, empty, strict=True))
    one, other = (median(each[key] for each in found) for found in (long, empty))
    detail = f"{one:.0f} against {other:.0f} MiB at the peak, after opening, appending and searching"
    return Row(one / other, "x", BUDGET, (ratios[1], ratios[-2]), detail)
