"""Lays the layers of settings over each other and keeps where each value came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from agent.config.areas import Area, MisfitError, fit
from agent.config.consent import unheeded, wish
from agent.config.errors import ConfigError, Problem
from agent.config.layers import Entry, Layer, read_environment, read_file, read_flags, unknown_key
from agent.config.models import Config
from agent.config.settings import NAME, all_settings, find_setting
from agent.paths import Paths, lies_within, project_config
from store.frozen import frozen

DEFAULT = "default"
RULES = ("permissions", "rules")
KEYS = "keys"

KeyPath = tuple[str, ...]


@frozen
class Loaded:
    """`notices` are worth a line on stderr; what is wrong outright is raised instead.

    `agreed` are the values of the project that the user agreed to, `wishes` those that wait for it.
    """

    config: Config
    origins: Mapping[tuple[str, ...], str]
    notices: tuple[str, ...]
    agreed: frozenset[str] = frozenset()
    wishes: tuple[str, ...] = ()

    def origin(self, path: tuple[str, ...]) -> str:
        return self.origins.get(path, DEFAULT)


def load(
    paths: Paths,
    environment: Mapping[str, str],
    *,
    project: Path | None = None,
    trusted: bool = False,
    agreed: frozenset[str] = frozenset(),
    assignments: Sequence[str] = (),
) -> Loaded:
    """Raises `ConfigError` with all problems of all layers."""
    wishes: list[str] = []
    layers = [
        read_file(paths.config, shorten(paths.config, environment)),
        _read_project(paths, environment, project if trusted else None, agreed, wishes),
        read_environment(environment),
        read_flags(assignments),
    ]
    problems = [problem for layer in layers for problem in layer.problems]
    notices = [notice for layer in layers for notice in layer.notices]
    if not trusted and project is not None and _has_settings(paths, project):
        shown = shorten(project_config(project), environment)
        notices.insert(0, f"{shown} is not read: this folder is not trusted; see wakeful trust")
    merged: dict[KeyPath, object] = {}
    origins: dict[KeyPath, str] = {}
    for entry in (entry for layer in layers for entry in layer.entries):
        try:
            value = validate(entry)
        except ConfigError as error:
            # Without one of the user's keys there is still the usual one.
            if entry.path[0] == KEYS:
                notices += map(str, error.problems)
            else:
                problems += error.problems
            continue
        _lay_over(merged, origins, entry, value)
    if problems:
        raise ConfigError(problems)
    return Loaded(Config.made(_nested(merged)), origins, tuple(notices), agreed, tuple(wishes))


def validate(entry: Entry) -> object:
    """The value as its setting wants it."""
    setting = find_setting(entry.path)
    if setting is None:
        raise ConfigError([Problem(entry.origin, unknown_key(entry.path))])
    try:
        return fit(setting.kind, entry.value, setting.limits, typed=entry.raw is None)
    except MisfitError as misfit:
        if entry.raw is not None:
            # What was typed on a command line has no types: `1` may mean true and `5` may be a name.
            try:
                return fit(setting.kind, entry.raw, setting.limits, typed=False)
            except MisfitError:
                pass
        raise ConfigError([_problem(entry, misfit)]) from misfit


def values(loaded: Loaded) -> Iterator[tuple[tuple[str, ...], object, str]]:
    """Every setting that has a value, the user's own names included, in the order of the models."""
    for setting in all_settings():
        for path in _expand(loaded.config, setting.path):
            yield path, value_at(loaded.config, path), loaded.origin(path)


def value_at(config: Config, path: tuple[str, ...]) -> object:
    value: Any = config
    for part in path:
        value = getattr(value, part) if isinstance(value, Area) else value[part]
    return value


def shorten(path: Path, environment: Mapping[str, str]) -> str:
    home = environment.get("HOME", "")
    return f"~/{path.relative_to(home)}" if home and path.is_relative_to(home) else str(path)


def _read_project(
    paths: Paths,
    environment: Mapping[str, str],
    project: Path | None,
    agreed: frozenset[str],
    wishes: list[str],
) -> Layer:
    if project is None or not _has_settings(paths, project):
        return Layer()
    path = project_config(project)
    shown = shorten(path, environment)
    if not lies_within(path, project):
        return Layer(notices=[f"{shown} is not read: it is a link out of the folder"])
    layer = read_file(path, shown)
    allowed = [kept for entry in layer.entries for kept in _allowed(entry, layer.notices)]
    layer.entries = []
    for entry in allowed:
        wanted = _wish(entry)
        if not wanted or wanted in agreed:
            layer.entries.append(entry)
        else:
            wishes.append(wanted)
            layer.notices.append(unheeded(entry.origin, wanted))
    return layer


def _has_settings(paths: Paths, project: Path) -> bool:
    path = project_config(project)
    return path.exists() and not (paths.config.exists() and path.samefile(paths.config))


def _wish(entry: Entry) -> str:
    """The value that the user has to agree to; empty where there is no need, or no sense in it."""
    setting = find_setting(entry.path)
    if setting is None or not setting.consented:
        return ""
    try:
        return wish(entry.path, validate(entry))
    except ConfigError:
        # It is reported with all others that do not fit.
        return ""


def _allowed(entry: Entry, notices: list[str]) -> list[Entry]:
    """A project never says where requests go, what they cost or what runs unasked, however trusted it is."""
    setting = find_setting(entry.path)
    if setting and setting.user_only:
        key = ".".join(entry.path)
        notices.append(f"{entry.origin}: {key} is ignored: a project may not set it")
        return []
    if entry.path != RULES or not isinstance(entry.value, list):
        return [entry]
    kept: list[object] = []
    for index, rule in enumerate(cast("list[object]", entry.value)):
        # A rule that names no verdict allows.
        if isinstance(rule, str) and rule.split()[:1] not in (["ask"], ["deny"]):
            notices.append(
                f"{entry.origin_of((*RULES, index))}: {rule!r} is ignored: a project may not allow"
            )
        else:
            kept.append(rule)
    return [Entry(entry.path, kept, entry.origin, entry.raw, entry.file, entry.places)]


def _lay_over(
    merged: dict[KeyPath, object], origins: dict[KeyPath, str], entry: Entry, value: object
) -> None:
    if entry.path == RULES and RULES in merged:
        # A later layer must not lift what an earlier one denies, so rules add up.
        merged[RULES] = (*cast("tuple[str, ...]", merged[RULES]), *cast("tuple[str, ...]", value))
        origins[RULES] = f"{origins[RULES]} + {entry.origin}"
        return
    merged[entry.path] = value
    origins[entry.path] = entry.origin


def _nested(flat: Mapping[KeyPath, object]) -> dict[str, object]:
    root: dict[str, object] = {}
    for path, value in flat.items():
        table = root
        for part in path[:-1]:
            table = cast("dict[str, object]", table.setdefault(part, {}))
        table[path[-1]] = value
    return root


def _problem(entry: Entry, misfit: MisfitError) -> Problem:
    # A key pasted into the wrong setting must not end up on the screen or in the log.
    given = "" if entry.path[0] == "providers" else f", not {_brief(misfit.given)}"
    place = entry.origin_of((*entry.path, *misfit.where))
    return Problem(place, f"bad value for {'.'.join(entry.path)}: {misfit.expectation}{given}")


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _expand(config: Config, pattern: tuple[str, ...]) -> list[tuple[str, ...]]:
    if NAME not in pattern:
        return [pattern]
    at = pattern.index(NAME)
    names = cast("dict[str, object]", value_at(config, pattern[:at]))
    return [(*pattern[:at], name, *pattern[at + 1 :]) for name in names]
