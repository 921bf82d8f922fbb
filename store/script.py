"""Cuts a file of SQL into statements, because executescript would commit at its start."""

import sqlite3
from collections.abc import Iterator


def statements(script: str) -> Iterator[str]:
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(pending):
            yield pending
            pending = ""
