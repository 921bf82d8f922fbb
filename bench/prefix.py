"""How much of a request a provider finds in its cache: all of the one before."""

from __future__ import annotations

import json
from itertools import pairwise

from bench.request import bodies
from bench.row import Row

NAME = "requests that changed what was sent"
BUDGET = 0.0


def measure() -> Row:
    pairs = list(pairwise(bodies()))
    changed = 100 * sum(not _kept(one, other) for one, other in pairs) / len(pairs)
    detail = (
        f"{100 - changed:.0f} % of tools, system and messages are the start of the next, {len(pairs)} pairs"
    )
    return Row(changed, "%", BUDGET, (changed, changed), detail)


def _kept(earlier: str, later: str) -> bool:
    one, other = json.loads(earlier), json.loads(later)
    messages = one["messages"]
    return one.get("tools") == other.get("tools") and other["messages"][: len(messages)] == messages
