"""How a door gets its settings: from the user's places, the folder it works in, and its own flags."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent.paths import Paths

if TYPE_CHECKING:
    from agent.config.load import Loaded
    from store.inspect import Standing
    from tui.parser import Options


def user_paths() -> Paths:
    return Paths.from_environment(os.environ)


def folder_standing(folder: Path | None = None) -> Standing:
    """What the user decided about a folder, this one by default."""
    from store.inspect import standing

    return standing(user_paths().database, str((folder or Path.cwd()).resolve()))


def agreed_values(standing: Standing) -> frozenset[str]:
    from agent.config.consent import TOOL

    return frozenset(
        pattern for tool, pattern, verdict in standing.grants if (tool, verdict) == (TOOL, "allow")
    )


def read_config(options: Options, standing: Standing | None = None) -> Loaded:
    """The settings that are in force in this folder: the project's own only where it is trusted.

    Raises `ConfigError`; notices go to stderr, where they disturb no script.
    """
    # pydantic costs 90 ms.
    from agent.config.load import load

    standing = standing or folder_standing()
    loaded = load(
        user_paths(),
        os.environ,
        project=Path.cwd().resolve(),
        trusted=standing.trusted,
        agreed=agreed_values(standing),
        assignments=options.settings,
    )
    for notice in loaded.notices:
        sys.stderr.write(f"wakeful: note: {notice}\n")
    return loaded
