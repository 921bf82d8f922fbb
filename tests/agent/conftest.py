"""A real database and session for the services that need them."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from store import sessions
from store.database import Store, open_store
from store.records import Session


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store, None]:
    async with open_store(tmp_path / "home" / "wakeful.db") as opened:
        yield opened


@pytest.fixture
async def session(store: Store) -> Session:
    return await store.write(sessions.create, "/project", agent="build", model="offline")
