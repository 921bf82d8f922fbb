"""One SQLite file, one connection, one owner: every transaction happens whole or not at all."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

import aiosqlite

from store.clock import now
from store.errors import ConflictError, DamagedError, MissingError, StoreError
from store.frozen import frozen
from store.ids import chance_name
from store.records import LOCAL
from store.salvage import is_damage
from store.schema import in_use, mark_suspect
from store.trip import Row, Trip, Value

Journal = Literal["wal", "delete"]
P = ParamSpec("P")
T = TypeVar("T")

# Long enough for ten busy processes to take turns, each waiting for the disk.
_BUSY_SECONDS = 60.0

_LOG = (
    "INSERT INTO changes (tenant, workspace, session_id, kind, entity_id, actor, before, after, undoes,"
    " origin, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

log = logging.getLogger(__name__)


def journal_mode(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> Journal:
    """WAL unless this SQLite can lose acknowledged commits when two connections reset the log."""
    sound = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    return "wal" if sound else "delete"


@asynccontextmanager
async def open_store(path: Path, *, journal: Journal | None = None) -> AsyncGenerator[Store, None]:
    engine = _Engine(path, journal or journal_mode())
    owner = asyncio.create_task(engine.serve(), name="store owner")
    try:
        yield Store(engine, LOCAL, await asyncio.shield(engine.ready))
    finally:
        engine.jobs.put_nowait(None)
        await _outlast(owner)


class Reader:
    def __init__(self, trip: Trip, tenant: str) -> None:
        self._trip = trip
        self.tenant = tenant

    async def all(self, sql: str, *values: Value) -> list[Row]:
        return await self._trip.ask(sql, values)

    async def one(self, sql: str, *values: Value) -> Row | None:
        rows = await self.all(sql, *values)
        return rows[0] if rows else None

    async def must(self, missing: str, sql: str, *values: Value) -> Row:
        row = await self.one(sql, *values)
        if row is None:
            raise MissingError(missing)
        return row


class Writer(Reader):
    def __init__(self, trip: Trip, tenant: str, origin: str) -> None:
        super().__init__(trip, tenant)
        self.origin = origin

    def run(self, sql: str, *values: Value) -> None:
        """Happens before the next question is answered, or with the commit; failing, it is told there."""
        self._trip.add(sql, values)

    def many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        self._trip.add_many(sql, list(rows))

    async def log(
        self,
        kind: str,
        entity_id: int | str,
        *,
        workspace: str | None,
        session_id: str | None,
        actor: str,
        before: str | None = None,
        after: str | None = None,
        undoes: int | None = None,
    ) -> int:
        """Append to the outbox; the number it gets is the revision of whatever changed."""
        values = (self.tenant, workspace, session_id, kind, str(entity_id), actor, before, after, undoes)
        row = await self.must(
            "the change log gave no number", f"{_LOG} RETURNING seq", *values, self.origin, now()
        )
        return int(row[0])

    def note(self, kind: str, entity_id: int | str, *, session_id: str, actor: str) -> None:
        """Append to the outbox what is nobody's revision."""
        values = (self.tenant, None, session_id, kind, str(entity_id), actor, None, None, None)
        self.run(_LOG, *values, self.origin, now())


class Store:
    """What the rest of Wakeful holds. `work` must only use the reader or writer it is given."""

    def __init__(self, engine: _Engine, tenant: str, notices: tuple[str, ...] = ()) -> None:
        self._engine = engine
        self.tenant = tenant
        self.notices = notices

    @property
    def path(self) -> Path:
        return self._engine.path

    @property
    def origin(self) -> str:
        return self._engine.origin

    @property
    def journal(self) -> str:
        return self._engine.journal

    def for_tenant(self, tenant: str) -> Store:
        return Store(self._engine, tenant, self.notices)

    async def read(
        self, work: Callable[Concatenate[Reader, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        tenant = self.tenant
        return await self._engine.submit("BEGIN", lambda trip: work(Reader(trip, tenant), *args, **kwargs))

    async def write(
        self, work: Callable[Concatenate[Writer, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """A caller that is cancelled leaves either the whole change or none of it."""
        tenant, origin = self.tenant, self.origin
        return await self._engine.submit(
            "BEGIN IMMEDIATE", lambda trip: work(Writer(trip, tenant, origin), *args, **kwargs)
        )

    async def data_version(self) -> int:
        """Changes whenever another connection has committed."""
        row = await self._engine.submit(None, lambda trip: Reader(trip, "").one("PRAGMA data_version"))
        assert row is not None
        return int(row[0])


@frozen
class _Job:
    begin: str | None
    work: Callable[[Trip], Awaitable[Any]]
    done: asyncio.Future[Any]


class _Engine:
    def __init__(self, path: Path, journal: Journal) -> None:
        self.path = path
        self.journal: str = journal
        self.origin = chance_name(8)
        self.jobs: asyncio.Queue[_Job | None] = asyncio.Queue()
        self.ready: asyncio.Future[tuple[str, ...]] = asyncio.get_running_loop().create_future()
        self._closed = False
        self._owner: asyncio.Task[None] | None = None

    async def submit(self, begin: str | None, work: Callable[[Trip], Awaitable[T]]) -> T:
        if self._closed:
            raise StoreError(f"{self.path} is closed")
        if asyncio.current_task() is self._owner:
            raise RuntimeError("work for the store must use its own reader or writer, or it waits for itself")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.jobs.put_nowait(_Job(begin, work, done))
        return await done

    async def serve(self) -> None:
        self._owner = asyncio.current_task()
        try:
            with ExitStack() as held:
                notices = await asyncio.to_thread(held.enter_context, in_use(self.path))
                await self._serve(notices)
        except OSError as error:
            self._give_up(self._unusable(error))
        except Exception as error:  # noqa: BLE001 - whoever opens or uses the store gets to see it
            self._give_up(self._explained(error))
        finally:
            self._give_up(StoreError(f"{self.path} is closed"))

    async def _serve(self, notices: tuple[str, ...]) -> None:
        async with aiosqlite.connect(self.path, isolation_level=None, timeout=_BUSY_SECONDS) as connection:
            await self._configure(connection)
            self.ready.set_result(notices)
            while (job := await self.jobs.get()) is not None:
                await self._carry_out(connection, job)

    def _give_up(self, fault: Exception) -> None:
        """Nobody may wait for an owner that is gone."""
        self._closed = True
        if not self.ready.done():
            self.ready.set_exception(fault)
        while not self.jobs.empty():
            job = self.jobs.get_nowait()
            if job is not None and not job.done.done():
                job.done.set_exception(fault)

    async def _configure(self, connection: aiosqlite.Connection) -> None:
        # Older SQLite holds the search tables, which our triggers fill, for untrusted.
        for pragma in (
            "foreign_keys = ON",
            "synchronous = FULL",
            "trusted_schema = ON",
            "cell_size_check = ON",
        ):
            await connection.execute_fetchall(f"PRAGMA {pragma}")
        current = str(next(iter(await connection.execute_fetchall("PRAGMA journal_mode")))[0])
        if current != self.journal:
            # Another process may hold the file open in the other mode; then its mode stays.
            await connection.execute_fetchall("PRAGMA busy_timeout = 2000")
            try:
                row = next(iter(await connection.execute_fetchall(f"PRAGMA journal_mode = {self.journal}")))
                current = str(row[0])
            except sqlite3.OperationalError as error:
                log.warning("journal mode stays %s: %s", current, error)
            await connection.execute_fetchall(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")
        self.journal = current

    async def _carry_out(self, connection: aiosqlite.Connection, job: _Job) -> None:
        if job.done.cancelled():
            return
        try:
            result = await _transact(connection, job)
        except asyncio.CancelledError:
            job.done.cancel()
            # Unless the owner itself is to end, it was something the work waited for.
            if self._owner and self._owner.cancelling():
                raise
        except Exception as error:  # noqa: BLE001 - it is raised again where the work was ordered
            self._settle(job, self._explained(error))
        else:
            if not job.done.cancelled():
                job.done.set_result(result)

    def _settle(self, job: _Job, error: Exception) -> None:
        if job.done.cancelled():
            log.error("a write failed after its caller had left", exc_info=error)
        else:
            job.done.set_exception(error)

    def _explained(self, error: Exception) -> Exception:
        if isinstance(error, sqlite3.Error | UnicodeDecodeError):
            return explained(self.path, error)
        return error

    def _unusable(self, error: OSError) -> StoreError:
        fault = StoreError(
            f"cannot use the database {self.path}: {error.strerror or error}; "
            "free or fix that place, or set WAKEFUL_HOME to a folder that can be written"
        )
        fault.__cause__ = error
        return fault


async def _transact(connection: aiosqlite.Connection, job: _Job) -> object:
    trip = Trip(connection, job.begin)
    try:
        result = await job.work(trip)
        await trip.end()
    except BaseException:
        if connection.in_transaction:
            await connection.execute_fetchall("ROLLBACK")
        raise
    return result


def explained(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> StoreError:
    """The same fault in words for a person."""
    text = str(error)
    if isinstance(error, sqlite3.IntegrityError):
        fault: StoreError = ConflictError(f"{path} refused a change: {text}")
    elif is_damage(error):
        mark_suspect(path)
        fault = DamagedError(path)
    elif "full" in text:
        fault = StoreError(
            f"the disk that holds {path} is full; nothing was half written; free some space and go on"
        )
    elif "readonly" in text or "unable to open" in text or "disk I/O" in text:
        fault = StoreError(
            f"cannot write {path} ({text}); make it writable, or set WAKEFUL_HOME to a folder that is"
        )
    elif "locked" in text or "busy" in text:
        fault = StoreError(f"{path} has been locked by another process for {_BUSY_SECONDS:.0f} s; try again")
    else:
        fault = StoreError(f"{path}: {text}")
    fault.__cause__ = error
    return fault


async def _outlast(owner: asyncio.Task[None]) -> None:
    """Wait for the owner to close the file even while being cancelled, then let the cancellation through."""
    cancelled: asyncio.CancelledError | None = None
    while not owner.done():
        try:
            await asyncio.shield(owner)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        raise cancelled
