"""The one line that stays in the terminal when the app has left it: how far the plan is, how to come back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.todos.lines import ratio
from store import sessions
from store.frozen import frozen
from store.records import Progress
from tui.clipping import clipped
from tui.escapes import safe

if TYPE_CHECKING:
    from agent.opening import Opened


_NAMED, _LONGEST = 3, 40


@frozen
class Farewell:
    session_id: str
    progress: Progress
    newest: bool
    jobs: tuple[str, ...] = ()

    def worded(self, *, elsewhere: bool, unicode: bool) -> str:
        """`elsewhere` is where the shell is not in the folder of the session, which `-c` goes by."""
        way = f"-r {self.session_id}" if elsewhere or not self.newest else "-c"
        done = f"{ratio(self.progress)} done {'·' if unicode else '-'} " if self.progress.total else ""
        ended = f"{ended_with(self.jobs)} {'·' if unicode else '-'} " if self.jobs else ""
        return f"{ended}{done}wakeful {way} goes on"


def ended_with(jobs: Sequence[str]) -> str:
    """`ended 1 job: make watch`."""
    return f"ended {_count(jobs)}: {named(jobs)}"


def counted(jobs: Sequence[str]) -> str:
    """`2 jobs (make watch, npm start)`."""
    return f"{_count(jobs)} ({named(jobs)})"


def _count(jobs: Sequence[str]) -> str:
    return "1 job" if len(jobs) == 1 else f"{len(jobs)} jobs"


def named(jobs: Sequence[str]) -> str:
    """The first of their commands, each on one line."""
    shown = [clipped(" ".join(safe(job).split()), _LONGEST, "...") for job in jobs[:_NAMED]]
    more = f" and {len(jobs) - _NAMED} more" if len(jobs) > _NAMED else ""
    return f"{', '.join(shown)}{more}"


async def bid_farewell(opened: Opened) -> Farewell | None:
    """None where nothing was said or planned that one could come back to."""
    session, snapshot = opened.session, opened.session.agenda.service.snapshot
    planned = any(todo.session_id == session.id for todo in snapshot.todos)
    if not session.journal.messages and not planned:
        return None
    newest = await opened.store.read(sessions.newest, str(opened.opening.root.resolve()))
    listed = opened.workshop.workspace.jobs.list()
    jobs = tuple(job.command for job in listed if job.code is None)
    return Farewell(session.id, snapshot.progress, newest is not None and newest.id == session.id, jobs)
