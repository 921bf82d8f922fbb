"""Screens that a longer story asks for one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from tui.bindings import key_for
from tui.escapes import safe
from tui.screens.overlay import Overlay
from tui.screens.picker import Title
from tui.transcript.ink import Ink
from tui.transcript.wrapping import Run, wrap
from tui.widgets.drawn import Drawn
from tui.widgets.field import Field

T = TypeVar("T")


async def asked(app: App[int], screen: Screen[T | None]) -> T | None:
    """What the screen gives, or None when it was closed."""
    given: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()

    def take(value: T | None) -> None:
        if not given.done():
            given.set_result(value)

    await app.push_screen(screen, take)
    return await given


class LineScreen(Overlay):
    """One line; `check` says what is wrong with it, and then it is asked for again."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "close", "Leave it", id="line-close")]

    def __init__(
        self,
        ink: Ink,
        title: str,
        placeholder: str,
        check: Callable[[str], str],
        *,
        value: str = "",
        secret: bool = False,
        below: Widget | None = None,
    ) -> None:
        super().__init__()
        self._ink, self._title, self._placeholder = ink, title, placeholder
        self._check, self._value, self._secret, self._below = check, value, secret, below

    def compose(self) -> ComposeResult:
        with Vertical(id="line"):
            yield Title(self._ink, self._title, f"enter keeps it  {key_for(self, 'line-close')} leaves it")
            yield Field(
                self._value, placeholder=self._placeholder, password=self._secret, compact=True, id="narrow"
            )
            yield Problem(self._ink)
            if self._below:
                yield self._below

    def on_mount(self) -> None:
        self.set_class(self._ink.glyphs.ascii, "ascii")
        self.set_focus(self.query_one(Input))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        problem = self._check(event.value.strip())
        if problem:
            self.query_one(Problem).show(problem)
        else:
            self.dismiss(event.value.strip())


class Problem(Drawn):
    """As many lines as it takes."""

    FILL = "panel"

    def __init__(self, ink: Ink) -> None:
        super().__init__(ink, id="problem")
        self._text = ""

    def show(self, text: str) -> None:
        self._text = safe(text)
        self.set_class(bool(text), "-told")
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport
        return len(self.rows(width))

    def rows(self, width: int) -> Sequence[Sequence[Run]]:
        style = self.ink.style("error", "panel")
        return [[(" ", style), *line.runs] for line in wrap([(self._text, style)], max(1, width - 2))]
