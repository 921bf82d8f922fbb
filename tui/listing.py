"""Opens the list of the folder a door works in."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tui.storage import opened_store

if TYPE_CHECKING:
    from agent.events import TodoUpdated
    from agent.todos.service import TodoService
    from store.database import Store


@asynccontextmanager
async def opened(session_id: str | None, *, newest: bool) -> AsyncGenerator[tuple[Store, TodoService], None]:
    """The list of one session, which may be of another folder; else of the newest here, or of none."""
    from agent.todos.service import TodoService
    from store import sessions

    workspace = str(Path.cwd().resolve())
    async with opened_store() as store:
        if session_id:
            session = await store.read(sessions.get, session_id)
            workspace = session.workspace
        elif newest and (found := await store.read(sessions.newest, workspace)):
            session_id = found.id
        yield store, TodoService(store, workspace, session_id, _nobody)


def _nobody(event: TodoUpdated) -> None:
    del event
