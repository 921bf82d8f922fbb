"""All keys and commands on one screen; a key is changed by choosing it and pressing another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen

from agent.commands.registry import Command
from tui.bindings import written
from tui.keyboard import Bound
from tui.screens.picker import PickerScreen, Title
from tui.screens.rows import Listed, Row, Rows
from tui.transcript.ink import Ink

RESET = "backspace"


def key_rows(bound: Iterable[Bound], commands: Iterable[Command]) -> list[Row]:
    rows: list[Row] = []
    place = ""
    for each in bound:
        if each.place != place:
            place = each.place
            rows += [*_gap(rows), Row("", place)]
        rows.append(_row(each))
    listed = [Row(f"/{each.name}", each.usage, each.help) for each in commands]
    return [*rows, *_gap(rows), Row("", "Commands"), *listed] if listed else rows


class KeysScreen(PickerScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "close", "Close", id="help"),
    ]
    ENTER = "changes it"

    class Rebound(Message):
        """Another key is wanted; `show` tells what became of it."""

        def __init__(self, screen: KeysScreen, name: str, key: str) -> None:
            super().__init__()
            self.screen, self.name, self.key = screen, name, key

    def __init__(self, ink: Ink, bound: Sequence[Bound], commands: Sequence[Command]) -> None:
        super().__init__(ink, "Keys", key_rows(bound, commands))
        self._bound = {each.name: each for each in bound}
        self._commands = tuple(commands)

    def listing(self, rows: Sequence[Row]) -> Rows:
        return Listed(self.ink, rows)

    def show(self, bound: Sequence[Bound], note: str = "") -> None:
        self._bound = {each.name: each for each in bound}
        self.query_one(Rows).show(key_rows(bound, self._commands))
        self.query_one(Title).show(note or "Keys", "" if note else self.hint, failed=bool(note))

    def choose(self, row: Row) -> None:
        if row.value.startswith("/"):
            self.dismiss(row.value)
            return
        bound = self._bound[row.value]

        def pressed(key: str | None) -> None:
            if key is not None:
                keys = ",".join(bound.usual) if key == RESET else key
                self.post_message(self.Rebound(self, bound.name, keys))

        self.app.push_screen(PressScreen(self.ink, bound.does), pressed)  # pyright: ignore[reportUnknownMemberType] # of any result


class PressScreen(ModalScreen[str | None], inherit_bindings=False):
    """Gives the next key that is pressed, whatever else that does."""

    def __init__(self, ink: Ink, does: str) -> None:
        super().__init__()
        self._ink, self._does = ink, does

    def compose(self) -> ComposeResult:
        with Vertical(id="press"):
            yield Title(self._ink, f"Press the key for: {self._does}", "")
            yield Title(self._ink, "", f"esc leaves it  {RESET} takes the default")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(None if event.key == "escape" else event.key)


def _row(bound: Bound) -> Row:
    keys = "  ".join(written(key) for key in bound.keys)
    usual = f" (default: {written(bound.usual[0])})" if bound.changed else ""
    return Row(bound.name, keys, f"{bound.does}{usual}", current=bound.changed, key=bound.name)


def _gap(rows: Sequence[Row]) -> list[Row]:
    return [Row("", "")] if rows else []
