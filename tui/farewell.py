"""The one line that stays in the terminal when the app has left it: how far the plan is, how to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent.todos.lines import ratio
from store import sessions
from store.frozen import frozen
from store.records import Progress

if TYPE_CHECKING:
    from agent.opening import Opened


@frozen
class Farewell:
    session_id: str
    progress: Progress
    newest: bool

    def worded(self, *, elsewhere: bool, unicode: bool) -> str:
        """`elsewhere` is where the shell is not in the folder of the session, which `-c` goes by."""
        way = f"-r {self.session_id}" if elsewhere or not self.newest else "-c"
        done = f"{ratio(self.progress)} done {'·' if unicode else '-'} " if self.progress.total else ""
        return f"{done}wakeful {way} goes on"


async def bid_farewell(opened: Opened) -> Farewell | None:
    """None where nothing was said or planned that one could come back to."""
    session, snapshot = opened.session, opened.session.agenda.service.snapshot
    planned = any(todo.session_id == session.id for todo in snapshot.todos)
    if not session.journal.messages and not planned:
        return None
    newest = await opened.store.read(sessions.newest, str(opened.opening.root.resolve()))
    return Farewell(session.id, snapshot.progress, newest is not None and newest.id == session.id)
