"""Opens the database for doors that need no session."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tui.configuration import user_paths
from tui.escapes import safe

if TYPE_CHECKING:
    from store.database import Store


@asynccontextmanager
async def opened_store() -> AsyncGenerator[Store, None]:
    """What had to be mended or migrated is told on stderr, where it disturbs no script."""
    from store.database import open_store

    async with open_store(user_paths().database) as store:
        for notice in store.notices:
            sys.stderr.write(f"wakeful: note: {safe(notice)}\n")
        yield store
