"""Writes docs/tools.md from the registry: `python -m agent.tools.reference > docs/tools.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any, cast

from agent.todos.dialects import registry as dialects
from agent.tools import registry
from agent.tools.artifacts.tools import TOOLS as ARTIFACTS
from agent.tools.tool import Tool

INTRODUCTION = """\
# Tools

This page is generated: `python -m agent.tools.reference > docs/tools.md` writes it again. The descriptions
are the very words a model reads.

Tools marked *looks* change nothing and run side by side; the others run one after the other. Whether a call
passes, is asked about or refused is decided by the permission rules: `wakeful permissions check` tells. What
a model reads of a result is bounded; the rest is kept in a file that `read` opens.
"""
_WORDS = {"integer": "whole number", "string": "text", "boolean": "yes or no", "array": "list"}


def write() -> str:
    sections = [
        _section("Everybody has", registry.DEFAULTS),
        *(
            _section(f"The plan, in the `{dialect}` dialect", dialects.tools(dialect))
            for dialect in dialects.DIALECTS
            if dialects.tools(dialect)
        ),
        _section("Artifacts, for subagents only where they list `artifacts` among their tools", ARTIFACTS),
    ]
    return "\n".join([INTRODUCTION, *sections])


def _section(heading: str, tools: Iterable[Tool]) -> str:
    tools = tuple(tools)
    guides = dict.fromkeys(registry.guide(tool) for tool in tools if tool.guide)
    said = [f"The first result of these tools also says: {guide}\n" for guide in guides]
    return "\n".join([f"## {heading}\n", *(_entry(tool) for tool in tools), *said])


def _entry(tool: Tool) -> str:
    spec = registry.spec(tool)
    needed = cast("list[str]", spec.parameters.get("required", []))
    rows = [
        _argument(name, argument, needed=name in needed)
        for name, argument in spec.parameters["properties"].items()
    ]
    mark = " *looks*" if tool.safe else ""
    arguments = "\n" + "\n".join(rows) + "\n" if rows else ""
    return f"### {tool.name}\n\n{spec.description}{mark}\n{arguments}"


def _argument(name: str, schema: Mapping[str, Any], *, needed: bool) -> str:
    notes = [_kind(schema)]
    if not needed:
        notes.append(f"default {schema['default']}" if "default" in schema else "optional")
    about = f": {schema['description']}" if "description" in schema else ""
    return f"- `{name}` ({', '.join(notes)}){about}"


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(f"`{choice}`" for choice in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(choice) for choice in schema["anyOf"]))
    return _WORDS.get(str(schema.get("type", "")), str(schema.get("type", "object")))


if __name__ == "__main__":
    sys.stdout.write(write())
