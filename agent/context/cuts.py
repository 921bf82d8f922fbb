"""Texts that are shown from both ends only, with a word in place of their middle."""

from __future__ import annotations

import json
from dataclasses import replace

from agent.models.loose import as_count, as_dict, parse
from store.records import Part

# Beside the title of a tool call and what else its part keeps as data.
_KEPT = "kept"


def cut(text: str, most: int, word: str) -> str:
    """At most about `most` characters of it."""
    if len(text) <= most:
        return text
    head = most * 2 // 3
    end = len(text) - (most - head)
    return f"{text[:head]}\n{word}\n{text[end:]}"


def cut_output(part: Part) -> str | None:
    """What is still shown of an output that was cut; None for one that was dropped whole."""
    kept = as_count(_data(part).get(_KEPT))
    if not kept or not part.output:
        return None
    left_out = max(0, len(part.output) - kept)
    return cut(part.output, kept, f"[... {left_out:,} characters cut to save context ...]")


def without(part: Part, moment: int) -> Part:
    """Dropped whole, also when it had only been cut before."""
    fields = _data(part)
    if _KEPT not in fields:
        return replace(part, pruned_at=moment)
    rest = {name: value for name, value in fields.items() if name != _KEPT}
    return replace(part, data=json.dumps(rest, ensure_ascii=False) if rest else None, pruned_at=moment)


def with_cut(part: Part, kept: int, moment: int) -> Part:
    data = json.dumps({**_data(part), _KEPT: kept}, ensure_ascii=False)
    return replace(part, data=data, pruned_at=moment)


def _data(part: Part) -> dict[str, object]:
    try:
        return as_dict(parse(part.data or ""))
    except ValueError:
        return {}
