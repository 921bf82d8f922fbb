"""What the list of sessions asks for: a look into one, another title, or its end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agent.commands.results import TodoList
from agent.rewind.cleanup import sweep
from agent.todos.rules import STATUSES, order, progress
from store import lock, messages, sessions, todos
from store.records import TodoStatus
from tui.results import printed
from tui.screens.sessions import SessionScreen
from tui.transcript.entries import Body, Notice
from tui.transcript.feed import stored

if TYPE_CHECKING:
    from tui.stage import Stage

_MESSAGES = 6
_TODOS = 7
_LONGEST = 200


async def look(stage: Stage, asked: SessionScreen.Looked, *, unicode: bool) -> None:
    """The plan as it stands, and what was said last."""
    store, session_id = stage.opened.store, asked.session_id
    record = await store.read(sessions.get, session_id)
    seen = await store.read(todos.visible, record.workspace, session_id)
    mine = tuple(sorted((todo for todo in seen if todo.session_id == session_id), key=order))
    said = await store.read(messages.load, session_id, limit=_MESSAGES)
    bodies: list[Body] = [entry.body for entry in stored(said)]
    if mine:
        counted = Counter(todo.status for todo in mine)
        counts: dict[TodoStatus, int] = {status: counted[status] for status in STATUSES}
        shown = TodoList(mine[:_TODOS], progress(mine), counts)
        more = [Notice(f"and {len(mine) - _TODOS} more")] if len(mine) > _TODOS else []
        bodies = [printed(shown, unicode=unicode), *more, *bodies]
    asked.screen.show(session_id, bodies or [Notice("nothing was said yet")])


async def delete(stage: Stage, asked: SessionScreen.Deleted) -> None:
    opened, session_id = stage.opened, asked.session_id
    owner = lock.owner(opened.opening.paths.locks, session_id)
    if owner is not None:
        asked.screen.say(f"it is open in process {owner}; close it there first", failed=True)
        return
    await opened.store.write(sessions.delete, session_id)
    await sweep(opened.store, opened.opening.paths, at_once=True)
    asked.screen.drop(session_id)


async def rename(stage: Stage, asked: SessionScreen.Renamed) -> None:
    title = " ".join(asked.title.split())[:_LONGEST]
    if not title.isprintable():
        asked.screen.say("a title is a plain line", failed=True)
        return
    await stage.opened.store.write(sessions.rename, asked.session_id, title)
    asked.screen.retitle(asked.session_id, title)
