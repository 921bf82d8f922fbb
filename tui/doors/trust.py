"""`wakeful trust`: lets a folder's own settings, agents and instructions take part, or no longer."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from store import workspaces
from tui.errors import UsageError
from tui.parser import Options
from tui.storage import opened_store

HELP = (
    "Trust a folder: its .wakeful/ settings, agents and AGENTS.md are used from now on.\n"
    "Endpoints, keys and allow rules are still never taken from it."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="DIR", help="which folder (default: this one)"
    )
    parser.add_argument("--revoke", action="store_true", help="no longer trust it")


def run(options: Options) -> int:
    folder = Path(options.folder).resolve()
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", "name the project to trust")
    asyncio.run(_trust(folder, trusted=not options.revoke))
    print(f"{folder} is {'no longer ' if options.revoke else ''}trusted")
    return 0


async def _trust(folder: Path, *, trusted: bool) -> None:
    async with opened_store() as store:
        await store.write(workspaces.trust, str(folder), trusted=trusted)
