"""Moves a damaged database aside, never deletes it, and carries every readable row into a new one."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from store.clock import compact_time, now
from store.files import sibling
from store.script import statements

# Parents before children, so that a reader of the report sees what was lost first.
TABLES = (
    "tenants",
    "workspaces",
    "sessions",
    "messages",
    "parts",
    "artifacts",
    "artifact_versions",
    "sprints",
    "todos",
    "todo_dependencies",
    "schedules",
    "grants",
    "prompts",
    "rewinds",
    "file_steps",
    "changes",
)

UNREADABLE = (sqlite3.Error, UnicodeDecodeError, OverflowError)
MAGIC = b"SQLite format 3\0"

log = logging.getLogger(__name__)


def is_damage(error: Exception) -> bool:
    # An error that quotes a damaged schema may itself be no valid text.
    if isinstance(error, UnicodeDecodeError):
        return True
    text = str(error)
    signs = (
        "malformed",
        "not a database",
        "corrupt",
        "no such table",
        "Could not decode",
        "vtable constructor",
    )
    return any(sign in text for sign in signs)


def move_aside_and_rebuild(path: Path, create: Callable[[Path], object]) -> str:
    """The new file takes its place in one step at the end, so that being killed before loses nothing."""
    aside = sibling(path, f".damaged-{compact_time(now())}")
    with tempfile.TemporaryDirectory(prefix=f"{path.name}.salvage-", dir=path.parent) as folder:
        rebuilt = Path(folder) / "rebuilt"
        rebuilt.touch(mode=0o600)
        create(rebuilt)
        kept, lost = _carry_tables(_readable_copy(path, Path(folder)), rebuilt)
        _set_aside(path, aside)
        rebuilt.replace(path)
    unread = f", {lost} could not be read" if lost else ""
    return f"the database was damaged; it is kept as {aside}; {kept} rows were carried over{unread}"


def _readable_copy(path: Path, folder: Path) -> Path:
    """The file kept for the user stays as it was found; the copy gets a header that SQLite will open."""
    for suffix in ("", "-wal", "-journal"):
        source = sibling(path, suffix)
        if source.exists():
            shutil.copy(source, folder / f"copy{suffix}")
    copy = folder / "copy"
    with copy.open("r+b") as file:
        file.write(MAGIC)
    return copy


def _set_aside(path: Path, aside: Path) -> None:
    logs = [sibling(path, suffix) for suffix in ("-wal", "-journal") if sibling(path, suffix).exists()]
    for source in (path, *logs):
        target = aside.with_name(source.name.replace(path.name, aside.name))
        try:
            target.hardlink_to(source)
        except OSError:
            # Not every file system has links.
            shutil.copy(source, target)
    for source in (*logs, sibling(path, "-shm")):
        # Whatever SQLite finds under these names it would play into the new file.
        source.unlink(missing_ok=True)


def _carry_tables(copy: Path, path: Path) -> tuple[int, int]:
    kept = lost = 0
    with (
        closing(sqlite3.connect(copy, isolation_level=None)) as old,
        closing(sqlite3.connect(path, isolation_level=None)) as new,
    ):
        old.text_factory = _text
        # Makes SQLite read on where a file is shorter than its header says.
        old.execute("PRAGMA writable_schema = ON")
        new.execute("PRAGMA foreign_keys = OFF")
        new.execute("PRAGMA trusted_schema = ON")
        new.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            more_kept, more_lost = _carry_table(old, new, table)
            kept, lost = kept + more_kept, lost + more_lost
        _carry_table(old, new, "sqlite_sequence")
        for repair in statements((Path(__file__).parent / "salvage.sql").read_text("utf-8")):
            new.execute(repair)
        lost += _drop_orphans(new)
        new.execute("COMMIT")
    return kept, lost


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _carry_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> tuple[int, int]:
    try:
        present = [row[1] for row in old.execute(f"PRAGMA table_info({table})")]
    except UNREADABLE:
        present = []
    known = {row[1] for row in new.execute(f"PRAGMA table_info({table})")}
    columns = [f'"{name}"' for name in present if name in known]
    if not columns:
        log.warning("%s could not be read at all", table)
        return 0, 0
    insert = f"INSERT OR REPLACE INTO {table} (rowid, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})"
    kept = lost = 0
    for row in _readable_rows(old, table, ", ".join(columns)):
        try:
            new.execute(insert, row)
            kept += 1
        except UNREADABLE:
            lost += 1
    return kept, lost


def _readable_rows(old: sqlite3.Connection, table: str, columns: str) -> Iterator[tuple[object, ...]]:
    """Walk up to a damaged page, jump over it, and walk back to its far side."""
    select = f"SELECT rowid, {columns} FROM {table}"
    low = -(2**62)
    while True:
        ended = False
        try:
            for row in old.execute(f"{select} WHERE rowid > ? ORDER BY rowid", (low,)):
                low = max(low, row[0])
                yield row
            ended = True
        except UNREADABLE:
            pass
        if ended or (start := _beyond(old, table, max(low, 0))) is None:
            return
        far: list[tuple[object, ...]] = []
        try:
            for row in old.execute(
                f"{select} WHERE rowid > ? AND rowid < ? ORDER BY rowid DESC", (low, start)
            ):
                far.append(row)  # noqa: PERF402 - what was read before the error counts
        except UNREADABLE:
            pass
        yield from reversed(far)
        low = start - 1


def _beyond(old: sqlite3.Connection, table: str, low: int) -> int | None:
    step = 1
    while step < 2**40:
        try:
            row = old.execute(
                f"SELECT rowid FROM {table} WHERE rowid >= ? ORDER BY rowid LIMIT 1",
                (low + 1 + step,),
            ).fetchone()
        except UNREADABLE:
            step *= 2
            continue
        return int(row[0]) if row else None
    return None


def _drop_orphans(new: sqlite3.Connection) -> int:
    dropped = 0
    while rows := new.execute("PRAGMA foreign_key_check").fetchall():
        for table, rowid in {(row[0], row[1]) for row in rows}:
            new.execute(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))
            dropped += 1
    return dropped
