"""Pastes that are too large for a message go into a file that the agent may read."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from agent.paths import make_private_folder, outputs_folder
from tui.prompting.tokens import TOLD


def mentioned(word: str, text: str, file: Path | None) -> str:
    """How the agent is told of it; where it could not be kept, as much of it as a message takes."""
    if file is None:
        return text[:TOLD]
    return f"{word[:-1]}, {len(text):,} letters: all of it is in {file}]"


def put_aside(state_folder: Path, workspace: Path, text: str) -> Path | None:
    """Beside the long outputs of commands; None when the disk does not take it."""
    folder, data = outputs_folder(state_folder, workspace), text.encode("utf-8", "replace")
    file = folder / f"pasted-{sha256(data).hexdigest()[:20]}.txt"
    try:
        make_private_folder(folder)
        file.touch(mode=0o600)
        file.write_bytes(data)
    except OSError:
        return None
    return file
