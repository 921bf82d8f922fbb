"""One model host for all: loading litellm costs five CPU seconds."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import chdir
from pathlib import Path

import pytest
import pytest_asyncio

from agent.models.hosted import Host


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose modules leave a marker when anybody imports them."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in ("agent", "litellm", "json", "httpx"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'marker')!r}, 'w')")
    (folder / ".env").write_text("OPENAI_API_KEY=sk-planted\n")
    return folder


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def host(hostile: Path) -> AsyncGenerator[Host]:
    host = Host(os.environ)
    with chdir(hostile):
        await host.start()
    yield host
    await host.close()
