"""Reads themes, the only place where colours are chosen, and says which line of a theme is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import themes
from agent.config.errors import ConfigError, Problem
from agent.paths import Paths

if TYPE_CHECKING:
    from agent.config.places import Key

DEFAULT = "wakeful"
OURS = Path(themes.__file__).parent

SURFACES = ("page", "panel", "input", "user", "code")
TINTS = ("add", "remove", "add_word", "remove_word", "found", "selection")
FILLS = (*SURFACES, *TINTS)
TEXTS = ("text", "dim", "accent", "waiting", "ok", "error", "heading", "link")
TOKENS = ("keyword", "string", "number", "comment", "name", "builtin", "operator")
LINES = ("rule", "thumb")
TABLES: Mapping[str, tuple[str, ...]] = {"fills": FILLS, "text": TEXTS, "code": TOKENS, "lines": LINES}

ATTRIBUTES = frozenset(("bold", "dim", "italic", "underline", "reverse", "strike"))
_HUES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
ANSI = frozenset(("default", *_HUES, *(f"bright_{hue}" for hue in _HUES)))
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


# Named tuples: the first frame waits for these classes, and dataclasses take five times as long to make.
class Paint(NamedTuple):
    """A colour, `#rrggbb` or the name of one of the terminal's sixteen, and how the letters stand."""

    colour: str = "default"
    attributes: frozenset[str] = frozenset()

    @property
    def exact(self) -> bool:
        return self.colour.startswith("#")

    @property
    def css(self) -> str:
        """The colour as style sheets spell it."""
        return self.colour if self.exact else f"ansi_{self.colour}"


class Palette(NamedTuple):
    """What every thing on the screen is painted with. Fills lie behind text, tokens colour code."""

    title: str
    dark: bool
    page: Paint
    panel: Paint
    input: Paint
    user: Paint
    code: Paint
    selection: Paint
    found: Paint
    add: Paint
    remove: Paint
    add_word: Paint
    remove_word: Paint
    text: Paint
    dim: Paint
    accent: Paint
    waiting: Paint
    ok: Paint
    error: Paint
    heading: Paint
    link: Paint
    keyword: Paint
    string: Paint
    number: Paint
    comment: Paint
    name: Paint
    builtin: Paint
    operator: Paint
    rule: Paint
    thumb: Paint
    # Where colours are few: what text is painted in on a fill that its own colour cannot be read on.
    legible: Callable[[Paint, Paint], Paint] | None

    def paint(self, role: str) -> Paint:
        return cast("Paint", getattr(self, role))

    def front(self, role: str, fill: str) -> Paint:
        """What a thing is painted in on a fill."""
        paint = self.paint(role)
        if self.legible is None or fill not in TINTS or role in LINES:
            return paint
        return self.legible(paint, self.paint(fill))

    @property
    def exact(self) -> bool:
        """Whether it sends colours of its own; else the terminal's sixteen must be left alone."""
        return self.page.exact

    def variables(self) -> dict[str, str]:
        """`$page`, `$add-word` and so on, for the style sheet."""
        return {role.replace("_", "-"): self.paint(role).css for roles in TABLES.values() for role in roles}


def user_folder(paths: Paths) -> Path:
    return paths.config_folder / "themes"


def theme_names(folder: Path | None = None) -> list[str]:
    """Ours and those of the user's folder, the default first."""
    found = {path.stem for place in (OURS, folder) if place for path in place.glob("*.toml")}
    return sorted(found, key=lambda name: (name != DEFAULT, name))


def load_theme(name: str = DEFAULT, folder: Path | None = None) -> Palette:
    """A theme of the user wins over one of ours with the same name.

    A theme that names a `base` gives only what differs from it.
    """
    dark, paints = _read(name, folder, ())
    return Palette(title=name, dark=dark, legible=None, **paints)


def theme_problem(name: str, folder: Path) -> str:
    """Why it cannot be worn, with file and line; empty where it can."""
    try:
        load_theme(name, folder)
    except ConfigError as error:
        return str(error)
    return ""


def _read(name: str, folder: Path | None, above: tuple[str, ...]) -> tuple[bool, dict[str, Paint]]:
    path = _find(name, folder)
    source = _Source(path, path.read_text("utf-8"))
    values = source.values()
    base = values.pop("base", None)
    dark: object = None
    paints: dict[str, Paint] = {}
    if isinstance(base, str):
        # Under a name that was met already only ours can be meant.
        dark, paints = _read(base, None if base in (name, *above) else folder, (*above, name))
    dark = values.pop("dark", dark)
    paints |= source.paints(values)
    if not isinstance(dark, bool):
        source.blame(("dark",), "`dark` is true or false")
    for table, roles in TABLES.items():
        for role in roles:
            if role not in paints and not source.problems:
                source.blame((table,), f"[{table}] says nothing about `{role}`")
    if source.problems:
        raise ConfigError(source.problems)
    return dark is True, paints


def _find(name: str, folder: Path | None) -> Path:
    for place in (folder, OURS):
        if place and (place / f"{name}.toml").is_file():
            return place / f"{name}.toml"
    known = ", ".join(theme_names(folder))
    raise ConfigError([Problem("ui.theme", f"no theme named '{name}'; there are {known}")])


class _Source:
    """One theme file, while it is read: collects what is wrong with it, each with its line."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.problems: list[Problem] = []

    def values(self) -> dict[str, object]:
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            place = f"{self.path}:{line[1] if line else self.text.count(chr(10)) + 1}"
            raise ConfigError([Problem(place, f"not TOML: {error}")]) from error

    def paints(self, values: Mapping[str, object]) -> dict[str, Paint]:
        paints: dict[str, Paint] = {}
        for key, value in values.items():
            if key in TABLES and isinstance(value, dict):
                paints |= self._table(key, cast("dict[str, object]", value))
            else:
                self.blame((key,), f"unknown `{key}`; a theme has dark, base, {', '.join(TABLES)}")
        return paints

    def blame(self, key: Key, text: str) -> None:
        self.problems.append(Problem(self.place(key), text))

    def place(self, key: Key) -> str:
        from agent.config.places import find_places

        return f"{self.path}:{find_places(self.text).line(key) or 1}"

    def _table(self, table: str, values: Mapping[str, object]) -> Iterator[tuple[str, Paint]]:
        for role, value in values.items():
            paint = _paint(value)
            if role not in TABLES[table]:
                self.blame((table, role), f"unknown `{role}`; [{table}] has {', '.join(TABLES[table])}")
            elif paint is None:
                self.blame((table, role), f"`{value}` is no colour: #rrggbb, {', '.join(_HUES)}, bright_…")
            else:
                yield role, paint


def _paint(value: object) -> Paint | None:
    if not isinstance(value, str):
        return None
    words = value.split()
    colours = [word for word in words if word not in ATTRIBUTES]
    if not words or len(colours) > 1 or not all(_HEX.fullmatch(word) or word in ANSI for word in colours):
        return None
    return Paint(*colours[:1] or ("default",), attributes=ATTRIBUTES.intersection(words))
