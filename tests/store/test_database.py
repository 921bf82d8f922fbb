import asyncio
import sqlite3
import stat
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from store import sessions, todos, workspaces
from store.database import Reader, Store, Writer, journal_mode, open_store
from store.errors import ConflictError, MissingError, StoreError
from store.records import Session
from tests.reliability import cancels
from tests.store.drafts import todo


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ((3, 40, 1), "delete"),
        ((3, 44, 5), "delete"),
        ((3, 44, 6), "wal"),
        ((3, 45, 0), "delete"),
        ((3, 50, 6), "delete"),
        ((3, 50, 7), "wal"),
        ((3, 51, 0), "delete"),
        ((3, 51, 2), "delete"),
        ((3, 51, 3), "wal"),
        ((3, 52, 0), "wal"),
    ],
)
def test_wal_is_used_only_where_it_cannot_lose_a_commit(version: tuple[int, int, int], mode: str):
    assert journal_mode(version) == mode


async def test_files_are_private_even_under_a_loose_umask(path: Path):
    async with open_store(path) as store:
        await store.write(workspaces.ensure, "/project")

    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}, modes


async def test_an_open_folder_that_exists_is_closed_to_others(path: Path):
    path.parent.mkdir(mode=0o755, parents=True)
    path.touch(mode=0o644)

    async with open_store(path):
        pass

    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o1777, 0o755], ids=["sticky", "the user's home"])
async def test_a_folder_that_is_not_ours_alone_keeps_its_mode(
    tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(mode)
    if not mode & stat.S_ISVTX:
        monkeypatch.setenv("HOME", str(folder))

    async with open_store(folder / "wakeful.db"):
        pass

    assert stat.S_IMODE(folder.stat().st_mode) == mode
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


async def test_a_failing_transaction_leaves_nothing_and_the_store_usable(store: Store):
    async def fail(writer: Writer) -> None:
        await workspaces.ensure(writer, "/half")
        raise LookupError("on purpose")

    with pytest.raises(LookupError, match="on purpose"):
        await store.write(fail)

    assert await store.read(workspaces.get, "/half") is None
    await store.write(workspaces.ensure, "/whole")
    assert await store.read(workspaces.get, "/whole") is not None


async def test_a_read_never_sees_a_write_that_is_under_way(store: Store):
    entered, leave = asyncio.Event(), asyncio.Event()

    async def slow(writer: Writer) -> None:
        await workspaces.ensure(writer, "/late")
        entered.set()
        await leave.wait()

    writing = asyncio.ensure_future(store.write(slow))
    await entered.wait()
    reading = asyncio.ensure_future(store.read(workspaces.get, "/late"))
    await asyncio.sleep(0)
    assert not reading.done()
    leave.set()
    await writing

    assert (await reading) is not None


async def test_a_broken_constraint_is_a_conflict_that_names_the_file(store: Store, path: Path):
    draft = replace(todo(), status="blocked")

    with pytest.raises(ConflictError, match=path.name):
        await store.write(todos.add, draft)


async def test_a_caller_that_is_cancelled_leaves_all_or_nothing():
    figure = await asyncio.to_thread(cancels.run, 0.03, 7)

    assert "0 half writes" in figure


async def test_leaving_by_an_exception_ends_the_thread_of_the_connection(path: Path):
    with pytest.raises(LookupError):
        async with open_store(path):
            raise LookupError

    assert_no_worker_is_left()


async def test_leaving_by_cancellation_ends_the_thread_of_the_connection(path: Path):
    opened = asyncio.Event()

    async def hold() -> None:
        async with open_store(path):
            opened.set()
            await asyncio.Event().wait()

    task = asyncio.ensure_future(hold())
    await opened.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert_no_worker_is_left()


async def test_an_opening_that_is_cancelled_at_any_step_leaves_nothing_behind(path: Path):
    async def hold() -> None:
        async with open_store(path):
            await asyncio.Event().wait()

    for turns in range(12):
        opening = asyncio.ensure_future(hold())
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        assert_no_worker_is_left()

    path.write_bytes(b"no longer a database")
    async with open_store(path) as store:
        assert "kept as" in store.notices[0]


async def test_work_that_meets_a_cancelled_future_ends_alone(store: Store):
    gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    gone.cancel()

    async def wait(writer: Writer) -> None:
        await workspaces.ensure(writer, "/half")
        await gone

    with pytest.raises(asyncio.CancelledError):
        await store.write(wait)

    assert await store.read(workspaces.get, "/half") is None


async def test_work_that_turns_to_the_store_itself_is_refused_instead_of_waiting_for_itself(store: Store):
    async def nested(writer: Writer) -> None:
        await store.write(workspaces.ensure, "/inner")

    with pytest.raises(RuntimeError, match="its own reader or writer"):
        await store.write(nested)


async def test_another_tenant_finds_nothing_by_a_leaked_id(store: Store, session: Session):
    item = await store.write(todos.add, todo(session_id=session.id))
    stranger = store.for_tenant("stranger")

    with pytest.raises(MissingError):
        await stranger.read(sessions.get, session.id)
    assert await stranger.read(todos.get, item.id) is None
    with pytest.raises(MissingError):
        await stranger.write(todos.save, replace(item, title="stolen"))
    await stranger.write(todos.remove, item.id)
    with pytest.raises(MissingError):
        await stranger.write(sessions.rename, session.id, "stolen")

    assert await store.read(todos.get, item.id) == item


async def test_the_journal_mode_can_be_forced_both_ways_on_one_file(path: Path):
    async with open_store(path, journal="wal") as store:
        assert store.journal == "wal"
        await store.write(workspaces.ensure, "/kept")
    async with open_store(path, journal="delete") as store:
        assert store.journal == "delete"
        assert await store.read(workspaces.get, "/kept") is not None


async def test_a_home_below_a_regular_file_gives_one_clear_message(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreError, match="WAKEFUL_HOME"):
        async with open_store(tmp_path / "file" / "home" / "wakeful.db"):
            pass


async def test_a_full_database_refuses_the_write_and_goes_on_when_space_returns(store: Store):
    async def limit(reader: Reader, pages: int) -> None:
        await reader.all(f"PRAGMA max_page_count = {pages}")

    async def grow(writer: Writer) -> None:
        for number in range(200):
            await workspaces.ensure(writer, f"/{number}/{'x' * 4000}")

    await store.read(limit, 60)
    with pytest.raises(StoreError, match="full"):
        await store.write(grow)

    await store.read(limit, 10_000)
    await store.write(grow)
    assert await store.read(workspaces.get, f"/7/{'x' * 4000}") is not None


async def test_reading_does_not_keep_other_processes_from_writing(store: Store, path: Path, session: Session):
    await store.read(sessions.get, session.id)

    with closing(sqlite3.connect(path, timeout=0)) as other, other:
        other.execute("INSERT INTO tenants VALUES ('other', 1)")


def assert_no_worker_is_left() -> None:
    for thread in threading.enumerate():
        if "_connection_worker" in thread.name:
            thread.join(10)
            assert not thread.is_alive()
