"""Storage in one SQLite file. What is written at the same time is committed, and waits for the disk, together."""

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from nevel.tables.storage.database import (
    CLOSED,
    NOT_OPENED,
    NOT_READ,
    NOT_STORED,
    UNCERTAIN,
    Heard,
    Session,
    Statement,
    StorageError,
    UncertainError,
    Value,
    Values,
    migrate,
)
from nevel.tables.storage.schema import Append
from nevel.tables.storage.sqlite_appending import store_all
from nevel.tables.storage.storage import Storage, check

#: How long another process may keep the file to itself before we give up.
BUSY_SECONDS = 5.0
#: Once there are so many, they are committed together before more are taken: those at the beginning wait for the end.
MOST_JOBS = 500
#: What the thread is given at once at most: it writes to the disk while the rest is being decided.
ENOUGH_JOBS = 32
#: Lines read at a time from an answer of any length.
CHUNK = 1000
#: What the file's log may keep of the disk once it was long.
LOG_BYTES = 64 << 20

PROBLEMS = (sqlite3.Error, OverflowError, UnicodeError)
#: Trouble with the file, whatever is written to it; trying again one by one would only take longer.
EVERYBODYS = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}

Answer = TypeVar("Answer")
Work = Callable[[sqlite3.Connection], Any]
Job = tuple[Work, asyncio.Future[Any]]
#: Who is to be told, the answer, and the problem if there is no answer.
Outcome = tuple[asyncio.Future[Any], Any, Exception | None]


class Worker:
    """A thread that does what it is given, in order, with a connection of its own."""

    def __init__(self, connection: sqlite3.Connection, complaint: str) -> None:
        self.connection = connection
        self.complaint = complaint
        self.loop = asyncio.get_running_loop()
        #: What the thread is given: what has come in one turn of the loop together, so that it isn't woken for each;
        #: nothing at the end.
        self.jobs: SimpleQueue[list[Job]] = SimpleQueue()
        self._gathered: list[Job] = []
        self.is_open = True
        #: Held while jobs are added or the door is closed, so that no job is left behind it.
        self.door = threading.Lock()
        self.thread = threading.Thread(target=self._run, name="nevel storage", daemon=True)
        self.thread.start()

    def do(self, work: Callable[[sqlite3.Connection], Answer]) -> asyncio.Future[Answer]:
        """Give the thread something to do; the answer, when it comes."""
        if not self.is_open:
            raise StorageError(CLOSED)
        answer: asyncio.Future[Answer] = self.loop.create_future()
        if not self._gathered:
            self.loop.call_soon(self._hand_over)
        self._gathered.append((work, answer))
        if len(self._gathered) >= ENOUGH_JOBS:
            self._hand_over()
        return answer

    def _hand_over(self) -> None:
        jobs, self._gathered = self._gathered, []
        if not jobs:
            return
        with self.door:
            if self.is_open:
                self.jobs.put(jobs)
                return
        tell([(answer, None, StorageError(CLOSED)) for _, answer in jobs])

    async def close(self) -> None:
        """Wait until everything is done that was given."""
        self._hand_over()
        self._close_door()
        await asyncio.to_thread(self.thread.join)

    def _run(self) -> None:
        jobs: list[Job] = []
        try:
            while jobs := self._take():
                self._tell(self._do(jobs))
        except BaseException as problem:
            # Nothing known leads here, but if anything does, nobody may wait for ever.
            self._close_door()
            self._tell([(answer, None, UncertainError(UNCERTAIN, reason=problem)) for _, answer in jobs])
            while left := self._take():
                self._tell([(answer, None, StorageError(CLOSED)) for _, answer in left])
        finally:
            self.connection.close()

    def _close_door(self) -> None:
        with self.door:
            self.is_open = False
            self.jobs.put([])

    def _take(self) -> list[Job]:
        """All that waits, once anything does; nothing at the end."""
        taken: list[Job] = []
        jobs = self.jobs.get()
        while jobs:
            taken += jobs
            if len(taken) >= MOST_JOBS:
                return taken
            try:
                jobs = self.jobs.get_nowait()
            except Empty:
                return taken
        if taken:
            self.jobs.put([])  # the end comes again, after these
        return taken

    def _do(self, jobs: list[Job]) -> list[Outcome]:
        return [self._try(job) for job in jobs]

    def _try(self, job: Job) -> Outcome:
        work, answer = job
        try:
            return answer, work(self.connection), None
        except Exception as problem:
            return self._failed(job, problem)

    def _failed(self, job: Job, problem: Exception) -> Outcome:
        if isinstance(problem, PROBLEMS):
            error = StorageError(self.complaint, reason=problem)
            error.__cause__ = problem
            return job[1], None, error
        return job[1], None, problem

    def _tell(self, outcomes: list[Outcome]) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            self.loop.call_soon_threadsafe(tell, outcomes)


class Appending:
    """An append as something to do: alone, or with others at once."""

    __slots__ = ("append",)

    def __init__(self, append: Append) -> None:
        self.append = append

    def __call__(self, connection: sqlite3.Connection) -> bool:
        return store_all(connection, [self.append])[0]


class Writer(Worker):
    """A worker that commits together what has come meanwhile."""

    def _do(self, jobs: list[Job]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        together = len(jobs)
        while jobs:
            some, rest = jobs[:together], jobs[together:]
            try:
                outcomes += self._commit(some)
            except Exception as problem:
                if getattr(problem, "sqlite_errorcode", 0) & 0xFF in EVERYBODYS:
                    return outcomes + [self._failed(job, problem) for job in jobs]
                if together > 1:
                    # One of them can't be stored, and the others shall not pay for it.
                    together = 1
                    continue
                outcomes.append(self._failed(jobs[0], problem))
            jobs = rest
        return outcomes

    def _commit(self, jobs: list[Job]) -> list[Outcome]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            outcomes: list[Outcome] = []
            for is_append, group in groupby(jobs, lambda job: isinstance(job[0], Appending)):
                some = list(group)
                outcomes += self._append(some) if is_append else map(self._work, some)
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # SQLite itself ends some, such as on a full disk
                self.connection.execute("ROLLBACK")
            raise
        return outcomes

    def _append(self, jobs: list[Job]) -> list[Outcome]:
        """Appends that have come one after the other, stored together."""
        stored = store_all(self.connection, [work.append for work, _ in jobs if isinstance(work, Appending)])
        return [(answer, is_stored, None) for (_, answer), is_stored in zip(jobs, stored, strict=True)]

    def _work(self, job: Job) -> Outcome:
        work, answer = job
        return answer, work(self.connection), None


def tell(outcomes: list[Outcome]) -> None:
    """Wake those who wait, in the event loop; some may have left."""
    for waiting, answer, problem in outcomes:
        if waiting.done():
            continue
        if problem:
            waiting.set_exception(problem)
        else:
            waiting.set_result(answer)


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

    def _append(self, append: Append) -> Awaitable[bool]:
        return self.writer.do(Appending(append))

    def begin_append(self, append: Append) -> asyncio.Future[bool]:
        check(append)
        return self.writer.do(Appending(append))

    async def _read(self, statement: str, *values: Value) -> list[Values]:
        return await self.reader.do(lambda connection: execute(connection, statement, values))

    async def _commit(self, *statements: Statement) -> list[list[Values]]:
        return await self.writer.do(lambda connection: [execute(connection, *statement) for statement in statements])

    async def tell_nodes(self, news: Sequence[tuple[str, int]]) -> None:
        """There are no others."""

    async def _announce(self, table: str) -> None:
        """A file is for one node."""

    async def listen(self, heard: Heard) -> None:
        """A file is for one node: there is nobody else to hear."""

    def session(self, writes: bool = False) -> AbstractAsyncContextManager[Session]:
        return open_session(self.path, writes)

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
            connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
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
    """What $1, $2… stand for: to SQLite these are names."""
    return {str(number): value for number, value in enumerate(values, 1)}


def execute(connection: sqlite3.Connection, statement: str, values: Values) -> list[Values]:
    return list(connection.execute(statement, named(values)))
