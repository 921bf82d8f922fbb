"""Writes a setting into the user's file, and says so when something else decides here."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.config.load import Loaded
    from agent.opening import Opened


async def keep(opened: Opened, path: tuple[str, ...], raw: str) -> str:
    """Raises ConfigError or EditError; returns what stands in the way of it, or nothing."""
    return await asyncio.to_thread(_keep, opened, path, raw)


def _keep(opened: Opened, path: tuple[str, ...], raw: str) -> str:
    from agent.config.load import shorten
    from agent.config.save import save

    opening = opened.opening
    save(opening.paths, opening.environment, path, raw)
    origin = reread(opened).origin(path)
    mine = origin.startswith(shorten(opening.paths.config, opening.environment))
    return "" if mine else f"saved, but here {origin} wins"


async def restore(opened: Opened, path: tuple[str, ...]) -> str:
    """Takes it out of the file, so that its default holds again; raises and returns as `keep` does."""
    return await asyncio.to_thread(_restore, opened, path)


def _restore(opened: Opened, path: tuple[str, ...]) -> str:
    from agent.config.load import DEFAULT
    from agent.config.save import forget

    gone = forget(opened.opening.paths, opened.opening.environment, path)
    origin = reread(opened).origin(path)
    if origin == DEFAULT:
        return ""
    return f"gone from your file, but here {origin} wins" if gone else f"{origin} says so, not your file"


def reread(opened: Opened) -> Loaded:
    """The settings as they are now; the session goes on with those it began with."""
    from agent.config.load import load

    opening = opened.opening
    return load(
        opening.paths,
        opening.environment,
        # A session stays where it began, wherever it is continued from.
        project=Path(opened.workshop.record.workspace),
        trusted=opened.trusted,
        agreed=opened.loaded.agreed,
        assignments=opening.assignments,
    )
