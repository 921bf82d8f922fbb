"""Choosing a theme: moving through the list wears each at once, with a sample of everything it paints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from textual.message import Message
from textual.widget import Widget

from agent.config.errors import ConfigError, Problem
from agent.config.load import shorten
from agent.paths import Paths
from store.frozen import frozen
from tui.appearance import fitted
from tui.screens.picker import PickerScreen, Title
from tui.screens.preview import Preview
from tui.screens.rows import Row, Rows
from tui.theme import Palette, load_theme, theme_names, user_folder
from tui.transcript.entries import AssistantText, Body, Failure, Notice, ToolCall, UserMessage
from tui.transcript.ink import Ink

_SAMPLE: tuple[Body, ...] = (
    UserMessage("Why does the login test fail at times?"),
    AssistantText(
        "It compares **two clocks**; see [the docs](https://docs.python.org). `now` is asked twice."
    ),
    ToolCall("Ran", "pytest tests/test_login.py", "completed", 812, "1 failed, 11 passed", preview=1),
    ToolCall(
        "Edited",
        "session.py",
        "completed",
        4,
        diff="--- session.py\n+++ session.py\n@@ -41,3 +41,3 @@\n def fresh(token, now):\n"
        "-    if token.expired():  # asks again\n+    if token.expired(now):\n         return None\n",
    ),
    Notice("wakes 3/25 used; type to continue", "warning"),
    Failure("no answer from the server", "try again"),
)


@frozen
class Offer:
    """A theme that can be worn, or what is wrong with its file."""

    name: str
    palette: Palette | None
    problems: tuple[Problem, ...] = ()

    @property
    def detail(self) -> str:
        if self.palette is None:
            return _brief(self.name, self.problems[0])
        return ("dark" if self.palette.dark else "light") if self.palette.exact else "the terminal's own"


def offers(paths: Paths, environment: Mapping[str, str]) -> list[Offer]:
    return [_offer(name, user_folder(paths), environment) for name in theme_names(user_folder(paths))]


def _offer(name: str, folder: Path, environment: Mapping[str, str]) -> Offer:
    try:
        return Offer(name, fitted(load_theme(name, folder), environment))
    except ConfigError as error:
        problems = (Problem(shorten(Path(each.place), environment), each.text) for each in error.problems)
        return Offer(name, None, tuple(problems))


def _brief(name: str, problem: Problem) -> str:
    """The file is the one that the row names, unless it stands on another."""
    file, _, line = problem.place.rpartition(":")
    if not line.isdecimal():
        return problem.text
    where = f"line {line}" if Path(file).stem == name else Path(problem.place).name
    return f"{where}: {problem.text}"


class ThemeScreen(PickerScreen):
    MOST_ROWS = 20
    ENTER, CLOSE = "keeps it", "goes back"

    class Tried(Message):
        def __init__(self, palette: Palette) -> None:
            super().__init__()
            self.palette = palette

    def __init__(self, ink: Ink, themes: Sequence[Offer], current: str) -> None:
        rows = [
            Row(each.name, each.name, each.detail, each.name == current, failed=each.palette is None)
            for each in themes
        ]
        super().__init__(ink, "Theme", rows)
        self._offers = {each.name: each for each in themes}
        self._worn = ink.palette

    @property
    def height(self) -> int:
        return self.MOST_ROWS if self.has_class("wide") else super().height

    def beside(self) -> Sequence[Widget]:
        return [Preview(self.ink, _SAMPLE)]

    def moved(self) -> None:
        row = self.query_one(Rows).row
        offer = self._offers[row.value] if row else None
        problems = offer.problems if offer else ()
        self.query_one(Title).show(self._title, self.hint)
        self.query_one(Preview).show([Failure(str(each)) for each in problems] or _SAMPLE)
        if offer and offer.palette and offer.palette != self._worn:
            self._worn = offer.palette
            self.post_message(self.Tried(offer.palette))

    def choose(self, row: Row) -> None:
        offer = self._offers[row.value]
        if offer.palette:
            self.dismiss(row.value)
        else:
            self.query_one(Title).show(offer.detail, self.hint, failed=True)
