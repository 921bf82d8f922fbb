import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store import messages, search, sessions, todos, workspaces
from store.database import Reader, Store, open_store
from store.errors import DamagedError, StoreError
from store.inspect import inspect
from store.salvage import move_aside_and_rebuild
from store.schema import mark_suspect, prepare, suspect
from tests.store.drafts import text, todo


async def fill(path: Path, *, count: int = 300) -> str:
    async with open_store(path) as store:
        session = await store.write(sessions.create, "/project", agent="build", model="offline")
        for number in range(count):
            await store.write(todos.add, todo(f"step {number}", session_id=session.id))
            if number % 10 == 0:
                message = await store.write(messages.append, session.id, "user", "human")
                await store.write(
                    messages.add_part, session.id, text(message.id, f"{number} " + "word " * 100)
                )
    return session.id


async def titles(store: Store, session_id: str) -> list[str]:
    return [item.title for item in await store.read(todos.visible, "/project", session_id)]


async def test_a_file_that_is_no_database_is_moved_aside_and_a_new_one_made(path: Path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b"my shopping list" * 100)

    async with open_store(path) as store:
        await store.write(workspaces.ensure, "/project")

        assert "kept as" in store.notices[0]
    aside = list(path.parent.glob("wakeful.db.damaged-*"))
    assert [file.read_bytes() for file in aside] == [b"my shopping list" * 100]


async def test_a_truncated_file_keeps_the_rows_that_can_be_read(path: Path):
    session_id = await fill(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 17 // 20 // 4096 * 4096])

    async with open_store(path) as store:
        kept = await titles(store, session_id)
        assert "rows were carried over" in store.notices[0]

    assert len(kept) > 50
    assert len(list(path.parent.glob("wakeful.db.damaged-*"))) == 1


async def test_a_page_overwritten_in_the_middle_costs_only_its_own_rows(path: Path):
    session_id = await fill(path)
    with closing(sqlite3.connect(path)) as connection:
        pages = (
            [
                row[0]
                for row in connection.execute(
                    "SELECT pageno FROM dbstat WHERE name = 'todos' AND pagetype = 'leaf' ORDER BY pageno"
                )
            ]
            if _has_dbstat(connection)
            else []
        )
    if not pages:
        pytest.skip("this SQLite has no dbstat")
    data = bytearray(path.read_bytes())
    start = (pages[len(pages) // 2] - 1) * 4096
    data[start : start + 4096] = b"\xff" * 4096
    path.write_bytes(data)

    async with open_store(path) as store:
        with pytest.raises(DamagedError, match="start Wakeful again"):
            await titles(store, session_id)
    async with open_store(path) as store:
        kept = await titles(store, session_id)

    assert 300 - len(kept) < 300 / len(pages) * 2
    assert {"step 0", "step 299"} <= set(kept)


async def test_random_damage_never_raises_anything_but_a_clear_error_and_never_deletes(path: Path):
    seed = 20261116
    print(f"seed {seed}")
    rng = random.Random(seed)
    await fill(path, count=60)
    whole = path.read_bytes()
    for round_number in range(25):
        home = path.parent / str(round_number) / "wakeful.db"
        home.parent.mkdir()
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 20, 400))):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        home.write_bytes(damaged)

        for _ in range(3):
            try:
                async with open_store(home) as store:
                    await store.read(_everything)
                break
            except DamagedError:
                continue

        async with open_store(home) as store:
            await store.write(workspaces.ensure, "/after")
        survivors = [file for file in home.parent.iterdir() if file.name.startswith("wakeful.db.damaged")]
        assert survivors or inspect(home).problem is None or home.stat().st_size >= len(whole)


async def test_a_sound_file_under_suspicion_is_examined_and_stays(path: Path):
    session_id = await fill(path, count=5)
    mark_suspect(path)

    async with open_store(path) as store:
        assert store.notices == ()
        assert len(await titles(store, session_id)) == 5

    assert not suspect(path).exists()
    assert not list(path.parent.glob("*damaged*"))


async def test_a_damaged_search_index_is_found_and_rebuilt(path: Path):
    session_id = await fill(path, count=5)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE todo_search_data SET block = x'ffff' WHERE id > 10")
    mark_suspect(path)

    async with open_store(path) as store:
        assert "kept as" in store.notices[0]
        found = await store.read(search.search, "step", workspace="/project")
        assert len(found) == len(await titles(store, session_id)) == 5


async def test_a_damaged_file_that_another_window_has_open_is_not_moved(path: Path):
    await fill(path, count=5)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_schema WHERE name = 'todos_by_parent'")
        connection.commit()
    before = path.stat().st_ino

    async with open_store(path):
        mark_suspect(path)
        with pytest.raises(StoreError, match="still open in another process"):
            async with open_store(path):
                pass
        assert path.stat().st_ino == before

    async with open_store(path) as store:
        assert "kept as" in store.notices[0]


async def test_a_salvage_that_is_cut_short_changes_nothing(path: Path):
    await fill(path, count=5)
    with path.open("r+b") as file:
        file.write(b"X")
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}

    def fail(fresh: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        move_aside_and_rebuild(path, fail)

    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


async def test_ids_are_not_given_out_again_after_a_salvage(path: Path):
    session_id = await fill(path, count=20)
    async with open_store(path) as store:
        last = (await store.read(todos.visible, "/project", session_id))[-1]
        await store.write(todos.remove, last.id)
    with path.open("r+b") as file:
        file.write(b"X")

    async with open_store(path) as store:
        fresh = await store.write(todos.add, todo("new"))

    assert fresh.id > last.id


async def _everything(reader: Reader) -> None:
    for table in ("sessions", "messages", "parts", "todos", "changes"):
        await reader.all(f"SELECT * FROM {table}")


def _has_dbstat(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1 FROM dbstat LIMIT 1").fetchone()
    except sqlite3.OperationalError:
        return False
    return True


async def test_a_todo_whose_owner_was_guessed_elsewhere_moves_there(path: Path):
    session_id = await fill(path, count=5)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM sessions")
        connection.execute("UPDATE todos SET workspace = '/zproject', parent_id = 99 WHERE title = 'step 3'")

    move_aside_and_rebuild(path, prepare)

    async with open_store(path) as store:
        assert len(await titles(store, session_id)) == 5
