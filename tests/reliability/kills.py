"""kill -9 while writing: what was acknowledged is there afterwards."""

import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

from store.schema import prepare

NAME = "kill -9 while writing"


def run(scale: float, seed: int) -> str:
    rng = random.Random(seed)
    points = max(3, round(200 * scale))
    acknowledged = 0
    for journal in ("delete", "wal"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "wakeful.db"
            for _ in range(points):
                acks = killed_writer(path, journal, rng.uniform(0, 0.05))
                acknowledged += len(acks)
                prepare(path)
                missing = lost(path, acks)
                assert not missing, f"{journal}: acknowledged rows lost: {missing}"
    return f"{points} kills in each journal mode, {acknowledged} acknowledged rows, 0 lost, integrity ok"


def killed_writer(path: Path, journal: str, delay: float) -> list[str]:
    command = [sys.executable, "-m", "tests.reliability.writer", str(path), journal, "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acks = [writer.stdout.readline().strip()]
        assert acks[0], "the writer did not start"
        timer = threading.Timer(delay, writer.kill)
        timer.start()
        acks += [line.strip() for line in writer.stdout if line.endswith("\n")]
        timer.join()
    return acks


def lost(path: Path, acks: list[str]) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",), "integrity"
        assert not connection.execute("PRAGMA foreign_key_check").fetchall(), "a dangling reference"
        return [
            ack
            for ack in acks
            if not connection.execute(
                f"SELECT 1 FROM {ack.split()[0]} WHERE id = ?", (ack.split()[1],)
            ).fetchone()
        ]
