"""Ten processes on one database: nobody is turned away and every write is there."""

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from store.database import journal_mode

NAME = "ten processes on one database"


def run(scale: float, seed: int) -> str:
    each = max(10, round(1000 * scale))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wakeful.db"
        command = [sys.executable, "-m", "tests.reliability.writer", str(path), journal_mode(), str(each)]
        crowd = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(10)
        ]
        outputs = [process.communicate() for process in crowd]
        faults = [error.strip().splitlines()[-1] for _, error in outputs if error]
        assert not faults, f"{len(faults)} processes failed: {faults[0]}"
        acks = [line for out, _ in outputs for line in out.splitlines()]
        with closing(sqlite3.connect(path)) as connection:
            there = sum(
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("todos", "parts")
            )
    assert len(acks) == len(set(acks)) == there == 10 * each, f"{len(acks)} acknowledged, {there} there"
    return f"10 × {each} writes, 0 errors, {there} rows there"
