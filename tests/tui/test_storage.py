from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.wakeful import wakeful


@pytest.mark.parametrize("words", [["todos"], ["todo", "add", "two"], ["sessions"], ["trust", "."]])
def test_every_door_says_in_one_line_where_a_damaged_database_went(tmp_path: Path, words: list[str]) -> None:
    wakeful(tmp_path, "todo", "add", "one")
    database = tmp_path / "wakeful.db"
    database.write_bytes(database.read_bytes()[:16384])

    done = wakeful(tmp_path, *words)

    (aside,) = tmp_path.glob("wakeful.db.damaged-*")
    (line,) = done.stderr.splitlines()
    assert done.returncode == 0
    assert line.startswith(f"wakeful: note: the database was damaged; it is kept as {aside}; ")
    assert "could not be read at all" in (tmp_path / "wakeful.log").read_text()
