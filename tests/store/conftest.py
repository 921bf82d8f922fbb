"""A real database file for every test that wants one."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from store import sessions
from store.database import Store, open_store
from store.records import Session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "wakeful.db"


@pytest.fixture
async def store(path: Path) -> AsyncGenerator[Store, None]:
    async with open_store(path) as opened:
        yield opened


@pytest.fixture
async def session(store: Store) -> Session:
    return await store.write(sessions.create, "/project", agent="build", model="offline")
