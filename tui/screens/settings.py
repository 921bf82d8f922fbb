"""All settings, read off their model: each with its value, where that comes from and what it does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, cast

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from agent.config.areas import parts
from agent.config.edit import format_key
from agent.config.errors import ConfigError
from agent.config.layers import Entry, parse_value
from agent.config.load import DEFAULT, Loaded, validate, values
from agent.config.models import Config
from agent.config.settings import Setting, find_setting
from agent.config.written import as_written
from store.frozen import frozen
from tui.bindings import key_for
from tui.screens.asking import LineScreen
from tui.screens.picker import PickerScreen, Title
from tui.screens.rows import Listed, Row, Rows
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap
from tui.widgets.drawn import Drawn

THEME = ("ui", "theme")
_SWITCH = ("true", "false")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@frozen
class Shown:
    setting: Setting
    path: tuple[str, ...]
    value: str
    origin: str

    @property
    def key(self) -> str:
        return format_key(self.path)

    @property
    def about(self) -> str:
        """What may stand there, and what stands there by itself."""
        setting = self.setting
        kind = ", ".join(setting.choices) or setting.expected
        if isinstance(setting.default, tuple):
            kind += ': ["…", "…"], or one as it is'
        variable = setting.variable_of(self.path)
        return f"{kind}; default: {self.usual}{f'  {variable}' if variable else ''}"

    @property
    def usual(self) -> str:
        return _said(as_written(self.setting.default))

    @property
    def changed(self) -> bool:
        return self.origin != DEFAULT


def all_shown(loaded: Loaded) -> list[Shown]:
    found: list[Shown] = []
    for path, value, origin in values(loaded):
        setting = find_setting(path)
        if setting:
            found.append(Shown(setting, path, as_written(value), origin))
    return found


class SettingsScreen(PickerScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+x", "reset", "Take the default again", priority=True, id="setting-reset")
    ]
    BENEATH = 4
    ENTER = "changes it"

    class Changed(Message):
        """Another value is wanted, None for the default; `show` tells what became of it."""

        def __init__(self, screen: SettingsScreen, path: tuple[str, ...], raw: str | None) -> None:
            super().__init__()
            self.screen, self.path, self.raw = screen, path, raw

    class ThemeAsked(Message):
        """The themes are to be shown, which say more than their names."""

        def __init__(self, screen: SettingsScreen) -> None:
            super().__init__()
            self.screen = screen

    def __init__(self, ink: Ink, shown: Sequence[Shown]) -> None:
        super().__init__(ink, "Settings", _rows(shown))
        self._shown = {each.key: each for each in shown}
        self._help = Help(ink)

    @property
    def hint(self) -> str:
        shown = self._current
        reset = f"{key_for(self, 'setting-reset')} takes the default  " if shown and shown.changed else ""
        return f"{reset}{super().hint}"

    @property
    def _current(self) -> Shown | None:
        rows = next(iter(self.query(Rows)), None)
        return self._shown.get(rows.row.value) if rows and rows.row else None

    def listing(self, rows: Sequence[Row]) -> Rows:
        found = _Values(self.ink, rows)
        found.to_first()
        return found

    def below(self) -> Sequence[Widget]:
        return [self._help]

    def show(self, shown: Sequence[Shown], note: str, *, failed: bool = False) -> None:
        self._shown = {each.key: each for each in shown}
        self.query_one(Rows).show(_rows(shown))
        self.query_one(Title).show(note, self.hint, failed=failed)
        self._help.show(self._current)

    def moved(self) -> None:
        self.query_one(Title).show("Settings", self.hint)
        self._help.show(self._current)

    def choose(self, row: Row) -> None:
        shown = self._shown[row.value]
        if shown.path == THEME:
            self.post_message(self.ThemeAsked(self))
        elif shown.setting.choices == _SWITCH:
            self._change(shown, _SWITCH[shown.value == _SWITCH[0]])
        else:
            self._ask(shown)

    def action_reset(self) -> None:
        if (shown := self._current) and shown.changed:
            self._change(shown, None)

    def _ask(self, shown: Shown) -> None:
        def answered(raw: str | None) -> None:
            if raw is not None:
                self._change(shown, raw)

        def check(raw: str) -> str:
            return problem_with(shown.path, raw)

        help_ = Help(self.ink)
        help_.show(shown)
        value = "" if shown.value == "[]" else _bare(shown.value)
        screen = (
            ChoiceScreen(self.ink, shown, help_)
            if shown.setting.choices
            else LineScreen(self.ink, shown.key, shown.about, check, value=value, below=help_)
        )
        self.app.push_screen(screen, answered)  # pyright: ignore[reportUnknownMemberType] # of any result

    def _change(self, shown: Shown, raw: str | None) -> None:
        self.post_message(self.Changed(self, shown.path, raw))


class _Values(Listed):
    """Names are longer than most values."""

    LEAST = 26


class ChoiceScreen(PickerScreen):
    """What one setting may be; nothing is written before one is taken."""

    BENEATH = 4
    ENTER, CLOSE = "keeps it", "goes back"

    def __init__(self, ink: Ink, shown: Shown, about: Widget) -> None:
        rows = [
            Row(each, each, "default" if each == shown.usual else "", each == _bare(shown.value))
            for each in shown.setting.choices
        ]
        super().__init__(ink, shown.key, rows)
        self._about = about

    def below(self) -> Sequence[Widget]:
        return [self._about]


class Help(Drawn):
    FILL = "panel"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="setting-help")
        self._shown: Shown | None = None

    def show(self, shown: Shown | None) -> None:
        self._shown = shown
        self.refresh()

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        shown, ink = self._shown, self.ink
        if shown is None:
            return []
        text, dim = ink.style("text", "panel"), ink.style("dim", "panel")
        runs: list[Run] = [(_plain(shown.setting.description), text), (f"\n{shown.about}", dim)]
        return [[("   ", text), *line.runs] for line in wrap(runs, max(1, width - 4))]


def _plain(text: str) -> str:
    """Without the marks it has for the docs."""
    return _LINK.sub(r"\1", text).replace("`", "")


def _bare(value: str) -> str:
    """As one says it; quotes are for the file."""
    return value.strip('"')


def _said(value: str) -> str:
    """As one reads it: what is to be edited keeps its digits together."""
    bare = _bare(value)
    if bare.isdecimal():
        return f"{int(bare):,}"
    return "none" if bare in ("", "[]") else bare


def problem_with(path: tuple[str, ...], raw: str) -> str:
    """What is wrong with a value, or nothing."""
    try:
        value = validate(Entry(path, parse_value(raw), "", raw))
    except ConfigError as error:
        # Which setting it is stands above.
        return error.problems[0].text.removeprefix(f"bad value for {'.'.join(path)}: ")
    if path[0] != "keys":
        return ""
    # It loads every widget that has keys.
    from tui.keyboard import check

    name, keys = path[1], ",".join(cast("tuple[str, ...]", value))
    checked = check({name: keys})
    return "" if name in checked.keymap else checked.problems[0].text


def _rows(shown: Sequence[Shown]) -> list[Row]:
    rows: list[Row] = []
    area, areas = "", {part.name: part.description for part in parts(Config)}
    for each in shown:
        if each.path[0] != area:
            area = each.path[0]
            about = _plain(areas[area]).rstrip(".")
            rows += [
                *([Row("", "")] if rows else []),
                Row("", f"{area}: {about[0].lower()}{about[1:]}" if about else area),
            ]
        origin = each.origin if each.changed else ""
        rows.append(Row(each.key, each.key, _said(each.value), each.changed, origin))
    return rows
