"""A real list in a real database for every test that wants one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.events import TodoUpdated
from agent.todos.actors import Actor
from agent.todos.service import TodoService
from store import sessions
from store.database import Store, open_store
from store.records import Session

AGENT = Actor("agent:build")
PLANNER = Actor("agent:plan", "readonly-shell")
EXPLORER = Actor("agent:explore", "readonly")
GUEST = Actor("agent:guest", "minimal")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store, None]:
    async with open_store(tmp_path / "wakeful.db") as opened:
        yield opened


@pytest.fixture
async def session(store: Store) -> Session:
    return await store.write(sessions.create, "/project", agent="build", model="offline")


@pytest.fixture
def events() -> list[TodoUpdated]:
    return []


@pytest.fixture
async def service(store: Store, session: Session, events: list[TodoUpdated]) -> TodoService:
    service = TodoService(store, "/project", session.id, events.append)
    await service.refresh()
    events.clear()
    return service
