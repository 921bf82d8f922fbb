"""A migration killed at any moment leaves the old schema or the new one, every row, and a copy first."""

import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from store.schema import Migration, migrations, prepare

NAME = "migration"
MODULE = "tests.reliability.migrations"
ROWS = 2000
# Slow enough to be met in every part: it rewrites each row and builds a table and an index.
NEXT = Migration(
    migrations()[-1].number + 1,
    "ALTER TABLE sprints ADD COLUMN goal TEXT;\n"
    "CREATE TABLE copies (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;\n"
    "INSERT INTO copies SELECT id, title FROM todos;\n"
    "UPDATE todos SET notes = title || ' as it was', position = position + 1;\n"
    "CREATE INDEX copies_by_title ON copies (title);\n",
)


def run(scale: float, seed: int) -> str:
    rng = random.Random(seed)
    kills = max(4, round(100 * scale))
    finished = 0
    span = _duration()
    for number in range(kills):
        known = migrations()[: 1 + number % len(migrations())]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wakeful.db"
            _fill(path, known)
            _kill(path, rng.uniform(0, span))
            finished += _version(path) == NEXT.number
            _check(path, known[-1].number)
            prepare(path, (*migrations(), NEXT))
            assert _version(path) == NEXT.number
            _check(path, known[-1].number)
    return (
        f"{kills} kills from {len(migrations())} schemas, {kills - finished} before the end,"
        " 0 rows lost, copy made first"
    )


def _duration() -> float:
    """What one takes here and now, so that the kills meet it in every part."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wakeful.db"
        _fill(path, migrations())
        started = time.monotonic()
        prepare(path, (*migrations(), NEXT))
        return time.monotonic() - started


def _fill(path: Path, known: tuple[Migration, ...]) -> None:
    prepare(path, known)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO workspaces VALUES ('local', '/project', NULL, 1)")
        connection.executemany(
            "INSERT INTO todos (tenant, workspace, title, position, created_by, created_at, updated_at)"
            " VALUES ('local', '/project', ?, 1, 'user', 1, 1)",
            ((f"step {number}",) for number in range(ROWS)),
        )


def _kill(path: Path, delay: float) -> None:
    with subprocess.Popen([sys.executable, "-m", MODULE, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.read(1) == b"."
        timer = threading.Timer(delay, child.kill)
        timer.start()
        child.wait()
        timer.join()


def _check(path: Path, before: int) -> None:
    """Old rows in the file, and in a copy of the old schema as soon as a later one has begun."""
    found = _version(path)
    assert _rows(path) == ROWS, f"schema {found} has {_rows(path)} rows"
    copies = list(path.parent.glob(f"{path.name}.backup-v{before}-*"))
    assert copies or found == before, f"schema {found} came without a copy of {before}"
    for copy in copies:
        assert (_version(copy), _rows(copy)) == (before, ROWS), f"{copy} is not whole"


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def _rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"integrity of {path}"
        return connection.execute("SELECT count(*) FROM todos WHERE title LIKE 'step %'").fetchone()[0]


if __name__ == "__main__":
    print(".", end="", flush=True)
    prepare(Path(sys.argv[1]), (*migrations(), NEXT))
