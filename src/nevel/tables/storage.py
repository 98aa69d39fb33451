"""Where tables and people are kept: one append-only log a table and a few rows of index, in either database.

What can be asked is written once, here, in SQL that both databases read; each brings how it reads, writes and commits.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import platformdirs

from nevel.languages import SpokenError, mark
from nevel.tables import schema
from nevel.tables.schema import SUMMARY, Append, Message, Person, Row, Summary, Token

Value = str | int | None
#: What stands in one line of an answer.
Values = Sequence[Any]
#: SQL with $1, $2…, and what they stand for.
Statement = tuple[str, tuple[Value, ...]]
#: Called with tables and the newest seq of each; with none when some may have been missed.
Heard = Callable[[list[tuple[str, int]]], None]

NOT_STORED = mark("This couldn't be stored ({reason}). Nothing has changed; please try again.")
UNCERTAIN = mark(
    "The database was lost ({reason}); perhaps this was stored, perhaps not. Please look before you try again."
)
NOT_READ = mark("The database doesn't answer ({reason}). Please try again.")
NOT_OPENED = mark("The database can't be opened ({reason}).")
CLOSED = mark("The server is closing. Nothing has changed.")

FIND_ROWS = "SELECT table_id, seq, at, body FROM events WHERE table_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq"

#: A later moment than any table can have changed at.
NEVER = 2**63 - 1
#: What nodes tell each other about people.
PERSON, HERE, CHANGED = "@", 1, 0
#: Who answers later isn't ready.
READY_SECONDS = 3.0
#: What one question asks for by name; databases limit it.
MOST_NAMES = 500


class StorageError(SpokenError):
    """The database couldn't do it. Nothing has changed, and it works again once the trouble is over."""


class UncertainError(StorageError):
    """The database was lost on the way, for so long that nobody can say what it did.

    The very same append may be made again: if it was stored, the answer is True and it isn't stored twice.
    """


class Session(ABC):
    """One transaction, on a connection of its own, for what concerns the database as a whole."""

    @abstractmethod
    async def run(self, statement: str, *values: Value) -> list[Values]:
        """Execute a statement; its answer."""

    @abstractmethod
    def stream(self, statement: str) -> AsyncIterator[list[Values]]:
        """The answer to a statement, some lines at a time."""

    @abstractmethod
    async def run_many(self, statement: str, lines: Sequence[Values]) -> None:
        """Execute a statement for each of these lines."""


class Storage(ABC):
    """All that Nevel remembers. Belongs to the event loop it was opened in."""

    #: Whether other nodes may use it at the same time.
    is_shared = False

    # What each database does its own way.

    @abstractmethod
    async def _append(self, append: Append) -> bool: ...

    @abstractmethod
    async def _read(self, statement: str, *values: Value) -> list[Values]: ...

    @abstractmethod
    async def _commit(self, *statements: Statement) -> list[list[Values]]:
        """Execute statements in one transaction; the answer to each."""

    @abstractmethod
    async def _announce(self, table: str) -> None:
        """Tell other nodes that there is something new at a table besides rows."""

    @abstractmethod
    def session(self, writes: bool = False) -> AbstractAsyncContextManager[Session]:
        """A transaction that sees the database as it is now; one that writes excludes all others that do."""

    @abstractmethod
    async def listen(self, heard: Heard) -> None:
        """From now on, tell of what other nodes append, or say at a table: the table, and its newest seq.

        An empty list says that the connection was lost and is back: anything may have been missed meanwhile.
        """

    @abstractmethod
    async def tell_nodes(self, news: Sequence[tuple[str, int]]) -> None:
        """Tell other nodes something that isn't stored, in the form in which they hear of tables.

        What is about a person has PERSON before their id, and HERE or CHANGED. It may be lost.
        """

    @abstractmethod
    async def close(self) -> None:
        """Store what is waiting, then close. What is asked afterwards raises a StorageError."""

    # Tables.

    async def append(self, append: Append) -> bool:
        """Store the next rows of a table with all that follows from them; on disk when it returns.

        False when they aren't the next ones, and then nothing has changed: whoever asked reloads and thinks again.
        The very same rows a second time are taken for a repetition: True, and nothing changes.
        """
        check(append)
        return await self._append(append)

    async def rows(self, table: str, after: int = -1) -> list[Row]:
        """The log of a table, from the row after `after`."""
        statement = "SELECT table_id, seq, at, body FROM events WHERE table_id = $1 AND seq > $2 ORDER BY seq"
        return [Row(*found) for found in await self._read(statement, table, after)]

    async def secret(self, table: str) -> str | None:
        """What a table's chance is drawn from."""
        found = await self._read("SELECT secret FROM tables WHERE table_id = $1", table)
        return found[0][0] if found else None

    async def summary(self, table: str) -> Summary | None:
        found = await self._summaries("WHERE table_id = $1", table)
        return found[0] if found else None

    async def open_tables(self, game: str | None, limit: int) -> list[Summary]:
        """Tables anybody may join, the newest first."""
        condition = "WHERE is_public = 1 AND phase = 'open' AND game = COALESCE($1, game)"
        return await self._summaries(f"{condition} ORDER BY created DESC, table_id DESC LIMIT $2", game, limit)

    async def tables_of(self, person: str, limit: int, before: tuple[int, str] | None = None) -> list[Summary]:
        """Somebody's tables, the last changed first; `before` is `changed` and `table` of the last one known."""
        changed, table = before or (NEVER, "")
        condition = "JOIN members USING (table_id) WHERE person = $1 AND (changed, table_id) < ($2, $3)"
        order = "ORDER BY changed DESC, table_id DESC LIMIT $4"
        return await self._summaries(f"{condition} {order}", person, changed, table, limit)

    async def unfinished(self) -> list[str]:
        """The tables at which a game is going on."""
        found = await self._read("SELECT table_id FROM tables WHERE phase = 'playing' ORDER BY created")
        return [table for (table,) in found]

    async def due(self, now: int, limit: int) -> list[str]:
        """The tables at which somebody's time has run out, the longest ago first."""
        statement = "SELECT table_id FROM tables WHERE deadline <= $1 ORDER BY deadline LIMIT $2"
        return [table for (table,) in await self._read(statement, now, limit)]

    # Several nodes.

    async def claim(self, name: str, node: str, until: int, now: int) -> bool:
        """Whether a task is this node's until then: nobody else's, or theirs has run out."""
        statement = """
            INSERT INTO leases (name, node, until) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET node = excluded.node, until = excluded.until
            WHERE leases.node = excluded.node OR leases.until <= $4
            RETURNING node
        """
        return bool(await self._write(statement, name, node, until, now))

    async def release(self, name: str, node: str) -> None:
        """Leave a task to others, if it is this node's."""
        await self._write("DELETE FROM leases WHERE name = $1 AND node = $2", name, node)

    async def setting(self, name: str, fresh: str) -> str:
        """A value all nodes share: the one that is there, or `fresh` from now on."""
        add = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        # Asked in the same transaction: who loses a race waits for the other's value and reads that.
        _, found = await self._commit((add, (name, fresh)), ("SELECT value FROM settings WHERE name = $1", (name,)))
        return found[0][0]

    async def is_ready(self) -> bool:
        """Whether the database answers."""
        try:
            async with asyncio.timeout(READY_SECONDS):
                await self._read("SELECT 1")
        except (StorageError, TimeoutError):
            return False
        return True

    # People.

    async def save_person(self, person: Person) -> None:
        """Somebody new, or what is new about somebody."""
        statement = """
            INSERT INTO people (id, name, language, created, seen) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, language = excluded.language,
                created = excluded.created, seen = excluded.seen
        """
        await self._write(statement, *msgspec.structs.astuple(person))

    async def person(self, person: str) -> Person | None:
        return (await self.people([person])).get(person)

    async def people(self, ids: Iterable[str]) -> dict[str, Person]:
        """Those of these people who are known."""
        asked, known = list(dict.fromkeys(ids)), dict[str, Person]()
        for start in range(0, len(asked), MOST_NAMES):
            some = asked[start : start + MOST_NAMES]
            names = ", ".join(f"${number}" for number in range(1, len(some) + 1))
            statement = f"SELECT id, name, language, created, seen FROM people WHERE id IN ({names})"
            known |= {found[0]: Person(*found) for found in await self._read(statement, *some)}
        return known

    async def add_token(self, token: Token) -> None:
        statement = "INSERT INTO tokens (digest, person, label, created, used, id) VALUES ($1, $2, $3, $4, $5, $6)"
        await self._write(statement, *msgspec.structs.astuple(token))

    async def token(self, digest: str) -> Token | None:
        found = await self._tokens("digest", digest)
        return found[0] if found else None

    async def tokens_of(self, person: str) -> list[Token]:
        return await self._tokens("person", person)

    async def token_used(self, digest: str, at: int) -> None:
        await self._write("UPDATE tokens SET used = $2 WHERE digest = $1", digest, at)

    async def revoke(self, person: str, token_id: str) -> bool:
        """Take a token back; False when this person has no such token."""
        return bool(
            await self._write("DELETE FROM tokens WHERE person = $1 AND id = $2 RETURNING id", person, token_id)
        )

    async def block(self, person: str, other: str) -> None:
        statement = "INSERT INTO blocks (person, other) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        await self._write(statement, person, other)

    async def unblock(self, person: str, other: str) -> None:
        await self._write("DELETE FROM blocks WHERE person = $1 AND other = $2", person, other)

    async def blocked_by(self, person: str) -> set[str]:
        """Whom this person doesn't want to meet."""
        return {other for (other,) in await self._read("SELECT other FROM blocks WHERE person = $1", person)}

    async def blockers_of(self, other: str) -> set[str]:
        """Who doesn't want to meet this person."""
        return {person for (person,) in await self._read("SELECT person FROM blocks WHERE other = $1", other)}

    async def mute(self, person: str, table: str, other: str) -> None:
        statement = "INSERT INTO mutes (person, table_id, other) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
        await self._write(statement, person, table, other)

    async def unmute(self, person: str, table: str, other: str) -> None:
        await self._write("DELETE FROM mutes WHERE person = $1 AND table_id = $2 AND other = $3", person, table, other)

    async def muted_by(self, person: str) -> list[tuple[str, str]]:
        """Whom this person doesn't want to hear: the table and the other."""
        statement = "SELECT table_id, other FROM mutes WHERE person = $1 ORDER BY table_id, other"
        return [(table, other) for table, other in await self._read(statement, person)]

    async def deaf_to(self, table: str, speakers: Iterable[str]) -> set[tuple[str, str]]:
        """Who doesn't hear whom at a table, for these speakers: because they muted them there, or block them."""
        asked, found = list(dict.fromkeys(speakers)), set[tuple[str, str]]()
        for start in range(0, len(asked), MOST_NAMES):
            some = asked[start : start + MOST_NAMES]
            names = ", ".join(f"${number}" for number in range(2, len(some) + 2))
            statement = f"""
                SELECT person, other FROM blocks WHERE other IN ({names})
                UNION SELECT person, other FROM mutes WHERE table_id = $1 AND other IN ({names})
            """
            found |= {(person, other) for person, other in await self._read(statement, table, *some)}
        return found

    async def add_message(self, message: Message) -> Message:
        """Keep what somebody says at a table; gives it with its number."""
        # The table counts, not its messages: a number isn't given again when a message is deleted.
        count = "UPDATE tables SET said = said + 1 WHERE table_id = $1"
        add = """
            INSERT INTO messages (table_id, at, person, seat, text, number)
            SELECT table_id, $2, $3, $4, $5, said - 1 FROM tables WHERE table_id = $1 RETURNING number
        """
        values = (message.table, message.at, message.person, message.seat, message.text)
        check_text(values)
        _, found = await self._commit((count, (message.table,)), (add, values))
        if not found:
            raise SpokenError(mark("There is no table {table}."), table=message.table)
        await self._announce(message.table)
        return msgspec.structs.replace(message, number=found[0][0])

    async def messages(self, table: str, after: int, limit: int) -> list[Message]:
        """What was said at a table after message `after`, in order; if it is more than `limit`, the end of it."""
        condition = "table_id = $1 AND number > $2 ORDER BY number DESC LIMIT $3"
        return (await self._messages(condition, table, after, limit))[::-1]

    async def speaker(self, table: str, number: int) -> str | None:
        """Who said this at a table."""
        found = await self._read("SELECT person FROM messages WHERE table_id = $1 AND number = $2", table, number)
        return found[0][0] if found else None

    async def everything_about(self, person: str) -> dict[str, Any]:
        """All that is known about somebody, ready for JSON; what they played is in the logs of their tables."""
        return {
            "person": msgspec.to_builtins(await self.person(person)),
            "tokens": [
                {name: value for name, value in msgspec.structs.asdict(token).items() if name != "digest"}
                for token in await self.tokens_of(person)
            ],
            "blocks": sorted(await self.blocked_by(person)),
            "mutes": [{"table": table, "other": other} for table, other in await self.muted_by(person)],
            "messages": msgspec.to_builtins(await self._messages("person = $1 ORDER BY at, table_id, number", person)),
            "tables": msgspec.to_builtins(await self.tables_of(person, NEVER)),
        }

    async def forget(self, person: str) -> None:
        """Delete all that is known about somebody. In the logs of their tables remains an id that means nothing."""
        forgotten = (
            "DELETE FROM tokens WHERE person = $1",
            "DELETE FROM blocks WHERE person = $1 OR other = $1",
            "DELETE FROM mutes WHERE person = $1 OR other = $1",
            "DELETE FROM messages WHERE person = $1",
            "DELETE FROM members WHERE person = $1",
            "DELETE FROM people WHERE id = $1",
        )
        await self._commit(*((statement, (person,)) for statement in forgotten))

    async def _write(self, statement: str, *values: Value) -> list[Values]:
        check_text(values)
        (found,) = await self._commit((statement, values))
        return found

    async def _summaries(self, condition: str, *values: Value) -> list[Summary]:
        found = await self._read(f"SELECT {SUMMARY} FROM tables {condition}", *values)
        return [
            Summary(table, game, phase, bool(is_public), *others) for table, game, phase, is_public, *others in found
        ]

    async def _tokens(self, column: str, value: str) -> list[Token]:
        columns = "digest, person, label, created, used, id"
        found = await self._read(f"SELECT {columns} FROM tokens WHERE {column} = $1 ORDER BY created, id", value)
        return [Token(*line) for line in found]

    async def _messages(self, condition: str, *values: Value) -> list[Message]:
        columns = "table_id, at, person, seat, text, number"
        found = await self._read(f"SELECT {columns} FROM messages WHERE {condition}", *values)
        return [Message(*line) for line in found]


def check(append: Append) -> None:
    """That an append is one: a mistake here is the program's, not a person's."""
    table, first = append.table, append.first
    if any((row.table, row.seq) != (table, seq) for seq, row in enumerate(append.rows, first)):
        raise ValueError(f"the rows of an append to {table} aren't consecutive")
    if append.summary.table != table or (append.secret is not None and first != 0):
        raise ValueError(f"an append to {table} with the summary of another or a secret that comes late")
    bodies = [row.body for row in append.rows]
    check_text([*msgspec.structs.astuple(append.summary), *(append.members or ()), append.secret, *bodies])


def is_stored(append: Append, found: list[Values]) -> bool:
    """Whether what is found in the place of an append's rows are these very rows."""
    return tuple(Row(*line) for line in found) == append.rows


def check_text(values: Iterable[Value]) -> None:
    """PostgreSQL has no place for this character, so that SQLite may not keep it either."""
    if any(isinstance(value, str) and "\0" in value for value in values):
        raise StorageError(mark("Text may not contain the character NUL."))


async def migrate(session: Session) -> None:
    """Bring a database, new or old, to the version of this program."""
    await session.run("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
    version = await stored_version(session)
    check_version(version)
    if version == len(schema.STEPS):
        return
    for step in schema.STEPS[version:]:
        for statement in step:
            await session.run(statement)
    await session.run("DELETE FROM schema_version")
    await session.run("INSERT INTO schema_version (version) VALUES ($1)", len(schema.STEPS))


async def stored_version(session: Session) -> int:
    found = await session.run("SELECT version FROM schema_version")
    return found[0][0] if found else 0


def check_version(version: int) -> None:
    if version > len(schema.STEPS):
        message = mark("This was stored by a newer Nevel, in version {found}; this one knows versions up to {known}.")
        raise SpokenError(message, found=version, known=len(schema.STEPS))


def default_database() -> str:
    """The file of whoever runs this."""
    return str(platformdirs.user_data_path("nevel") / "nevel.db")


def is_shared(url: str) -> bool:
    """Whether several processes may use the database at this URL at once."""
    return url.startswith(("postgresql://", "postgres://"))


async def open_storage(url: str) -> Storage:
    """The storage at a URL, made if there is none: `postgresql://…`, `sqlite:///file.db`, or the path of a file.

    As elsewhere, `sqlite:///` is followed by a path from here and `sqlite:////` by one from the root.
    """
    scheme, is_url, rest = url.partition("://")
    if is_url and scheme not in ("postgresql", "postgres", "sqlite"):
        # Without the rest: there may be a password in it.
        message = mark("“{scheme}” isn't a database Nevel knows: they are postgresql://… and sqlite:///FILE.")
        raise SpokenError(message, scheme=f"{scheme}://")
    try:
        # Imported when they are used: not everyone has both.
        if is_shared(url):
            from nevel.tables.postgres import PostgresStorage

            return await PostgresStorage.open(url)
        from nevel.tables.sqlite import SqliteStorage

        return await SqliteStorage.open(Path(unquote(rest.removeprefix("/")) if is_url else url))
    except StorageError as problem:
        raise StorageError(NOT_OPENED, **problem.values) from problem
