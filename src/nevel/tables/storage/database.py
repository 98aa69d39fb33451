"""What both databases have in common: how either is asked, what may go wrong, and how an older one catches up."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any, ClassVar, NamedTuple

from nevel.languages import SpokenError, mark
from nevel.tables.storage import schema
from nevel.tables.storage.schema import Append

Value = str | int | None
#: What stands in one line of an answer.
Values = Sequence[Any]
#: SQL with $1, $2…, and what they stand for.
Statement = tuple[str, tuple[Value, ...]]
#: Told of something that was asked: an append, a read or a commit; the seconds it took; whether it failed.
OnDone = Callable[[str, float, bool], None]
#: Called with tables and the newest seq of each; with none when some may have been missed.
OnNews = Callable[[list[tuple[str, int]]], None]

NOT_STORED = mark("This couldn't be stored ({reason}). Nothing has changed; please try again.")
UNCERTAIN = mark(
    "The database was lost ({reason}); perhaps this was stored, perhaps not. Please look before you try again."
)
NOT_READ = mark("The database doesn't answer ({reason}). Please try again.")
NOT_OPENED = mark("The database can't be opened ({reason}).")
CLOSED = mark("The server is shutting down. Nothing has changed.")

#: What nodes tell each other about people.
PERSON, HERE, CHANGED, ERASED = "@", 1, 0, 2
#: What they tell each other about the review of a table: how many thousandths of it are done.
REVIEW = "%"
#: What they tell each other of a table that was deleted, instead of its newest row.
GONE = -1
#: What they tell each other about limits: what a person or an address has spent.
SPENT = "#"
#: Who answers later isn't ready.
READY_SECONDS = 3.0


class StorageError(SpokenError):
    """The database couldn't do it. Nothing has changed, and it works again once the trouble is over."""


class UncertainError(StorageError):
    """The connection was lost for so long that nobody knows whether the transaction was committed.

    The very same append may be made again: if it was stored, the answer is True and it isn't stored twice.
    """


class Session(ABC):
    """One transaction, on a connection of its own, for what concerns the database as a whole."""

    @abstractmethod
    async def run(self, statement: str, *values: Value) -> list[Values]:
        """Execute a statement; returns its rows."""

    @abstractmethod
    def stream(self, statement: str) -> AsyncIterator[list[Values]]:
        """The rows of a statement, in batches."""

    @abstractmethod
    async def run_many(self, statement: str, lines: Sequence[Values]) -> None:
        """Execute a statement for each of these rows of values."""


class PoolUse(NamedTuple):
    """The connections to a database: how many there are, how many have work, and what waits for one."""

    size: int
    in_use: int
    waiting: int


def ignore(_operation: str, _seconds: float, _has_failed: bool) -> None:
    """Do nothing: stands in where nobody measures."""


class Database(ABC):
    """What is asked of a database, each in its own way. Belongs to the event loop it was opened in."""

    #: Told of everything that was asked and is answered.
    on_done: OnDone = staticmethod(ignore)

    #: Whether other nodes may use it at the same time.
    is_shared = False
    #: SQL for the time by the clock of the database, in milliseconds since 1970.
    NOW: ClassVar[str]

    @abstractmethod
    def _append(self, append: Append) -> Awaitable[bool]: ...

    @abstractmethod
    async def _read(self, statement: str, *values: Value) -> list[Values]: ...

    @abstractmethod
    async def _commit(self, *statements: Statement) -> list[list[Values]]:
        """Execute statements in one transaction; returns the rows of each."""

    @abstractmethod
    async def _announce(self, table: str) -> None:
        """Tell other nodes that there is something new at a table besides rows."""

    @abstractmethod
    def session(self, writes: bool = False) -> AbstractAsyncContextManager[Session]:
        """A transaction that sees the database as it is now; one that writes excludes all others that do."""

    @abstractmethod
    async def listen(self, on_news: OnNews) -> None:
        """Call back whenever another node has appended rows or chat: with the table and its newest row.

        An empty list says that the connection was lost and is back: anything may have been missed meanwhile.
        """

    @abstractmethod
    async def tell_nodes(self, news: Sequence[tuple[str, int]]) -> None:
        """Send other nodes a message that isn't stored, in the form of news about a table.

        What is about a person has PERSON before their id, and HERE, CHANGED or ERASED; what is about the review of
        a table has REVIEW before its name. It may be lost.
        """

    @abstractmethod
    async def overwrite(self) -> bool:
        """Leave nothing of what was deleted in the files of the database; False if that has to be tried again."""

    @abstractmethod
    def pool_use(self) -> PoolUse:
        """Tell how busy the connections are at this moment."""

    @contextmanager
    def timed(self, operation: str) -> Generator[None]:
        """Measure how long something takes that is asked of the database, and whether it fails."""
        began, has_failed = time.perf_counter(), False
        try:
            yield
        except StorageError:
            has_failed = True
            raise
        finally:
            self.on_done(operation, time.perf_counter() - began, has_failed)

    @abstractmethod
    async def close(self) -> None:
        """Store what is waiting, then close. What is asked afterwards raises a StorageError."""

    async def is_ready(self) -> bool:
        """Whether the database answers."""
        try:
            async with asyncio.timeout(READY_SECONDS):
                await self._read("SELECT 1")
        except (StorageError, TimeoutError):
            return False
        return True

    async def _write(self, statement: str, *values: Value) -> list[Values]:
        check_text(values)
        (found,) = await self._commit((statement, values))
        return found


def check_text(values: Iterable[Value]) -> None:
    """Refuse text with a NUL character, which PostgreSQL can't store; nor may SQLite then."""
    for value in values:
        if isinstance(value, str) and "\0" in value:
            raise StorageError(mark("Text can't contain the character NUL."))


async def migrate(session: Session) -> None:
    """Bring a database, new or old, to the version of this program."""
    await session.run("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
    version = await stored_version(session)
    check_version(version)
    if version == len(schema.STEPS):
        return
    for step in schema.STEPS[version:]:
        await take_step(session, step)
    await session.run("DELETE FROM schema_version")
    await session.run("INSERT INTO schema_version (version) VALUES ($1)", len(schema.STEPS))


async def take_step(session: Session, step: Iterable[schema.Step]) -> None:
    """Take a step from one version to the next."""
    for part in step:
        await (session.run(part) if isinstance(part, str) else part(session))


async def stored_version(session: Session) -> int:
    found = await session.run("SELECT version FROM schema_version")
    return found[0][0] if found else 0


def check_version(version: int) -> None:
    if version > len(schema.STEPS):
        message = mark(
            "This was stored by a newer version of Nevel (format {found}); this version "
            "reads formats up to {known}. Update Nevel."
        )
        raise SpokenError(message, found=version, known=len(schema.STEPS))
