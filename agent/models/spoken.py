"""Finds the tool calls that small local models write as text instead of making them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from agent.models.loose import as_dict, as_list, as_text, parse
from store.frozen import frozen

_BLOCK = re.compile(
    r"<tool_call>\s*(?P<tagged>.*?)\s*(?:</tool_call>|\Z)"
    r"|^[ \t]*```(?:json|tool_call|tool_code|tool)?[ \t]*\r?\n(?P<fenced>.*?)\r?\n[ \t]*```[ \t]*$",
    re.DOTALL | re.MULTILINE,
)


@frozen
class SpokenCall:
    """`arguments` is JSON text, as in a call made properly."""

    name: str
    arguments: str


def extract(text: str, offered: Collection[str]) -> tuple[str, tuple[SpokenCall, ...]]:
    """The text without its calls, and the calls; only names in `offered` count, all else stays text."""
    if not offered or "{" not in text:
        return text, ()
    # Some models answer with nothing but the object.
    alone = _calls(text, offered)
    if alone:
        return "", alone
    found: list[SpokenCall] = []

    def take(match: re.Match[str]) -> str:
        calls = _calls(match["tagged"] or match["fenced"] or "", offered)
        found.extend(calls)
        return "" if calls else match[0]

    remaining = _BLOCK.sub(take, text)
    return (remaining.strip() if found else text), tuple(found)


def _calls(text: str, offered: Collection[str]) -> tuple[SpokenCall, ...]:
    """All the objects of a block, or none: half a block taken away would be worse than none."""
    try:
        value = parse(text.strip())
    except ValueError:
        return ()
    items = as_list(value) or [value]
    calls = [_call(as_dict(item)) for item in items]
    valid = [call for call in calls if call is not None and call.name in offered]
    return tuple(valid) if len(valid) == len(items) else ()


def _call(value: dict[str, object]) -> SpokenCall | None:
    fields = as_dict(value.get("function")) or value
    arguments = fields.get("arguments", fields.get("parameters"))
    if isinstance(arguments, str):
        return SpokenCall(as_text(fields.get("name")), arguments)
    if not isinstance(arguments, dict):
        return None
    return SpokenCall(as_text(fields.get("name")), json.dumps(arguments, ensure_ascii=False))
