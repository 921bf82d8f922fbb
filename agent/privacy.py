"""Keeps Wakeful's own folders and files readable by their owner alone, those of earlier versions included."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from agent.paths import Paths, make_private_folder
from store.privacy import is_open, tighten


def keep_private(paths: Paths) -> list[str]:
    """Repair modes; return what the user should know."""
    told = _is_exposed(paths.keys)
    make_private_folder(paths.state_folder)
    for thing in _own(paths):
        with suppress(OSError):
            tighten(thing)
    if not told:
        return []
    if _is_exposed(paths.keys):
        return [f"{paths.keys} can be read by others; run `chmod 600 {paths.keys}` as its owner"]
    advice = "renew the keys in it if other people use this machine"
    return [f"{paths.keys} could be read by others and is readable by you alone now; {advice}"]


def exposed(paths: Paths) -> list[Path]:
    """What others may read or enter, and should not."""
    return [thing for thing in _own(paths) if _is_exposed(thing)]


def _own(paths: Paths) -> Iterator[Path]:
    folders = dict.fromkeys((paths.config_folder, paths.data_folder, paths.state_folder))
    below = ("outputs", "locks", "drafts", "snapshots")
    yield from (folder for folder in folders if folder.is_dir())
    yield from (folder / name for folder in folders for name in below if (folder / name).is_dir())
    if paths.keys.is_file():
        yield paths.keys
    for file in (paths.database, paths.log):
        yield from (found for found in sorted(file.parent.glob(f"{file.name}*")) if found.is_file())


def _is_exposed(thing: Path) -> bool:
    try:
        return is_open(thing)
    except OSError:
        return False
