"""How much is sent before the user has said anything, and how much of it a provider can cache."""

from __future__ import annotations

import json
from itertools import pairwise

from bench.processes import WAKEFUL, cpu_seconds
from bench.provider import serving
from bench.row import Row

NAME = "first request with all default tools"
BUDGET = 12.0


def measure() -> Row:
    calls = [{"calls": [{"name": "glob", "arguments": json.dumps({"pattern": f"*{n}"})}]} for n in range(20)]
    with serving([*calls, {"text": "done"}]) as served:
        project = served.home / "project"
        project.mkdir()
        command = [WAKEFUL, "-C", str(project), "run", "-m", "openai/scripted", "hello"]
        cpu_seconds(command, served.environment())
    bodies = [request["body"] for request in served.requests]
    size = len(bodies[0].encode()) / 1000
    kept = min(_shared(one, other) for one, other in pairwise(bodies))
    detail = f"{kept:.0%} of each request is the start of the next one"
    return Row(size, "kB", BUDGET, (size, size), detail, holds=kept == 1.0)


def _shared(earlier: str, later: str) -> float:
    """Of tools, system and messages of a request, the part that the next request begins with."""
    one, other = json.loads(earlier), json.loads(later)
    messages = one["messages"]
    same = one.get("tools") == other.get("tools") and other["messages"][: len(messages)] == messages
    return 1.0 if same else 0.0
