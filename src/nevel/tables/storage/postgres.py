"""Storage in PostgreSQL, for several nodes. What is appended at the same time is one statement, and one NOTIFY."""

# asyncpg comes without types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from importlib import resources
from typing import Any, NamedTuple

import asyncpg
import msgspec

from nevel.tables.storage.database import (
    CLOSED,
    NOT_OPENED,
    NOT_READ,
    NOT_STORED,
    UNCERTAIN,
    OnNews,
    PoolUse,
    Session,
    Statement,
    StorageError,
    UncertainError,
    Value,
    Values,
    migrate,
)
from nevel.tables.storage.postgres_problems import PROBLEMS, complaints, describe
from nevel.tables.storage.schema import Append
from nevel.tables.storage.storage import FIND_ROWS, Storage, is_stored
from nevel.tables.tracing import tracing

CHANNEL = "nevel"
#: Any number that no other program on the server uses: whoever changes the whole database holds it.
LOCK = 0x6E6576656C
MOST_CONNECTIONS = 8
CONNECT_SECONDS = 5
#: A statement that takes longer is taken for lost.
COMMAND_SECONDS = 10.0
#: How long we try to learn what became of appends when the connection was lost.
PATIENCE_SECONDS = 10.0
PAUSE_SECONDS = 0.1
#: How long whoever changes the whole database may keep others waiting.
LOCK_SECONDS = 60.0
#: How often a silent connection is asked whether it still is one.
HEARTBEAT_SECONDS = 15.0
#: What is committed together at most.
MOST_APPENDS = 500
#: What is told in one notification, which has less than 8,000 bytes.
MOST_NEWS = 100
#: Lines read at a time from an answer of any length.
CHUNK = 1000


APPEND = (resources.files("nevel.tables.storage") / "append.sql").read_text("utf-8")
ANNOUNCE = f"""
    SELECT pg_notify('{CHANNEL}', json_build_array(
        $2::text, json_build_array(json_build_array(table_id, newest)))::text)
    FROM tables WHERE table_id = $1
"""


class Waiting(NamedTuple):
    """An append, and who waits for its answer."""

    append: Append
    answer: "asyncio.Future[bool]"

    def tell(self, answer: bool) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, problem: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(problem)

    async def answer_with(self, answer: Awaitable[bool]) -> None:
        try:
            self.tell(await answer)
        except StorageError as problem:
            self.fail(problem)


class UnreachableError(StorageError):
    """There is no connection, so that nothing was even sent."""


class PostgresSession(Session):
    """A session on one PostgreSQL connection."""

    def __init__(self, connection: asyncpg.Connection, complaint: str) -> None:
        self.connection = connection
        self.complaint = complaint

    async def run(self, statement: str, *values: Value) -> list[Values]:
        with complaints(self.complaint):
            return await self.connection.fetch(statement, *values)

    async def stream(self, statement: str) -> AsyncIterator[list[Values]]:
        with complaints(self.complaint):
            cursor = await self.connection.cursor(statement)
            while lines := await cursor.fetch(CHUNK):
                yield lines

    async def run_many(self, statement: str, lines: Sequence[Values]) -> None:
        with complaints(self.complaint):
            await self.connection.executemany(statement, lines)


@asynccontextmanager
async def open_session(url: str, writes: bool) -> AsyncGenerator[Session, None]:
    try:
        connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
    except (*PROBLEMS, ValueError) as problem:  # a URL that can't be read is a plain ValueError
        raise StorageError(NOT_OPENED, reason=describe(problem)) from problem
    try:
        with complaints(NOT_OPENED):
            isolation = "read_committed" if writes else "repeatable_read"
            transaction = connection.transaction(isolation=isolation, readonly=not writes)
            await transaction.start()
            if writes:
                await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK, timeout=LOCK_SECONDS)
        yield PostgresSession(connection, NOT_STORED if writes else NOT_READ)
        with complaints(NOT_STORED, may_be_done=writes):
            await transaction.commit()
    finally:
        connection.terminate()  # which undoes what isn't committed


class PostgresStorage(Storage):
    """Appends wait in a queue and leave it in batches, one at a time; everything else goes its own way."""

    is_shared = True
    NOW = "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint"

    def __init__(self, url: str, pool: asyncpg.Pool) -> None:
        self.url = url
        self.pool = pool
        #: How we tell our own notifications from those of others.
        self.node = secrets.token_hex(8)
        self.queue: list[Waiting] = []
        self.storing: asyncio.Task[None] | None = None
        self.listening: list[asyncio.Task[None]] = []
        #: How many wait for a connection.
        self.acquiring = 0
        self.is_closed = False

    @classmethod
    async def open(cls, url: str) -> "PostgresStorage":
        async with open_session(url, writes=True) as session:
            await migrate(session)
        with complaints(NOT_OPENED):
            pool = await asyncpg.create_pool(
                url,
                min_size=1,
                max_size=MOST_CONNECTIONS,
                timeout=CONNECT_SECONDS,
                command_timeout=COMMAND_SECONDS,
                reset=leave_as_it_is,
            )
        return cls(url, pool)

    async def _append(self, append: Append) -> bool:
        if self.is_closed:
            raise StorageError(CLOSED)
        waiting = Waiting(append, asyncio.get_running_loop().create_future())
        self.queue.append(waiting)
        if self.storing is None or self.storing.done():
            self.storing = asyncio.create_task(self._store_queue())
        with self.timed("append"):
            return await waiting.answer

    async def _store_queue(self) -> None:
        batch: list[Waiting] = []
        try:
            while self.queue:
                batch = self._take()
                await self._store(batch)
        except BaseException as problem:
            # The event loop ends, or something nobody thought of happened: still, nobody may wait for ever.
            for waiting in batch:
                waiting.fail(UncertainError(UNCERTAIN, reason=describe(problem)))
            for waiting in self.queue:
                waiting.fail(StorageError(NOT_STORED, reason=describe(problem)))
            self.queue.clear()
            raise

    def _take(self) -> list[Waiting]:
        """The next batch: all that waits, but of each table only the first."""
        batch: dict[str, Waiting] = {}
        later: list[Waiting] = []
        for waiting in self.queue:
            if len(batch) < MOST_APPENDS and waiting.append.table not in batch:
                batch[waiting.append.table] = waiting
            else:
                later.append(waiting)
        self.queue = later
        return list(batch.values())

    async def _store(self, batch: list[Waiting]) -> None:
        try:
            with tracing.span("storage batch", jobs=len(batch)):
                accepted = await self._insert([waiting.append for waiting in batch])
        except UnreachableError as problem:
            for waiting in batch:
                waiting.fail(UnreachableError(problem.message, **problem.values))
        except StorageError as problem:
            # Perhaps one of them can't be stored, and the others shall not pay for it.
            may_be_done = isinstance(problem, UncertainError)
            until = time.monotonic() + PATIENCE_SECONDS
            for waiting in batch:
                await waiting.answer_with(self._settle(waiting.append, may_be_done, until))
        else:
            rejected: list[Waiting] = []
            for waiting in batch:
                if waiting.append.table in accepted:
                    waiting.tell(True)
                else:
                    rejected.append(waiting)
            for waiting in rejected:
                await waiting.answer_with(self._has(waiting.append))

    async def _settle(self, append: Append, may_be_done: bool, until: float) -> bool:
        """Make an append by itself. What may have been done is made again: if it was, that is how we learn it."""
        while True:
            try:
                return bool(await self._insert([append], may_be_done)) or await self._has(append)
            except StorageError as problem:
                may_be_done = may_be_done or isinstance(problem, UncertainError)
                if not may_be_done:
                    raise
                if time.monotonic() > until:
                    raise UncertainError(UNCERTAIN, **problem.values) from problem
            await asyncio.sleep(PAUSE_SECONDS)

    async def _insert(self, appends: list[Append], is_again: bool = False) -> set[str]:
        """Make appends in one statement; gives the tables whose were accepted."""
        tables = [
            (*msgspec.structs.astuple(append.summary), append.deadline, append.secret, append.first, append.newest)
            for append in appends
        ]
        rows = [msgspec.structs.astuple(row) for append in appends for row in append.rows]
        people = [(person, append.table) for append in appends for person in dict.fromkeys(append.members or ())]
        named = [(person, append.table) for append in appends for person in append.named]
        changes_members = [append.members is not None for append in appends]
        values = (
            *columns(tables, 14),
            changes_members,
            *columns(rows, 4),
            *columns(people, 2),
            *columns(named, 2),
            self.node,
        )
        async with self._connection(NOT_STORED, is_new=is_again) as connection:
            parts = await connection.fetch(APPEND, *values)
        return {table for part in parts for table in part[0]}

    async def _has(self, append: Append) -> bool:
        """Whether exactly this is stored already."""
        return is_stored(append, await self._read(FIND_ROWS, append.table, append.first, append.newest))

    async def _read(self, statement: str, *values: Value) -> list[Values]:
        with self.timed("read"):
            return await self._read_twice(statement, *values)

    async def _read_twice(self, statement: str, *values: Value) -> list[Values]:
        """Read, and once more when the connection is lost."""
        try:
            async with self._connection(NOT_READ) as connection:
                return await connection.fetch(statement, *values)
        except UncertainError:
            pass  # there is no harm in asking once more
        try:
            async with self._connection(NOT_READ, is_new=True) as connection:
                return await connection.fetch(statement, *values)
        except UncertainError as problem:
            raise StorageError(NOT_READ, **problem.values) from problem

    async def _commit(self, *statements: Statement) -> list[list[Values]]:
        with self.timed("commit"):
            return await self._commit_once(*statements)

    async def _commit_once(self, *statements: Statement) -> list[list[Values]]:
        async with self._connection(NOT_STORED) as connection, connection.transaction():
            return [await connection.fetch(statement, *values) for statement, values in statements]

    @asynccontextmanager
    async def _connection(self, complaint: str, is_new: bool = False) -> AsyncGenerator[Any, None]:
        """One of the pool's connections. When one was lost the others may be too, and not know it: then a new one."""
        try:
            if is_new:
                connection = await asyncpg.connect(self.url, timeout=CONNECT_SECONDS, command_timeout=COMMAND_SECONDS)
            else:
                self.acquiring += 1
                try:
                    connection = await self.pool.acquire(timeout=CONNECT_SECONDS)
                finally:
                    self.acquiring -= 1
        except PROBLEMS as problem:
            raise UnreachableError(complaint, reason=describe(problem)) from problem
        try:
            with complaints(complaint, may_be_done=True):
                yield connection
        finally:
            if is_new:
                connection.terminate()
            else:
                with suppress(*PROBLEMS):  # then the pool gives it up by itself
                    await self.pool.release(connection, timeout=CONNECT_SECONDS)

    async def _announce(self, table: str) -> None:
        # What was said is stored; if others don't hear of it now, they will with whatever comes next.
        with suppress(StorageError):
            await self._read(ANNOUNCE, table, self.node)

    async def tell_nodes(self, news: Sequence[tuple[str, int]]) -> None:
        with suppress(StorageError):
            for start in range(0, len(news), MOST_NEWS):
                payload = msgspec.json.encode((self.node, news[start : start + MOST_NEWS])).decode()
                await self._read("SELECT pg_notify($1, $2)", CHANNEL, payload)

    async def listen(self, on_news: OnNews) -> None:
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.listening.append(asyncio.create_task(self._listen(on_news, begun)))
        await begun

    async def _listen(self, on_news: OnNews, begun: "asyncio.Future[None]") -> None:
        def notified(_connection: object, _process: int, _channel: str, payload: object) -> None:
            node, tables = msgspec.json.decode(str(payload), type=tuple[str, list[tuple[str, int]]])
            if node != self.node:
                on_news(tables)

        while True:
            try:
                connection = await asyncpg.connect(self.url, timeout=CONNECT_SECONDS)
                try:
                    await connection.add_listener(CHANNEL, notified)
                    if begun.done():
                        on_news([])
                    else:
                        begun.set_result(None)
                    await stay(connection)
                finally:
                    connection.terminate()
            except PROBLEMS as problem:
                if not begun.done():
                    begun.set_exception(StorageError(NOT_OPENED, reason=describe(problem)))
                    return
            await asyncio.sleep(PAUSE_SECONDS)

    async def overwrite(self) -> bool:
        """PostgreSQL sees to it by itself, when it vacuums."""
        return True

    def pool_use(self) -> PoolUse:
        size = self.pool.get_size()
        return PoolUse(size, size - self.pool.get_idle_size(), self.acquiring + len(self.queue))

    def session(self, writes: bool = False) -> AbstractAsyncContextManager[Session]:
        return open_session(self.url, writes)

    async def close(self) -> None:
        self.is_closed = True
        if self.storing:
            await asyncio.wait([self.storing])
        for task in self.listening:
            task.cancel()
        await asyncio.gather(*self.listening, return_exceptions=True)
        try:
            await asyncio.wait_for(self.pool.close(), COMMAND_SECONDS)
        except TimeoutError:
            self.pool.terminate()


async def stay(connection: asyncpg.Connection) -> None:
    """Wait until a connection is lost. It is pinged now and then, because some are lost silently."""
    lost = asyncio.Event()
    connection.add_termination_listener(lambda _: lost.set())
    while not lost.is_set():
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                await lost.wait()
        except TimeoutError:
            await connection.execute("SELECT 1", timeout=COMMAND_SECONDS)


async def leave_as_it_is(_connection: asyncpg.Connection) -> None:
    """Nothing we do leaves anything behind on a connection, so that PostgreSQL needn't be asked to clean it."""


def columns(lines: list[tuple[Any, ...]], count: int) -> list[list[Any]]:
    """Rows of values as columns for `unnest`, also when there are none."""
    return [[line[column] for line in lines] for column in range(count)]
