"""A session of 10,000 messages against an empty one: opening it with a first screen, appending, searching."""

from __future__ import annotations

from statistics import median

from bench.row import Row
from bench.sitting import figures

NAME = "session of 10,000 messages"
BUDGET = 1.5


def measure() -> Row:
    long, empty = figures()
    timed = [name for name in long[0] if "memory" not in name]
    middle = {
        name: (median(each[name] for each in long), median(each[name] for each in empty)) for name in timed
    }
    worst = max(timed, key=lambda name: middle[name][0] / middle[name][1])
    ratios = sorted(one[worst] / other[worst] for one, other in zip(long, empty, strict=True))
    words = "; ".join(
        f"{name} {one * 1000:.1f} against {other * 1000:.1f} ms CPU" for name, (one, other) in middle.items()
    )
    value = middle[worst][0] / middle[worst][1]
    return Row(value, "x", BUDGET, (ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]), words)
