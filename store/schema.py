"""Brings a database file to the schema of this release before anyone uses it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from store import salvage
from store.clock import compact_time, now
from store.errors import NewerSchemaError, StoreError
from store.files import sibling
from store.frozen import frozen
from store.privacy import tighten
from store.script import statements

# Seconds; a big file may be copied or salvaged meanwhile.
PATIENCE = 60.0


@frozen
class Migration:
    number: int
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    files = sorted((Path(__file__).parent / "migrations").glob("*.sql"))
    return tuple(Migration(int(file.name.split("_")[0]), file.read_text("utf-8")) for file in files)


def prepare(path: Path, steps: tuple[Migration, ...] | None = None) -> tuple[str, ...]:
    """Create, migrate or salvage `path`, and say what had to be done beyond the ordinary."""
    with in_use(path, steps) as notices:
        return notices


@contextmanager
def in_use(path: Path, steps: tuple[Migration, ...] | None = None) -> Generator[tuple[str, ...]]:
    """Prepare `path` and keep other processes from moving it aside: what is open must not be renamed."""
    steps = steps or migrations()
    _own(path)
    with _open(sibling(path, "-use")) as users:
        _wait_for(users, fcntl.LOCK_SH, path)
        notices: tuple[str, ...] = ()
        if not _current(path, steps[-1].number):
            fcntl.flock(users, fcntl.LOCK_UN)
            with _open(sibling(path, "-setup")) as setup:
                _wait_for(setup, fcntl.LOCK_EX, path)
                notices = _mended(path, steps, users)
                fcntl.flock(users, fcntl.LOCK_SH)
        yield notices


def suspect(path: Path) -> Path:
    return sibling(path, "-suspect")


def mark_suspect(path: Path) -> None:
    """Damage was met while the file was in use: the next start examines it before anyone goes on."""
    try:
        suspect(path).touch(mode=0o600)
    except OSError:
        return


def header_version(path: Path) -> int | None:
    """The schema number the file itself states; nothing is locked, rolled back or written for it.

    SQLite reads it for us: closing the file by hand would drop every lock this process has on it.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)) as connection:
            return _version(connection)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return None


def _own(path: Path) -> None:
    """Make folder and file private; a folder that others use too keeps its mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    for thing in (path, path.parent):
        tighten(thing)


def _current(path: Path, latest: int) -> bool:
    marked = suspect(path).exists() or sibling(path, "-journal").exists()
    return not marked and header_version(path) == latest


@contextmanager
def _open(path: Path) -> Generator[int]:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _wait_for(handle: int, kind: int, path: Path) -> None:
    """Wait with an end, because a process that is stopped keeps its locks."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise StoreError(
                    f"another process has been preparing {path} for {PATIENCE:.0f} s; end it and try again"
                ) from None
            time.sleep(0.02)


def _mended(path: Path, steps: tuple[Migration, ...], users: int) -> tuple[str, ...]:
    if not _damaged(path, steps[-1].number):
        notices = _migrate(path, steps)
    else:
        try:
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(
                f"{path} is damaged and still open in another process; close that one and start again"
            ) from None
        notices = (salvage.move_aside_and_rebuild(path, lambda fresh: _migrate(fresh, steps)),)
    suspect(path).unlink(missing_ok=True)
    return notices


def _damaged(path: Path, latest: int) -> bool:
    found = header_version(path)
    if found is not None and found > latest:
        raise NewerSchemaError(path, found, latest)
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
            # A look at the schema makes SQLite roll a hot journal back and compare sizes.
            tables = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_schema")}
            if not suspect(path).exists():
                return False
            return not _sound(connection) or (found == latest and not tables.issuperset(salvage.TABLES))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if salvage.is_damage(error):
            return True
        raise


def _sound(connection: sqlite3.Connection) -> bool:
    """Every page and both search indexes, which SQLite's own check leaves out before 3.44."""
    for table in ("message_search", "todo_search"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    return connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)


def _migrate(path: Path, steps: tuple[Migration, ...]) -> tuple[str, ...]:
    latest = steps[-1].number
    notices: tuple[str, ...] = ()
    with closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)) as connection:
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
    backup = path.with_name(f"{path.name}.backup-v{version}-{compact_time(now())}")
    # Only a whole copy gets the name of one.
    partial = sibling(path, ".partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        with closing(sqlite3.connect(partial)) as copy:
            connection.backup(copy)
        partial.replace(backup)
    finally:
        partial.unlink(missing_ok=True)
    return backup
