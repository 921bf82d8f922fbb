"""Reads themes, the only place where colours are chosen, and says which line of a theme is wrong."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

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
    path = _find(name, folder)
    if path is None:
        raise ConfigError([Problem("ui.theme", _unknown(name, folder))])
    dark, paints = _read(path, folder, ())
    return Palette(title=name, dark=dark, legible=None, **paints)


def theme_problem(name: str, folder: Path) -> str:
    """Why it cannot be worn, with file and line; empty where it can."""
    try:
        load_theme(name, folder)
    except ConfigError as error:
        return str(error)
    return ""


def _read(path: Path, folder: Path | None, above: tuple[str, ...]) -> tuple[bool, dict[str, Paint]]:
    source = _Source(path)
    values = source.values()
    base = values.pop("base", None)
    dark: object = None
    paints: dict[str, Paint] = {}
    if base is not None:
        # Under a name that was met already only ours can be meant.
        beside = None if base in (path.stem, *above) else folder
        below = _find(base, beside) if isinstance(base, str) else None
        if below is None:
            source.refuse(("base",), _unfounded(base, beside, folder))
        dark, paints = _read(below, beside, (*above, path.stem))
    dark = values.pop("dark", dark)
    paints |= source.paints(values)
    if dark is None:
        source.blame(("dark",), "says nothing about `dark`: true or false, or the `base` it stands on")
    elif not isinstance(dark, bool):
        source.blame(("dark",), "`dark` is true or false")
    for table, roles in TABLES.items():
        missing = [role for role in roles if role not in paints and role not in _named(values, table)]
        if missing:
            source.blame((table,), f"[{table}] says nothing about {', '.join(missing)}")
    if source.problems:
        raise ConfigError(source.problems)
    return dark is True, paints


def _named(values: Mapping[str, object], table: str) -> Iterable[str]:
    """What is said of, rightly or not."""
    found = values.get(table)
    return cast("dict[str, object]", found) if isinstance(found, dict) else ()


def _find(name: str, folder: Path | None) -> Path | None:
    for place in (folder, OURS):
        if place and os.sep not in name and os.path.lexists(place / f"{name}.toml"):
            return place / f"{name}.toml"
    return None


def _unfounded(base: object, beside: Path | None, folder: Path | None) -> str:
    if not isinstance(base, str):
        return "`base` is the name of a theme"
    return _unknown(base, folder) if beside == folder else f"'{base}' stands on this theme itself"


def _unknown(name: str, folder: Path | None) -> str:
    from difflib import get_close_matches

    known = theme_names(folder)
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return f"no theme named '{name}'; {hint}"


class _Source:
    """One theme file, while it is read: collects what is wrong with it, each with its line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = ""
        self.problems: list[Problem] = []

    def values(self) -> dict[str, object]:
        self.text = self._read()
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            place = f"{self.path}:{line[1] if line else self.text.count(chr(10)) + 1}"
            raise ConfigError([Problem(place, f"not TOML: {error}")]) from error

    def _read(self) -> str:
        # A pipe in its place would keep us waiting.
        if self.path.exists() and not self.path.is_file():
            raise ConfigError([Problem(str(self.path), "this is no file; a theme is one")])
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise ConfigError([Problem(str(self.path), f"it cannot be read: {error.strerror}")]) from error
        try:
            # Some editors begin a file with a mark of the byte order, which TOML does not know.
            return data.decode().removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise ConfigError([Problem(f"{self.path}:{line}", "not UTF-8 text, which a theme is")]) from error

    def paints(self, values: Mapping[str, object]) -> dict[str, Paint]:
        paints: dict[str, Paint] = {}
        for key, value in values.items():
            if key in TABLES and isinstance(value, dict):
                paints |= self._table(key, cast("dict[str, object]", value))
            elif key in TABLES:
                self.blame((key,), f"`{key}` is a table: [{key}]")
            else:
                self.blame((key,), f"unknown `{key}`; a theme has dark, base, {', '.join(TABLES)}")
        return paints

    def blame(self, key: Key, text: str) -> None:
        self.problems.append(Problem(self.place(key), text))

    def refuse(self, key: Key, text: str) -> NoReturn:
        """Where nothing else can be told before this is mended."""
        self.blame(key, text)
        raise ConfigError(self.problems)

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
