"""Looks at a database file without changing it, for `doctor`."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from store.database import LOCAL, journal_mode
from store.frozen import frozen
from store.schema import header_version, migrations


@frozen
class Inspection:
    exists: bool
    size: int
    schema: int | None
    latest: int
    journal: str
    problem: str | None


@frozen
class Standing:
    """Whether a folder is trusted, and the answers kept for it, as tool, pattern and verdict."""

    trusted: bool = False
    grants: tuple[tuple[str, str, str], ...] = ()


def inspect(path: Path) -> Inspection:
    latest = migrations()[-1].number
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return Inspection(False, 0, None, latest, journal_mode(), _unwritable(path.parent))
    except OSError as error:
        return Inspection(False, 0, None, latest, journal_mode(), f"cannot be read: {error.strerror}")
    try:
        schema = header_version(path)
    except sqlite3.OperationalError as error:
        return Inspection(True, size, None, latest, "unknown", f"cannot be read: {error}")
    if schema is None:
        problem = "not a whole SQLite database; it will be moved aside at the next start"
        return Inspection(True, size, None, latest, journal_mode(), problem)
    if schema > latest:
        return Inspection(True, size, schema, latest, "unknown", f"schema {schema} is newer than {latest}")
    return _opened(path, size, schema, latest)


def standing(path: Path, folder: str, tenant: str = LOCAL) -> Standing:
    """What the user decided about a folder, from a file that may be absent, older or damaged."""
    place = "SELECT 1 FROM workspaces WHERE tenant = ? AND path = ? AND trusted_at IS NOT NULL"
    kept = (
        "SELECT tool, pattern, verdict FROM grants WHERE tenant = ? AND session_id IS NULL"
        " AND (workspace IS NULL OR workspace = ?) ORDER BY id"
    )
    if not path.exists():
        return Standing()
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            trusted = connection.execute(place, (tenant, folder)).fetchone() is not None
            rows = connection.execute(kept, (tenant, folder)).fetchall()
    except sqlite3.Error:
        return Standing()
    return Standing(
        trusted, tuple((str(tool), str(pattern), str(verdict)) for tool, pattern, verdict in rows)
    )


def _opened(path: Path, size: int, schema: int, latest: int) -> Inspection:
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            mode = str(connection.execute("PRAGMA journal_mode").fetchone()[0])
            verdict = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.Error as error:
        return Inspection(True, size, schema, latest, "unknown", str(error))
    problem = _unwritable(path, path.parent) if verdict == "ok" else verdict
    return Inspection(True, size, schema, latest, mode, problem)


def _unwritable(*places: Path) -> str | None:
    """The journal stands beside the file, so that its folder has to take new ones too."""
    for place in places:
        existing = next(each for each in (place, *place.parents) if each.exists())
        if not os.access(existing, os.W_OK):
            return f"{existing} cannot be written"
    return None
