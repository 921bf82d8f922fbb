from __future__ import annotations

from pathlib import Path

import pytest

from agent.permissions.paths import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A workspace with a link out of it, beside the home that holds what is ours."""
    root, home = tmp_path / "ws", tmp_path / "home"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("a\n")
    (tmp_path / "secret.txt").write_text("secret")
    (root / "out").symlink_to(tmp_path)
    (root / "link").symlink_to(tmp_path / "secret.txt")
    private = home / ".config" / "wakeful"
    private.mkdir(parents=True)
    (private / "keys.toml").write_text("key")
    outputs = home / ".local" / "state" / "wakeful" / "outputs"
    outputs.mkdir(parents=True)
    return Places(root, (private, outputs.parent), (outputs,), home)
