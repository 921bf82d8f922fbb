"""The part of the app that ends things: what runs, what is typed, and the app itself."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from tui.bindings import key_for, written
from tui.prompting.prompted import Prompted
from tui.reading import Reading
from tui.widgets.activity import Activity
from tui.widgets.prompt import Prompt

_INTERRUPTED = 130
# Seconds for which a second press leaves.
_AGAIN = 4.0


class Leaving(Reading, Prompted):
    """Derive, and bind `stop` and `leave`."""

    _warning = ""

    @property
    def _warned(self) -> bool:
        """Whether the line says that the key leaves; it does only then."""
        return bool(self._warning) and self._line.noted == self._warning

    @property
    def _line(self) -> Activity:
        return self.screen_stack[0].query_one(Activity)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Paste) or (
            isinstance(event, events.Key)
            and written(event.key) not in (key_for(self, "stop"), key_for(self, "leave"))
        ):
            self._stay()
        await super().on_event(event)

    def on_text_area_changed(self, message: Prompt.Changed) -> None:
        """By whatever: what stands there now is meant to be sent."""
        if message.text_area is self.prompt and self.prompt.text:
            self._stay()

    def action_stop(self) -> None:
        """Copies what is marked, stops what runs, else clears what is typed; the second in a row leaves."""
        if self.away or self.copy_selection():
            return
        if self._warned:
            self.take_up()
            self.leave(_INTERRUPTED)
            return
        if self.stage and self.stage.interruptible:
            self.stage.interrupt()
        elif self.stage:
            self.set_aside()
        jobs = f" and ends {_counted(self.stage.jobs)}" if self.stage and self.stage.jobs else ""
        self._warning = f"{key_for(self, 'stop')} again leaves{jobs}, or {key_for(self, 'leave')}"
        self._line.note(self._warning, "waiting", _AGAIN)

    def action_leave(self) -> None:
        """As in a shell: with something typed the key deletes to the right."""
        if self.prompt.text and self.prompt.has_focus:
            self.prompt.action_delete_right()
        elif self.stage and self.stage.jobs and not self._warned:
            self._warning = f"{_counted(self.stage.jobs)} would end; {key_for(self, 'leave')} again leaves"
            self._line.note(self._warning, "waiting", _AGAIN)
        else:
            self.leave(0)

    def leave(self, status: int) -> None:
        """The session is put down in order, while there is still a screen to show it."""
        if self.stage:
            self.stage.leave(status)
        elif self.followed:
            self.followed.leave(status)
        else:
            self.exit(status)

    def _stay(self) -> None:
        if self._warned:
            self._line.note("")
        self._warning = ""


def _counted(jobs: Sequence[str]) -> str:
    # It comes with the store, which the first frame can do without.
    from tui.farewell import counted

    return counted(jobs)
