"""`wakeful trust`: lets a folder's own settings, agents and instructions take part, or no longer."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path

from agent.agents.load import load_all
from agent.config import consent
from agent.config.load import load
from store import workspaces
from tui.configuration import user_paths
from tui.errors import UsageError
from tui.escapes import safe
from tui.parser import Options
from tui.storage import opened_store

HELP = (
    "Trust a folder: its .wakeful/ settings, agents and AGENTS.md are used from now on.\n"
    "Endpoints, keys and allow rules are still never taken from it, models only with --models."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="which folder (default: this one)"
    )
    parser.add_argument(
        "--models", action="store_true", help="agree to the models that its settings and agents name now"
    )
    parser.add_argument("--revoke", action="store_true", help="no longer trust it")


def run(options: Options) -> int:
    folder = Path(options.folder).resolve()
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "name the project to trust")
    if options.revoke and options.models:
        raise UsageError("--revoke and --models contradict each other", "give one of them")
    wishes = asyncio.run(_trust(folder, trusted=not options.revoke, models=options.models))
    print(f"{folder} is {'no longer ' if options.revoke else ''}trusted")
    for wish in wishes:
        print(safe(f"agreed: {wish}" if options.models else f"not agreed yet: {wish}; --models agrees"))
    return 0


async def _trust(folder: Path, *, trusted: bool, models: bool) -> tuple[str, ...]:
    """The models that the folder asks for and that nobody had agreed to."""
    async with opened_store() as store:
        wishes = _wishes(folder, await store.read(consent.agreed, str(folder))) if trusted else ()
        if models:
            await store.write(consent.agree, str(folder), wishes)
        await store.write(workspaces.trust, str(folder), trusted=trusted)
    return wishes


def _wishes(folder: Path, agreed: frozenset[str]) -> tuple[str, ...]:
    paths = user_paths()
    loaded = load(paths, os.environ, project=folder, trusted=True, agreed=agreed)
    return (*loaded.wishes, *load_all(paths.config_folder / "agents", folder, agreed).wishes)
