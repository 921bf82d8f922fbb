"""Writes a setting into the user's file, and says so when something else decides here."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.opening import Opened


async def keep(opened: Opened, path: tuple[str, ...], raw: str) -> str:
    """Raises ConfigError or EditError; returns what stands in the way of it, or nothing."""
    return await asyncio.to_thread(_keep, opened, path, raw)


def _keep(opened: Opened, path: tuple[str, ...], raw: str) -> str:
    from agent.config.load import load, shorten
    from agent.config.save import save

    opening = opened.opening
    save(opening.paths, opening.environment, path, raw)
    loaded = load(
        opening.paths,
        opening.environment,
        project=opening.root,
        trusted=opened.trusted,
        assignments=opening.assignments,
    )
    origin = loaded.origin(path)
    mine = origin.startswith(shorten(opening.paths.config, opening.environment))
    return "" if mine else f"saved, but here {origin} wins"
