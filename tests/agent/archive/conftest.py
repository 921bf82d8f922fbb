from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from store.database import Store, open_store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store, None]:
    async with open_store(tmp_path / "wakeful.db") as opened:
        yield opened
