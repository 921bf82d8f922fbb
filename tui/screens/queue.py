"""The messages that wait for the agent, to be taken back, dropped or put in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from agent.inbox import Inbox
from tui.bindings import key_for
from tui.screens.picker import PickerScreen
from tui.screens.rows import Row, Rows
from tui.transcript.ink import Ink

_LONGEST_LABEL = 500


class QueueScreen(PickerScreen):
    """Gives the id of the message that is to be edited."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+q", "close", "Close", id="queue"),
        Binding("ctrl+x", "drop", "Drop the message", priority=True, id="queue-drop"),
        Binding("shift+up,ctrl+up", "move(-1)", "Send it earlier", priority=True, id="queue-earlier"),
        Binding("shift+down,ctrl+down", "move(1)", "Send it later", priority=True, id="queue-later"),
    ]

    def __init__(self, ink: Ink, inbox: Inbox) -> None:
        super().__init__(ink, "Waiting for the agent", _rows(inbox))
        self._inbox = inbox

    @property
    def hint(self) -> str:
        drop, up, down = (key_for(self, f"queue-{what}") for what in ("drop", "earlier", "later"))
        return f"{drop} drops  {up} {down} move  enter edits  {key_for(self, 'picker-close')} closes"

    def action_drop(self) -> None:
        if row := self.query_one(Rows).row:
            self._inbox.withdraw(int(row.value))
            self._look()

    def action_move(self, by: int) -> None:
        if row := self.query_one(Rows).row:
            self._inbox.move(int(row.value), by)
            self._look()

    def _look(self) -> None:
        """At what waits now: the agent may have taken one meanwhile."""
        rows = _rows(self._inbox)
        self.query_one(Rows).show(rows)
        if not rows:
            self.dismiss(None)


def _rows(inbox: Inbox) -> Sequence[Row]:
    return [Row(str(each.id), each.text[:_LONGEST_LABEL]) for each in inbox]
