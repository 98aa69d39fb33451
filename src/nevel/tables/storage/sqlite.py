"""Storage in one SQLite file. What is written at the same time is committed, and waits for the disk, together."""

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from nevel.tables.storage.database import (
    NOT_OPENED,
    NOT_READ,
    NOT_STORED,
    OnNews,
    PoolUse,
    Session,
    Statement,
    StorageError,
    Value,
    Values,
    migrate,
)
from nevel.tables.storage.schema import Append
from nevel.tables.storage.sqlite_worker import Appending, Worker, Writer
from nevel.tables.storage.storage import OnStored, Storage, check

#: How long another process may keep the file to itself before we give up.
BUSY_SECONDS = 5.0
#: Milliseconds for which its log is tried to be cut off.
BUSY_MILLISECONDS = 200
#: Lines read at a time from an answer of any length.
CHUNK = 1000
#: How large the file of SQLite's write-ahead log may stay once it was that large.
LOG_BYTES = 64 << 20


class SqliteSession(Session):
    """A session on the thread that writes to SQLite."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    async def run(self, statement: str, *values: Value) -> list[Values]:
        return await self.worker.do(lambda connection: execute(connection, statement, values))

    async def stream(self, statement: str) -> AsyncIterator[list[Values]]:
        cursor = await self.worker.do(lambda connection: connection.execute(statement))
        while lines := await self.worker.do(lambda _: cursor.fetchmany(CHUNK)):
            yield lines

    async def run_many(self, statement: str, lines: Sequence[Values]) -> None:
        await self.worker.do(lambda connection: connection.executemany(statement, [named(line) for line in lines]))


@asynccontextmanager
async def open_session(path: Path, writes: bool) -> AsyncGenerator[Session, None]:
    worker = Worker(await asyncio.to_thread(connect, path), NOT_STORED if writes else NOT_READ)
    session = SqliteSession(worker)
    try:
        await session.run("BEGIN IMMEDIATE" if writes else "BEGIN")
        yield session
        await session.run("COMMIT")
    finally:
        await worker.close()  # which undoes what isn't committed


class SqliteStorage(Storage):
    """One thread writes, one reads: in SQLite's write-ahead log readers don't wait for a writer."""

    #: The days since the Julian epoch; older versions of SQLite have no other way to parts of a second.
    NOW = "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"

    def __init__(self, path: Path, writer: Writer, reader: Worker) -> None:
        self.path = path
        self.writer = writer
        self.reader = reader

    @classmethod
    async def open(cls, path: Path) -> "SqliteStorage":
        path = path.absolute()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # It holds secrets; what SQLite puts beside it gets the same permissions.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as problem:
            raise StorageError(NOT_OPENED, reason=problem) from problem
        async with open_session(path, writes=True) as session:
            await migrate(session)
        connections = await asyncio.to_thread(lambda: (connect(path), connect(path)))
        return cls(path, Writer(connections[0], NOT_STORED), Worker(connections[1], NOT_READ))

    async def _append(self, append: Append) -> bool:
        with self.timed("append"):
            return await self.writer.do(Appending(append))

    def begin_append(self, append: Append, on_stored: OnStored) -> None:
        check(append)
        began = time.perf_counter()

        def answer(is_stored: bool, problem: Exception | None) -> None:
            self.on_done("append", time.perf_counter() - began, problem is not None)
            on_stored(is_stored, problem)

        self.writer.begin(Appending(append), answer)

    async def _read(self, statement: str, *values: Value) -> list[Values]:
        with self.timed("read"):
            return await self.reader.do(lambda connection: execute(connection, statement, values))

    async def _commit(self, *statements: Statement) -> list[list[Values]]:
        with self.timed("commit"):
            return await self.writer.do(
                lambda connection: [execute(connection, *statement) for statement in statements]
            )

    async def tell_nodes(self, news: Sequence[tuple[str, int]]) -> None:
        """Do nothing: a file has one node."""

    async def _announce(self, table: str) -> None:
        """Do nothing: a file has one node."""

    async def listen(self, on_news: OnNews) -> None:
        """Do nothing: a file has one node."""

    def session(self, writes: bool = False) -> AbstractAsyncContextManager[Session]:
        return open_session(self.path, writes)

    async def overwrite(self) -> bool:
        """Cut off the log, which has pages as they were. Others can't write meanwhile, so it isn't tried for long."""
        worker = Worker(await asyncio.to_thread(connect, self.path), NOT_STORED)
        try:
            await worker.do(lambda connection: execute(connection, f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}", ()))
            [(is_busy, *_)] = await worker.do(lambda one: execute(one, "PRAGMA wal_checkpoint(TRUNCATE)", ()))
        finally:
            await worker.close()
        return not is_busy

    def pool_use(self) -> PoolUse:
        """Two threads take the place of connections."""
        jobs = [self.writer.pending, self.reader.pending]
        return PoolUse(len(jobs), sum(map(bool, jobs)), sum(max(count - 1, 0) for count in jobs))

    async def is_ready(self) -> bool:
        return self.writer.is_open and await super().is_ready()

    async def close(self) -> None:
        await self.writer.close()
        await self.reader.close()


def connect(path: Path) -> sqlite3.Connection:
    """A connection that any thread may use, if only one does, and whose commits are on disk when they return."""
    try:
        connection = sqlite3.connect(path, BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            start_log(connection)
            connection.execute("PRAGMA synchronous = FULL")
            # What is deleted is overwritten, not only given up.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
            # What one statement may have to undo stays in memory: a file for it takes as long as the statement.
            connection.execute("PRAGMA temp_store = MEMORY")
        except sqlite3.Error:
            connection.close()
            raise
    except sqlite3.Error as problem:
        raise StorageError(NOT_OPENED, reason=problem) from problem
    return connection


def start_log(connection: sqlite3.Connection) -> None:
    """Turn the write-ahead log on, if it isn't."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as problem:
            # Here SQLite doesn't wait by itself, and two processes may make the file at the same moment.
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


def named(values: Values) -> dict[str, Any]:
    """Values by the names 1, 2…, since SQLite takes $1, $2… for named parameters."""
    return {str(number): value for number, value in enumerate(values, 1)}


def execute(connection: sqlite3.Connection, statement: str, values: Values) -> list[Values]:
    return list(connection.execute(statement, named(values)))
