from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.tools.local import LocalWorkspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
async def workspace(root: Path, tmp_path: Path) -> AsyncIterator[LocalWorkspace]:
    local = LocalWorkspace(root, tmp_path / "logs", {"PATH": os.environ["PATH"]})
    yield local
    await local.close()
