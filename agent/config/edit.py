"""Changes one value in a TOML file and leaves every other byte, comments too, as the user wrote it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import cast

from agent.config.places import Key, Places, find_places

# Above that a number is read more easily with its exponent.
_PLAIN = 1e15

Value = bool | int | float | str | list["Value"] | dict[str, "Value"]


class EditError(Exception):
    pass


def set_value(text: str, key: tuple[str, ...], value: Value) -> str:
    """Returns the new text; the edit is read back, and one that changed anything else is never returned."""
    wanted = _with(cast("dict[str, Value]", tomllib.loads(text)), key, value)
    for candidate in _candidates(text, key, value):
        try:
            if tomllib.loads(candidate) == wanted:
                return candidate
        except tomllib.TOMLDecodeError:
            continue
    raise EditError(f"cannot place {format_key(key)} in this file; edit it by hand")


def drop_value(text: str, key: tuple[str, ...]) -> str:
    """The same without the key; its table stays, even when nothing is left in it."""
    table = cast("dict[str, Value]", tomllib.loads(text))
    wanted = _without(table, key)
    if wanted == table:
        return text
    for candidate in _shortened(text, key, wanted):
        try:
            if _filled(tomllib.loads(candidate)) == _filled(wanted):
                return candidate
        except tomllib.TOMLDecodeError:
            continue
    raise EditError(f"cannot take {format_key(key)} out of this file; edit it by hand")


def format_key(key: tuple[str, ...]) -> str:
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else _quote(part) for part in key)


def format_value(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _quote(value)
        case list():
            return f"[{', '.join(map(format_value, value))}]"
        case dict():
            pairs = [f"{format_key((name,))} = {format_value(each)}" for name, each in value.items()]
            return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
        case float() if value.is_integer() and abs(value) < _PLAIN:
            return str(int(value))
        case _:
            return repr(value)


def _candidates(text: str, key: tuple[str, ...], value: Value) -> Iterator[str]:
    """From the most fitting place to the last resort; which are legal depends on the rest of the file."""
    written = format_value(value)
    places = find_places(text)
    if key in places.keys:
        place = places.keys[key]
        yield text[: place.start] + written + text[place.end :]
    for length in range(len(key) - 1, 0, -1):
        table, rest = key[:length], format_key(key[length:])
        if table in places.headers:
            yield _insert(text, places.headers[table].end, f"{rest} = {written}")
        if table in places.keys:
            yield _insert_inline(text, places.keys[table].end - 1, f"{rest} = {written}")
        yield from _beside_siblings(text, places, key, length, written)
    separator = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    yield f"{text}{separator}[{format_key(key[:-1])}]\n{format_key(key[-1:])} = {written}\n"


def _beside_siblings(
    text: str, places: Places, key: tuple[str, ...], length: int, written: str
) -> Iterator[str]:
    """A table made by dotted keys cannot be opened again by a header, so the new key joins them."""
    for sibling, place in reversed(places.keys.items()):
        if sibling[:length] == key[:length] and len(place.section) < length:
            own = format_key(key[len(place.section) :])
            yield _insert(text, place.end, f"{own} = {written}")


def _insert(text: str, offset: int, line: str) -> str:
    """On a line of its own, below the one at `offset`."""
    end = text.find("\n", offset)
    if end < 0:
        return f"{text}\n{line}\n"
    return f"{text[: end + 1]}{line}\n{text[end + 1 :]}"


def _insert_inline(text: str, closing: int, pair: str) -> str:
    before = text[:closing].rstrip()
    comma = "" if before.endswith("{") else ","
    return f"{before}{comma} {pair} {text[closing:]}"


def _shortened(text: str, key: tuple[str, ...], wanted: dict[str, Value]) -> Iterator[str]:
    """Without the lines of the key, or with a new table in the place of the one it stands in."""
    places = find_places(text)
    if key in places.keys:
        place = places.keys[key]
        lines = text.split("\n")
        last = text.count("\n", 0, place.end) + 1
        yield "\n".join([*lines[: place.line - 1], *lines[last:]])
    for length in range(len(key) - 1, 0, -1):
        inner: Value = wanted
        for part in key[:length]:
            inner = cast("dict[str, Value]", inner)[part]
        if key[:length] in places.keys:
            place = places.keys[key[:length]]
            yield text[: place.start] + format_value(inner) + text[place.end :]


def _without(table: dict[str, Value], key: tuple[str, ...]) -> dict[str, Value]:
    first, *rest = key
    if not rest:
        return {name: value for name, value in table.items() if name != first}
    inner = table.get(first)
    return {**table, first: _without(inner, tuple(rest))} if isinstance(inner, dict) else table


def _filled(value: object) -> object:
    """What counts of a table: an empty one says nothing."""
    if not isinstance(value, dict):
        return value
    inner = {name: _filled(each) for name, each in cast("dict[str, object]", value).items()}
    return {name: each for name, each in inner.items() if each != {}}


def _with(table: dict[str, Value], key: Key, value: Value) -> dict[str, Value]:
    first, *rest = cast("tuple[str, ...]", key)
    if not rest:
        return {**table, first: value}
    inner = table.get(first, {})
    if not isinstance(inner, dict):
        raise EditError(f"{first} is not a table in this file; edit it by hand")
    return {**table, first: _with(inner, tuple(rest), value)}


def _quote(text: str) -> str:
    # JSON's escapes are TOML's, but TOML also wants DEL escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
