"""Choosing a session, with a look into the one the list stands at; others can be renamed and deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from tui.bindings import key_for
from tui.screens.picker import PickerScreen, Title
from tui.screens.preview import Preview
from tui.screens.rows import Row, Rows
from tui.transcript.entries import Body, Notice
from tui.transcript.ink import Ink

STEM = "/resume "
# Lines around a list and the look below it.
_FRAME = 16


class SessionScreen(PickerScreen):
    """Gives the line that goes back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+x", "delete", "Delete the session", priority=True, id="session-delete"),
        Binding("ctrl+r", "rename", "Rename the session", priority=True, id="session-rename"),
    ]
    MOST_COLUMNS, MOST_ROWS = 150, 24
    ENTER = "opens it"

    class Asked(Message):
        """About one session; `screen` is to be told."""

        def __init__(self, screen: SessionScreen, session_id: str) -> None:
            super().__init__()
            self.screen, self.session_id = screen, session_id

    class Looked(Asked):
        pass

    class Deleted(Asked):
        pass

    class Renamed(Asked):
        def __init__(self, screen: SessionScreen, session_id: str, title: str) -> None:
            super().__init__(screen, session_id)
            self.title = title

    def __init__(self, ink: Ink, title: str, rows: Sequence[Row]) -> None:
        super().__init__(ink, title, rows)
        self._seen: dict[str, tuple[Body, ...]] = {}
        self._doomed = ""

    @property
    def hint(self) -> str:
        rename, delete = (key_for(self, f"session-{what}") for what in ("rename", "delete"))
        return f"{rename} renames  {delete} deletes  {super().hint}"

    @property
    def height(self) -> int:
        return super().height if self.has_class("small") else self.MOST_ROWS

    def _fit(self, size: Size) -> None:
        """In a narrow window the look is below the list, which then takes no more than it needs."""
        super()._fit(size)
        stacked = not self.has_class("wide") and not self.has_class("small")
        most = max(1, (size.height - _FRAME) // 2)
        self.query_one(Rows).styles.height = min(len(self._rows), most) if stacked else "1fr"
        self.call_after_refresh(self.moved)

    def beside(self) -> Sequence[Widget]:
        return [Preview(self.ink)]

    def moved(self) -> None:
        row = self.query_one(Rows).row
        self._undoom()
        if row is None:
            self.query_one(Preview).show(())
        elif row.value in self._seen:
            self._preview(row)
        else:
            self.post_message(self.Looked(self, _id(row)))

    def show(self, session_id: str, bodies: Sequence[Body]) -> None:
        """What was asked for; it may be another that is looked at by now."""
        value = f"{STEM}{session_id}"
        self._seen[value] = tuple(bodies)
        row = self.query_one(Rows).row
        if row and row.value == value:
            self._preview(row)

    def _preview(self, row: Row) -> None:
        # Beside a preview the list has little room for what is said of a session.
        told = (Notice(row.detail),) if self.has_class("wide") else ()
        self.query_one(Preview).show((*told, *self._seen[row.value]))

    def say(self, text: str, *, failed: bool = False) -> None:
        self.query_one(Title).show(text, failed=failed)

    def drop(self, session_id: str) -> None:
        self._replace([row for row in self._rows if _id(row) != session_id])
        self.say("it is gone")

    def retitle(self, session_id: str, title: str) -> None:
        self._replace([replace(row, label=title) if _id(row) == session_id else row for row in self._rows])
        self._undoom()

    def action_close(self) -> None:
        """One that was about to be deleted stays, before all else."""
        if self._doomed:
            self._undoom()
        else:
            super().action_close()

    def action_delete(self) -> None:
        """Asked for twice: it does not come back."""
        row = self.query_one(Rows).row
        if row is None:
            return
        if row.current:
            self.say("this is the session you are in", failed=True)
        elif self._doomed == row.value:
            self._doomed = ""
            self.post_message(self.Deleted(self, _id(row)))
        else:
            self._doomed = row.value
            key = key_for(self, "session-delete")
            self.say(f"{key} again deletes it for good, with its messages and todos", failed=True)

    def action_rename(self) -> None:
        from tui.screens.asking import LineScreen

        row = self.query_one(Rows).row
        if row is None:
            return

        def named(title: str | None) -> None:
            if title:
                self.post_message(self.Renamed(self, _id(row), title))

        screen = LineScreen(self.ink, "Another title", "what it is about", lambda _: "", value=row.label)
        self.app.push_screen(screen, named)  # pyright: ignore[reportUnknownMemberType] # of any result

    def _undoom(self) -> None:
        self._doomed = ""
        self.query_one(Title).show(self._title, self.hint)

    def _replace(self, rows: Sequence[Row]) -> None:
        self._rows = tuple(rows)
        self.query_one(Rows).show(rows)
        self.moved()


def _id(row: Row) -> str:
    return row.value.removeprefix(STEM)
