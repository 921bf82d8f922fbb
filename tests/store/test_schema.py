import hashlib
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from store import schema, todos
from store.database import open_store
from store.errors import NewerSchemaError
from store.inspect import inspect
from store.schema import Migration, migrations, prepare
from tests.store.drafts import todo

NEXT = Migration(
    migrations()[-1].number + 1,
    "ALTER TABLE sprints ADD COLUMN goal TEXT;\nCREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;\n",
)
BROKEN = Migration(NEXT.number, "CREATE TABLE later (id INTEGER) STRICT;\nINSERT INTO nowhere VALUES (1);\n")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_every_table_is_strict_and_every_root_table_names_its_tenant(path: Path):
    prepare(path)

    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute(
            "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND schema = 'main'"
        ).fetchall()
        ours = {
            name: strict
            for name, strict in tables
            if not name.startswith(("sqlite_", "message_search", "todo_search"))
        }
        roots = {
            name
            for name in ours
            if any(row[1] == "tenant" for row in connection.execute(f"PRAGMA table_info({name})"))
        }

    assert set(ours.values()) == {1}
    assert roots == set(
        "workspaces sessions todos artifacts sprints schedules grants prompts changes".split()
    )
    assert set(ours) - roots == set(
        "tenants messages parts artifact_versions todo_dependencies rewinds file_steps".split()
    )


def test_every_foreign_key_has_an_index_so_that_deletes_stay_cheap(path: Path):
    prepare(path)

    with closing(sqlite3.connect(path)) as connection:
        names = [
            row[0] for row in connection.execute("SELECT name FROM pragma_table_list WHERE schema = 'main'")
        ]
        for name in names:
            for key in connection.execute(f"PRAGMA foreign_key_list({name})").fetchall():
                if key[2] in ("tenants", "workspaces"):
                    continue
                plan = str(
                    connection.execute(
                        f'EXPLAIN QUERY PLAN SELECT 1 FROM {name} WHERE "{key[3]}" = 1'
                    ).fetchall()
                )
                assert "SEARCH" in plan, f"{name}.{key[3]} is not indexed: {plan}"


async def test_a_newer_schema_is_refused_and_the_file_left_untouched(path: Path):
    prepare(path, (*migrations(), NEXT))
    before = digest(path)

    with pytest.raises(NewerSchemaError, match="newer Wakeful"):
        async with open_store(path):
            pass

    assert digest(path) == before
    assert inspect(path).problem == f"schema {NEXT.number} is newer than {NEXT.number - 1}"


async def test_a_migration_keeps_the_rows_and_leaves_a_copy_of_the_old_file(path: Path):
    async with open_store(path) as store:
        kept = await store.write(todos.add, todo("survive"))

    notices = prepare(path, (*migrations(), NEXT))

    copies = list(path.parent.glob(f"wakeful.db.backup-v{NEXT.number - 1}-*"))
    assert len(copies) == 1
    assert str(copies[0]) in notices[0]
    for file, version in ((path, NEXT.number), (copies[0], NEXT.number - 1)):
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (version,)
            assert connection.execute("SELECT title FROM todos WHERE id = ?", (kept.id,)).fetchone() == (
                "survive",
            )


def test_a_migration_that_fails_leaves_the_old_schema_whole(path: Path):
    prepare(path)

    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        prepare(path, (*migrations(), BROKEN))

    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (migrations()[-1].number,)
        assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'later'").fetchone() == (
            0,
        )
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_migration_that_fails_can_be_tried_again_at_once(path: Path):
    prepare(path)

    for _ in range(3):
        with pytest.raises(sqlite3.OperationalError, match="nowhere"):
            prepare(path, (*migrations(), BROKEN))

    assert not list(path.parent.glob("*.partial"))


def test_looking_at_a_file_keeps_the_locks_this_process_has_on_it(path: Path):
    prepare(path)
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    with closing(sqlite3.connect(path)) as holder:
        holder.execute("BEGIN IMMEDIATE")

        schema.header_version(path)
        prepare(path)
        inspect(path)

        other = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=False)
    assert b"database is locked" in other.stderr


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_the_schema_number_is_read_in_either_journal_mode(path: Path, journal: str):
    prepare(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")

        assert schema.header_version(path) == migrations()[-1].number


def test_a_first_schema_makes_no_backup(path: Path):
    assert prepare(path) == ()
    assert not list(path.parent.glob("*backup*"))


def test_processes_that_start_together_migrate_once(path: Path):
    code = (
        "import sys; from pathlib import Path; from store.schema import prepare; prepare(Path(sys.argv[1]))"
    )
    starters = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(6)]

    assert [starter.wait() for starter in starters] == [0] * 6
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM tenants").fetchone() == (1,)


def test_the_migrations_are_numbered_without_gaps():
    assert [migration.number for migration in migrations()] == list(range(1, len(migrations()) + 1))


def test_a_file_in_use_is_recognised_from_its_header_alone(path: Path):
    prepare(path)
    with closing(sqlite3.connect(path)) as holder:
        holder.execute("BEGIN EXCLUSIVE")

        assert prepare(path) == ()
        assert schema.header_version(path) == migrations()[-1].number
