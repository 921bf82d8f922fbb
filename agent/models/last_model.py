"""The model that the user chose last, for the next session that names none."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from tempfile import mkstemp

from agent.models.names import LONGEST, is_name
from agent.paths import make_private_folder

NAME = "last_model"


def load(folder: Path) -> str | None:
    """None where nothing was chosen, or the file is not what was written."""
    try:
        with (folder / NAME).open("rb") as file:
            name = file.read(LONGEST + 2).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return name if is_name(name) else None


def save(folder: Path, name: str) -> None:
    """A full disk must not take the conversation along."""
    if load(folder) == name:
        return
    with contextlib.suppress(OSError):
        make_private_folder(folder)
        handle, temporary = mkstemp(dir=folder, prefix=NAME)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(f"{name}\n")
            Path(temporary).replace(folder / NAME)
        finally:
            Path(temporary).unlink(missing_ok=True)
