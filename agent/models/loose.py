"""Reads JSON nobody vouches for: takes anything and gives what is asked for, or an empty one."""

from __future__ import annotations

import json
from typing import cast


def parse(text: str | bytes, *, strict: bool = False) -> object:
    """The JSON value, or raises ValueError whatever is wrong with the text; `strict` refuses NaN as well."""
    try:
        return json.loads(text, parse_constant=_refused if strict else None)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def as_dict(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Text that can be encoded: halves of surrogate pairs, legal in JSON escapes, are joined or replaced."""
    if not isinstance(value, str):
        return ""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def as_count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    # Also false for NaN, and keeps infinity out.
    return int(value) if 0 <= value < 1e15 else 0
