"""A salvage killed at any moment can be done again: every readable row comes over and the old file stays."""

import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from store.schema import prepare

NAME = "salvage"
MODULE = "tests.reliability.salvages"
ROWS = 1000


def run(scale: float, seed: int) -> str:
    rng = random.Random(seed)
    kills = max(3, round(50 * scale))
    with tempfile.TemporaryDirectory() as folder:
        span = _duration(_damaged(Path(folder)))
    again = 0
    for _ in range(kills):
        with tempfile.TemporaryDirectory() as folder:
            path = _damaged(Path(folder))
            before = path.read_bytes()
            _kill(path, rng.uniform(0, span))
            again += bool(prepare(path))
            assert _rows(path) == ROWS, f"{ROWS - _rows(path)} rows were not carried over"
            kept = [file.read_bytes() for file in path.parent.glob(f"{path.name}.damaged-*")]
            assert before in kept, "the damaged file is gone"
    return f"{kills} kills, {again} before the end, all {ROWS} rows carried over, the old file kept"


def _damaged(folder: Path) -> Path:
    path = folder / "wakeful.db"
    prepare(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO workspaces VALUES ('local', '/project', NULL, 1)")
        connection.executemany(
            "INSERT INTO todos (tenant, workspace, title, position, created_by, created_at, updated_at)"
            " VALUES ('local', '/project', ?, 1, 'user', 1, 1)",
            ((f"step {number}",) for number in range(ROWS)),
        )
    with path.open("r+b") as file:
        file.write(b"X")
    return path


def _duration(path: Path) -> float:
    """What one takes here and now, so that the kills meet it in every part."""
    started = time.monotonic()
    assert prepare(path)
    return time.monotonic() - started


def _kill(path: Path, delay: float) -> None:
    with subprocess.Popen([sys.executable, "-m", MODULE, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.read(1) == b"."
        timer = threading.Timer(delay, child.kill)
        timer.start()
        child.wait()
        timer.join()


def _rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), "integrity"
        return connection.execute("SELECT count(*) FROM todos").fetchone()[0]


if __name__ == "__main__":
    print(".", end="", flush=True)
    prepare(Path(sys.argv[1]))
