"""Brings a database file to the schema of this release before anyone uses it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import struct
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from store import salvage
from store.clock import format_time, now
from store.errors import NewerSchemaError
from store.script import statements

_EMPTY = b""


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    folder = resources.files("store.migrations")
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return tuple(Migration(int(name.split("_")[0]), (folder / name).read_text("utf-8")) for name in files)


def prepare(path: Path, steps: tuple[Migration, ...] | None = None) -> tuple[str, ...]:
    """Create, migrate or salvage `path`, and say what had to be done beyond the ordinary."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _own(path)
    steps = steps or migrations()
    latest = steps[-1].number
    if _header_is_current(path, latest):
        return ()
    with _alone(path):
        if _damaged(path, latest):
            notice = salvage.move_aside_and_rebuild(path, lambda fresh: _migrate(fresh, steps))
            suspect(path).unlink(missing_ok=True)
            return (notice,)
        return _migrate(path, steps)


def suspect(path: Path) -> Path:
    return path.with_name(path.name + "-suspect")


def mark_suspect(path: Path) -> None:
    """Damage was met while the file was in use: the next start salvages it before anyone goes on."""
    try:
        suspect(path).touch(mode=0o600)
    except OSError:
        return


def header_version(path: Path) -> int | None:
    """The schema number as the file itself states it, read without opening the database."""
    head = _head(path)
    return struct.unpack(">I", head[60:64])[0] if _whole(head) else None


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(100)


def _whole(head: bytes) -> bool:
    return len(head) == 100 and head.startswith(salvage.MAGIC)


def _own(path: Path) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    if path.parent.stat().st_mode & 0o077:
        path.parent.chmod(0o700)


def _header_is_current(path: Path, latest: int) -> bool:
    if suspect(path).exists() or _sibling(path, "-journal").exists():
        return False
    head = _head(path)
    if not _whole(head) or struct.unpack(">I", head[60:64])[0] != latest:
        return False
    return not _truncated(path, head)


def _truncated(path: Path, head: bytes) -> bool:
    wal = _sibling(path, "-wal")
    if wal.exists() and wal.stat().st_size:
        return False
    size = struct.unpack(">H", head[16:18])[0]
    pages = struct.unpack(">I", head[28:32])[0]
    stated = head[24:28] == head[92:96]
    return stated and path.stat().st_size < pages * (65536 if size == 1 else size)


def _sibling(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """Only one process at a time prepares a file; the lock ends with the process that holds it."""
    handle = os.open(_sibling(path, "-setup"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _damaged(path: Path, latest: int) -> bool:
    head = _head(path)
    if head == _EMPTY:
        return False
    if not _whole(head):
        return True
    if (found := struct.unpack(">I", head[60:64])[0]) > latest:
        raise NewerSchemaError(path, found, latest)
    if suspect(path).exists():
        return True
    try:
        with closing(sqlite3.connect(path, timeout=60)) as connection:
            # A look at the schema makes SQLite roll a hot journal back before the size is judged.
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            return _truncated(path, _head(path))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if salvage.is_damage(error):
            return True
        raise


def _migrate(path: Path, steps: tuple[Migration, ...]) -> tuple[str, ...]:
    latest = steps[-1].number
    notices: tuple[str, ...] = ()
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as connection:
        version = _version(connection)
        if version > latest:
            raise NewerSchemaError(path, version, latest)
        if 0 < version < latest:
            backup = _back_up(connection, path, version)
            notices = (f"the database was brought from schema {version} to {latest}; a copy is {backup}",)
        for migration in steps:
            if migration.number > version:
                _apply(connection, migration)
    return notices


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) < migration.number:
            for statement in statements(migration.sql):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {migration.number}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    stamp = format_time(now())[:19].replace(":", "").replace("-", "")
    backup = path.with_name(f"{path.name}.backup-v{version}-{stamp}")
    os.close(os.open(backup, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with closing(sqlite3.connect(backup)) as copy:
        connection.backup(copy)
    return backup
