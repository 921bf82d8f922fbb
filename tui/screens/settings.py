"""All settings, read off their model: each with its value, where that comes from and what it does."""

from __future__ import annotations

from collections.abc import Sequence

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
from tui.screens.asking import LineScreen
from tui.screens.picker import PickerScreen, Title
from tui.screens.rows import Listed, Row, Rows
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap
from tui.widgets.drawn import Drawn


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
        kind = ", ".join(self.setting.choices) or self.setting.expected
        variable = f"  {self.setting.variable}" if self.setting.variable else ""
        return f"{kind}; default: {_said(as_written(self.setting.default))}{variable}"

    @property
    def next(self) -> str | None:
        """The choice behind this one; None where there is nothing to go through."""
        choices = self.setting.choices
        if not choices:
            return None
        bare = _bare(self.value)
        return choices[(choices.index(bare) + 1) % len(choices)] if bare in choices else choices[0]


def all_shown(loaded: Loaded) -> list[Shown]:
    found: list[Shown] = []
    for path, value, origin in values(loaded):
        setting = find_setting(path)
        if setting:
            found.append(Shown(setting, path, as_written(value), origin))
    return found


class SettingsScreen(PickerScreen):
    BENEATH = 4
    ENTER = "changes it"

    class Changed(Message):
        """A value that is legal is wanted; `show` tells what became of it."""

        def __init__(self, screen: SettingsScreen, path: tuple[str, ...], raw: str) -> None:
            super().__init__()
            self.screen, self.path, self.raw = screen, path, raw

    def __init__(self, ink: Ink, shown: Sequence[Shown]) -> None:
        super().__init__(ink, "Settings", _rows(shown))
        self._shown = {each.key: each for each in shown}
        self._help = Help(ink)

    def listing(self, rows: Sequence[Row]) -> Rows:
        found = Listed(self.ink, rows)
        found.to_first()
        return found

    def below(self) -> Sequence[Widget]:
        return [self._help]

    def show(self, shown: Sequence[Shown], note: str, *, failed: bool = False) -> None:
        self._shown = {each.key: each for each in shown}
        self.query_one(Rows).show(_rows(shown))
        self.query_one(Title).show(note, failed=failed)
        self._describe()

    def moved(self) -> None:
        self.query_one(Title).show("Settings", self.hint)
        self._describe()

    def choose(self, row: Row) -> None:
        shown = self._shown[row.value]
        if shown.next is not None:
            self.post_message(self.Changed(self, shown.path, shown.next))
            return

        def typed(raw: str | None) -> None:
            if raw is not None:
                self.post_message(self.Changed(self, shown.path, raw))

        def check(raw: str) -> str:
            return problem_with(shown.path, raw)

        help_ = Help(self.ink)
        help_.show(shown)
        line = LineScreen(self.ink, shown.key, shown.about, check, value=_bare(shown.value), below=help_)
        self.app.push_screen(line, typed)  # pyright: ignore[reportUnknownMemberType] # of any result

    def _describe(self) -> None:
        row = self.query_one(Rows).row
        self._help.show(self._shown.get(row.value) if row else None)


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
        runs: list[Run] = [(shown.setting.description.replace("`", ""), text), (f"\n{shown.about}", dim)]
        return [[("   ", text), *line.runs] for line in wrap(runs, max(1, width - 4))]


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
        validate(Entry(path, parse_value(raw), "", raw))
    except ConfigError as error:
        return error.problems[0].text
    return ""


def _rows(shown: Sequence[Shown]) -> list[Row]:
    rows: list[Row] = []
    area, areas = "", {part.name: part.description for part in parts(Config)}
    for each in shown:
        if each.path[0] != area:
            area = each.path[0]
            about = areas[area].rstrip(".")
            rows += [
                *([Row("", "")] if rows else []),
                Row("", f"{area}: {about[0].lower()}{about[1:]}" if about else area),
            ]
        changed = each.origin != DEFAULT
        rows.append(Row(each.key, each.key, _said(each.value), changed, each.origin if changed else ""))
    return rows
