"""How much is sent before the user has said anything."""

from __future__ import annotations

import json
from functools import cache

from bench.processes import WAKEFUL, cpu_seconds
from bench.provider import serving
from bench.row import Row

NAME = "first request with all default tools"
BUDGET = 9.0


def measure() -> Row:
    size = len(bodies()[0].encode()) / 1000
    return Row(size, "kB", BUDGET, (size, size), "system prompt and all tools, one run")


@cache
def bodies() -> list[str]:
    """Of the requests of one turn in which a tool is called twenty times."""
    calls = [{"calls": [{"name": "glob", "arguments": json.dumps({"pattern": f"*{n}"})}]} for n in range(20)]
    with serving([*calls, {"text": "done"}]) as served:
        project = served.home / "project"
        project.mkdir()
        command = [WAKEFUL, "-C", str(project), "run", "-m", "openai/scripted", "hello"]
        cpu_seconds(command, served.environment())
    return [request["body"] for request in served.requests]
