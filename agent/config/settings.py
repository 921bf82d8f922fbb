"""The list of all settings, read off the models: for finding keys, naming variables and writing docs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, cast, get_args, get_origin

from agent.config.areas import Area, Limits, Part, is_area, parts
from agent.config.models import Config
from store.frozen import frozen

# Stands in a path for a name the user chooses, as in `providers.NAME.base_url`.
NAME = "NAME"


@frozen
class Setting:
    path: tuple[str, ...]
    description: str
    default: object
    expected: str
    choices: tuple[str, ...]
    user_only: bool
    consented: bool
    kind: object
    limits: Limits | None

    @property
    def key(self) -> str:
        return ".".join(self.path)

    @property
    def variable(self) -> str | None:
        """None where the user's own name comes last: patterns do not fit into a variable's name."""
        return None if self.path[-1] == NAME else "WAKEFUL_" + "_".join(self.path).upper()

    def variable_of(self, path: tuple[str, ...]) -> str | None:
        """The same with the user's own names in it, where a variable can hold them."""
        spelled = "WAKEFUL_" + "_".join(path).upper()
        fits = spelled.isidentifier() and path_of_variable(spelled) == path
        return spelled if self.variable and fits else None

    def matches(self, path: tuple[str, ...]) -> bool:
        return len(path) == len(self.path) and all(
            mine in (part, NAME) for mine, part in zip(self.path, path, strict=True)
        )


@cache
def all_settings() -> tuple[Setting, ...]:
    return tuple(_walk(Config, (), user_only=False))


def find_setting(path: tuple[str, ...]) -> Setting | None:
    return next((setting for setting in all_settings() if setting.matches(path)), None)


def is_section(path: tuple[str, ...]) -> bool:
    """Whether settings live below this path."""
    return any(
        len(setting.path) > len(path)
        and all(mine in (part, NAME) for mine, part in zip(setting.path, path, strict=False))
        for setting in all_settings()
    )


def path_of_variable(variable: str) -> tuple[str, ...] | None:
    for setting in all_settings():
        if setting.variable is None:
            continue
        pattern = re.escape(setting.variable).replace(f"_{NAME}_", "_(.+)_")
        found = re.fullmatch(pattern, variable)
        if found:
            chosen = iter(name.lower() for name in found.groups())
            return tuple(next(chosen) if part == NAME else part for part in setting.path)
    return None


def nearest_key(path: tuple[str, ...]) -> str | None:
    from difflib import get_close_matches

    key = ".".join(path)
    if len(path) == 1:
        for setting in all_settings():
            if setting.path[-1] == key:
                return setting.key
    for length in range(len(path) - 1, 0, -1):
        if find_setting(path[:length]):
            return ".".join(path[:length])
    known: dict[str, None] = {}
    for setting in all_settings():
        filled = _fill(setting.path, path)
        known |= {".".join(filled[:length]): None for length in range(1, len(filled) + 1)}
    same_depth = [each for each in known if each.count(".") == key.count(".")]
    nearest = get_close_matches(key, same_depth, n=1) or get_close_matches(key, known, n=1)
    return nearest[0] if nearest else None


def nearest_variable(variable: str) -> str | None:
    from difflib import get_close_matches

    known = [setting.variable for setting in all_settings() if setting.variable]
    nearest = get_close_matches(variable, known, n=1)
    return nearest[0] if nearest else None


def _fill(pattern: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        path[index] if part == NAME and index < len(path) else part for index, part in enumerate(pattern)
    )


def _walk(area: type[Area], path: tuple[str, ...], *, user_only: bool) -> Iterator[Setting]:
    for part in parts(area):
        here, kind = (*path, part.name), part.kind
        mine_alone = user_only or part.user_only
        if get_origin(kind) is dict:
            here, kind = (*here, NAME), get_args(kind)[1]
        if is_area(kind):
            yield from _walk(cast("type[Area]", kind), here, user_only=mine_alone)
        else:
            yield _setting(here, part, kind, user_only=mine_alone)


def _setting(path: tuple[str, ...], part: Part, kind: object, *, user_only: bool) -> Setting:
    return Setting(
        path,
        part.description,
        part.default,
        _expected(kind),
        _choices(kind),
        user_only,
        part.consented,
        kind,
        part.limits,
    )


def _choices(annotation: object) -> tuple[str, ...]:
    if get_origin(annotation) is Annotated:
        return _choices(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return tuple(map(str, get_args(annotation)))
    if annotation is bool:
        return ("true", "false")
    if get_origin(annotation) in {Union, UnionType}:
        found = [choice for each in get_args(annotation) for choice in _choices(each)]
        return (*found, "none") if found else ()
    return ()


def _expected(annotation: object) -> str:
    choices = _choices(annotation)
    if choices:
        return " or ".join(choices)
    words = {int: "whole number", float: "number", str: "text"}
    origin = get_origin(annotation)
    if origin in {Union, UnionType}:
        kinds = [_expected(each) for each in get_args(annotation) if each is not NoneType]
        return " or ".join([*kinds, "none"])
    if origin is tuple:
        return f"list of {_expected(get_args(annotation)[0])}"
    # Annotated keeps its limits beside the type.
    inner = getattr(annotation, "__origin__", annotation)
    return words.get(inner, "text") if isinstance(inner, type) else _expected(inner)
