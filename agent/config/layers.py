"""Reads one layer of settings (file, environment, flags) into entries that know where they stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from agent.config.errors import Problem
from agent.config.places import Places, find_places
from agent.config.settings import find_setting, is_section, nearest_key, nearest_variable, path_of_variable
from store.frozen import frozen

# Variables with our prefix that are not settings.
RESERVED = {"WAKEFUL_HOME", "WAKEFUL_INSTANT"}


@frozen
class Entry:
    """`raw` is the text as typed, for layers that have no types; `places` are those of a file."""

    path: tuple[str, ...]
    value: object
    origin: str
    raw: str | None = None
    file: str = ""
    places: Places | None = None

    def origin_of(self, location: tuple[str | int, ...]) -> str:
        """The origin of something inside the value, such as one rule of many."""
        line = self.places.line(location) if self.places else None
        return f"{self.file}:{line}" if line else self.origin


@dataclass(slots=True)
class Layer:
    entries: list[Entry] = field(default_factory=list[Entry])
    problems: list[Problem] = field(default_factory=list[Problem])
    notices: list[str] = field(default_factory=list[str])


def read_file(path: Path, shown: str) -> Layer:
    """A file that is not there is an empty layer."""
    layer = Layer()
    try:
        text = path.read_bytes().decode("utf-8-sig")
        table = cast("dict[str, object]", tomllib.loads(text))
    except FileNotFoundError:
        return layer
    except OSError as error:
        layer.problems.append(Problem(shown, f"cannot be read: {error.strerror}"))
        return layer
    except UnicodeDecodeError:
        layer.problems.append(Problem(shown, "is not UTF-8 text"))
        return layer
    except tomllib.TOMLDecodeError as error:
        layer.problems.append(_syntax_problem(shown, path, str(error)))
        return layer
    places = find_places(text)
    for entry in _leaves(table, (), shown, places):
        if find_setting(entry.path):
            layer.entries.append(entry)
        else:
            layer.problems.append(Problem(entry.origin, unknown_key(entry.path)))
    return layer


def read_environment(environment: Mapping[str, str]) -> Layer:
    layer = Layer()
    for variable in sorted(environment):
        raw = environment[variable]
        if not variable.startswith("WAKEFUL_") or variable in RESERVED or not raw:
            continue
        path = path_of_variable(variable)
        if path:
            layer.entries.append(Entry(path, parse_value(raw), f"env {variable}", raw))
        else:
            nearest = nearest_variable(variable)
            hint = f"; did you mean {nearest}?" if nearest else ""
            layer.notices.append(f"env {variable}: no such setting{hint}")
    return layer


def read_flags(assignments: Sequence[str]) -> Layer:
    layer = Layer()
    for assignment in assignments:
        key, separator, raw = assignment.partition("=")
        entry = Entry(parse_key(key), parse_value(raw), "--set", raw)
        if not separator:
            layer.problems.append(Problem("--set", f"{assignment!r} has no value; write KEY=VALUE"))
        elif find_setting(entry.path):
            layer.entries.append(entry)
        else:
            layer.problems.append(Problem(entry.origin, unknown_key(entry.path)))
    return layer


def parse_key(text: str) -> tuple[str, ...]:
    """Dotted, with quotes as in TOML around a part that holds dots or other signs."""
    try:
        table: object = tomllib.loads(f"{text} = 0")
    except tomllib.TOMLDecodeError:
        return tuple(part.strip() for part in text.split("."))
    parts: list[str] = []
    while isinstance(table, dict) and table:
        name, table = next(iter(cast("dict[str, object]", table).items()))
        parts.append(name)
    return tuple(parts)


def parse_value(text: str) -> object:
    """A TOML value, or the bare text where it is none."""
    try:
        table = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return cast("object", table["value"]) if list(table) == ["value"] else text


def unknown_key(path: tuple[str, ...]) -> str:
    key = ".".join(path)
    if is_section(path):
        return f"{key} is a group of settings, not a value; set {key}.… instead"
    nearest = nearest_key(path)
    hint = f"did you mean {nearest}?" if nearest else "wakeful config lists all keys"
    return f"unknown key {key}; {hint}"


def _leaves(
    table: Mapping[str, object], path: tuple[str, ...], shown: str, places: Places
) -> Iterator[Entry]:
    for name, value in table.items():
        here = (*path, name)
        if isinstance(value, dict) and is_section(here):
            yield from _leaves(cast("dict[str, object]", value), here, shown, places)
        else:
            yield Entry(here, cast("object", value), f"{shown}:{places.line(here)}", None, shown, places)


def _syntax_problem(shown: str, path: Path, message: str) -> Problem:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", message, re.DOTALL)
    if not found:
        return Problem(shown, message)
    line = found[2] or len(path.read_bytes().splitlines())
    return Problem(f"{shown}:{line}", f"not TOML: {found[1][:1].lower()}{found[1][1:]}")
