"""How a door gets its settings: from the user's places, the folder it works in, and its own flags."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent.paths import Paths

if TYPE_CHECKING:
    from agent.config.load import Loaded
    from tui.parser import Options


def user_paths() -> Paths:
    return Paths.from_environment(os.environ)


def read_config(options: Options, *, trusted: bool = False) -> Loaded:
    """Raises `ConfigError`; notices go to stderr, where they disturb no script."""
    # pydantic costs 90 ms.
    from agent.config.load import load

    loaded = load(user_paths(), os.environ, project=Path.cwd(), trusted=trusted, assignments=options.settings)
    for notice in loaded.notices:
        sys.stderr.write(f"wakeful: note: {notice}\n")
    return loaded
