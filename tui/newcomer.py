"""Whether somebody was shown the choice of a model already, kept beside the log."""

from __future__ import annotations

import os
from pathlib import Path

from agent.paths import make_private_folder

NAME = "welcomed"


def is_new(folder: Path) -> bool:
    return not os.path.lexists(folder / NAME)


def welcome(folder: Path) -> None:
    """A full disk must not take the conversation along."""
    try:
        make_private_folder(folder)
        (folder / NAME).touch(0o600)
    except OSError:
        return
