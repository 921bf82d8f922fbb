import sqlite3
from collections.abc import AsyncGenerator
from pathlib import Path

import aiosqlite
import pytest

from store.trip import Trip


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncGenerator[aiosqlite.Connection, None]:
    async with aiosqlite.connect(tmp_path / "some.db", isolation_level=None) as opened:
        await opened.execute_fetchall("CREATE TABLE words (word TEXT UNIQUE)")
        yield opened


async def test_a_question_sees_what_was_added_before_it(connection: aiosqlite.Connection):
    trip = Trip(connection, "BEGIN IMMEDIATE")
    trip.add("INSERT INTO words VALUES (?)", ("one",))
    trip.add_many("INSERT INTO words VALUES (?)", [("two",), ("three",)])

    rows = await trip.ask("SELECT word FROM words ORDER BY rowid")

    assert rows == [("one",), ("two",), ("three",)]
    assert connection.in_transaction
    await trip.end()
    assert not connection.in_transaction


async def test_what_nobody_asked_about_happens_with_the_end(connection: aiosqlite.Connection):
    trip = Trip(connection, "BEGIN IMMEDIATE")
    trip.add("INSERT INTO words VALUES (?)", ("one",))
    assert not await connection.execute_fetchall("SELECT word FROM words")

    await trip.end()

    assert list(await connection.execute_fetchall("SELECT word FROM words")) == [("one",)]


async def test_what_fails_is_told_at_the_end_and_not_committed(connection: aiosqlite.Connection):
    trip = Trip(connection, "BEGIN IMMEDIATE")
    trip.add_many("INSERT INTO words VALUES (?)", [("one",), ("one",)])

    with pytest.raises(sqlite3.IntegrityError):
        await trip.end()

    assert connection.in_transaction


async def test_a_trip_without_statements_begins_nothing(connection: aiosqlite.Connection):
    trip = Trip(connection, "no statement at all")

    await trip.end()

    assert not connection.in_transaction
