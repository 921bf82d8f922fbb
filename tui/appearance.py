"""How the first frame looks, found without loading the settings, which cost more than the frame itself."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from agent.config.errors import ConfigError
from agent.paths import Paths
from tui.escapes import speaks_unicode
from tui.letters import is_plain_terminal
from tui.theme import DEFAULT, OURS, Palette, load_theme, user_folder
from tui.transcript.ink import PLAIN, Glyphs, Ink

MONOCHROME = "monochrome"
SIXTEEN = "ansi"


def first_ink(paths: Paths, environment: Mapping[str, str], assignments: Sequence[str]) -> Ink:
    """What is wrong in a file is left to those who load it for good: they can say so."""
    wished = _wishes(paths, environment, assignments)
    palette = _palette(wished.get("theme", ""), paths, environment)
    return Ink(palette, _glyphs(wished.get("glyphs", "auto"), environment.get("TERM", "")))


def wished_palette(paths: Paths, environment: Mapping[str, str], assignments: Sequence[str]) -> Palette:
    """That of the theme in the settings, or the usual one where that is missing or wrong."""
    name = _wishes(paths, environment, assignments).get("theme", "")
    return _palette(name, paths, environment)


def wished_theme(paths: Paths, environment: Mapping[str, str], assignments: Sequence[str]) -> str:
    return _wishes(paths, environment, assignments).get("theme", DEFAULT)


def sources(paths: Paths, environment: Mapping[str, str], assignments: Sequence[str]) -> list[Path] | None:
    """The files that say how the first frame looks; None when the user does not want to see it early."""
    wished = _wishes(paths, environment, assignments)
    if wished.get("instant", "true").lower() not in ("true", "1", "yes", "on"):
        return None
    name = wished.get("theme", DEFAULT)
    return [paths.config, user_folder(paths) / f"{name}.toml", OURS / f"{name}.toml"]


def palette_named(name: str, paths: Paths, environment: Mapping[str, str]) -> Palette:
    """Raises ConfigError; where the user wants no colours there are none."""
    found = load_theme(MONOCHROME if environment.get("NO_COLOR") else name, user_folder(paths))
    return fitted(found, environment)


def fitted(palette: Palette, environment: Mapping[str, str]) -> Palette:
    """As near to it as the terminal comes."""
    if not palette.exact or not _indexes(environment) or truecolor(environment):
        return palette
    from tui.indexed import indexed

    return indexed(palette)


def _glyphs(choice: str, terminal: str) -> Glyphs:
    able = speaks_unicode(sys.stdout) and not is_plain_terminal(terminal)
    return Glyphs() if choice == "unicode" or (choice != "ascii" and able) else PLAIN


def _palette(name: str, paths: Paths, environment: Mapping[str, str]) -> Palette:
    try:
        return palette_named(name or _usual(environment), paths, environment)
    except ConfigError:
        # Ours: the user's broken one may bear the same name.
        own = load_theme(MONOCHROME if environment.get("NO_COLOR") else _usual(environment))
        return fitted(own, environment)


def _usual(environment: Mapping[str, str]) -> str:
    """Colours of our own come out at random where the terminal has only sixteen."""
    return DEFAULT if _indexes(environment) else SIXTEEN


def _indexes(environment: Mapping[str, str]) -> bool:
    return _claims_all(environment) or environment.get("TERM", "").endswith(("256color", "kitty", "direct"))


def _claims_all(environment: Mapping[str, str]) -> bool:
    return environment.get("COLORTERM", "") in ("truecolor", "24bit")


def _wishes(paths: Paths, environment: Mapping[str, str], assignments: Sequence[str]) -> dict[str, str]:
    found: dict[str, object] = {}
    try:
        table = tomllib.loads(paths.config.read_text("utf-8").removeprefix("\ufeff")).get("ui")
    except (OSError, ValueError):
        table = None
    if isinstance(table, dict):
        found |= cast("dict[str, object]", table)
    for name in ("theme", "glyphs", "instant"):
        if value := environment.get(f"WAKEFUL_UI_{name.upper()}"):
            found[name] = value
    for assignment in assignments:
        key, _, value = assignment.partition("=")
        area, _, name = key.strip().partition(".")
        if area == "ui":
            found[name] = value.strip().strip('"')
    return {name: str(value) for name, value in found.items()}


def truecolor(environment: Mapping[str, str] = os.environ) -> bool:
    if not (_claims_all(environment) and environment.get("TMUX")):
        return _claims_all(environment)
    # Only where there is a tmux to ask.
    from tui.tmux import passes_colours

    return passes_colours(environment)
