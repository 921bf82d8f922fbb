"""Statements on their way to SQLite's thread: the way there costs more than most of them do there."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, cast

import aiosqlite

Value = str | int | float | None
Row = Sequence[Any]

_Statement = Callable[[sqlite3.Connection], sqlite3.Cursor]
_Work = Callable[[sqlite3.Connection, Sequence[_Statement]], list[Row]]
_Execute = Callable[[_Work, sqlite3.Connection, Sequence[_Statement]], Awaitable[list[Row]]]


class Trip:
    """One transaction. What nobody waits for travels with the next question, or with the commit."""

    def __init__(self, connection: aiosqlite.Connection, begin: str | None) -> None:
        self._connection = connection
        self._begin = begin
        self._waiting: list[_Statement] = []
        self._begun = False

    def add(self, sql: str, values: Sequence[Value] = ()) -> None:
        self._board(partial(_execute, sql, values))

    def add_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        self._board(partial(_execute_many, sql, rows))

    async def ask(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        self.add(sql, values)
        return await self._go()

    async def end(self) -> None:
        """Only now did anything happen; without a statement nothing did."""
        if self._begun and self._begin:
            await self.ask("COMMIT")

    def _board(self, statement: _Statement) -> None:
        if not self._begun:
            self._begun = True
            self._waiting += [partial(_execute, self._begin, ())] if self._begin else []
        self._waiting.append(statement)

    async def _go(self) -> list[Row]:
        statements, self._waiting = self._waiting, []
        connection = self._connection
        # There is no public way to do two things in one turn of that thread.
        execute = cast("_Execute", connection._execute)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]
        return await execute(_carried_out, connection._conn, statements)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def _carried_out(connection: sqlite3.Connection, statements: Sequence[_Statement]) -> list[Row]:
    """In the thread; the answer is that of the last one."""
    rows: list[Row] = []
    for statement in statements:
        rows = statement(connection).fetchall()
    return rows


def _execute(sql: str, values: Sequence[Value], connection: sqlite3.Connection) -> sqlite3.Cursor:
    return connection.execute(sql, values)


def _execute_many(
    sql: str, rows: Sequence[Sequence[Value]], connection: sqlite3.Connection
) -> sqlite3.Cursor:
    return connection.executemany(sql, rows)
