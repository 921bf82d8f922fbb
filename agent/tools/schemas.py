"""Writes the arguments of all tools: `python -m agent.tools.schemas > agent/tools/schemas.json`."""

from __future__ import annotations

import json
import sys

from agent.todos.dialects import registry as dialects
from agent.tools import registry
from agent.tools.artifacts.tools import TOOLS as ARTIFACTS


def write() -> str:
    planning = [tool for dialect in dialects.DIALECTS for tool in dialects.tools(dialect)]
    tools = (*registry.DEFAULTS, *planning, *ARTIFACTS)
    found = {registry.full_name(tool): registry.schema(tool) for tool in tools}
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(write())
