"""Where tables and people are kept: one append-only log a table and a few rows of index, in either database.

What can be asked is written once, here and in the parts for people and for reviews, in SQL that both databases read;
each database brings how it reads, writes and commits.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import platformdirs

from nevel.languages import SpokenError, mark
from nevel.tables.storage.database import NOT_OPENED, READY_SECONDS, StorageError, Value, Values, check_text
from nevel.tables.storage.people import PeopleStorage
from nevel.tables.storage.reviews import ReviewStorage, read_summary
from nevel.tables.storage.schema import SUMMARY, Append, Row, Summary

FIND_ROWS = "SELECT table_id, seq, at, body FROM events WHERE table_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq"

#: Told whether an append was stored, or the problem if nobody can say.
OnStored = Callable[[bool, Exception | None], None]
#: The milliseconds of the longest lease.
LONGEST_LEASE = 600_000
#: Where there are rows that belong to a table.
PARTS_OF_A_TABLE = ("events", "members", "appearances", "messages", "mutes", "reviews")
#: A later moment than any table can have changed at.
NEVER = 2**63 - 1


class Storage(PeopleStorage, ReviewStorage):
    """All that Nevel remembers."""

    async def append(self, append: Append) -> bool:
        """Store the next rows of a table with all that follows from them; on disk when it returns.

        False when they aren't the next ones, and then nothing has changed: whoever asked reloads and thinks again.
        The very same rows a second time are taken for a repetition: True, and nothing changes.
        """
        check(append)
        return await self._append(append)

    def begin_append(self, append: Append, on_stored: OnStored) -> None:
        """Like `append`, but begun at once: `on_stored` is called with the answer."""
        asyncio.ensure_future(self.append(append)).add_done_callback(partial(tell_stored, on_stored))

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

    async def games_of(self, person: str) -> list[Summary]:
        """The tables where somebody sits, or sat, at which a game is going on."""
        condition = "JOIN members USING (table_id) WHERE person = $1 AND phase = 'playing'"
        return await self._summaries(f"{condition} ORDER BY created DESC", person)

    async def unfinished_by_the_clock(self) -> list[str]:
        """The tables at which a game is going on and a clock runs."""
        condition = "phase = 'playing' AND details NOT LIKE '%\"pace\":{}%'"
        found = await self._read(f"SELECT table_id FROM tables WHERE {condition} ORDER BY created")
        return [table for (table,) in found]

    async def due(self, now: int, limit: int) -> list[str]:
        """The tables at which somebody's time has run out, the longest ago first."""
        statement = "SELECT table_id FROM tables WHERE deadline <= $1 ORDER BY deadline LIMIT $2"
        return [table for (table,) in await self._read(statement, now, limit)]

    # What is old.

    async def old_tables(self, before: int, limit: int) -> list[str]:
        """Tables at which nothing has happened or was said since a moment. It reads all of them, apart from others."""
        statement = """
            SELECT table_id FROM tables WHERE changed < $1 AND NOT EXISTS
            (SELECT 1 FROM messages WHERE messages.table_id = tables.table_id AND at >= $1) ORDER BY changed LIMIT $2
        """
        async with self.session() as session:
            return [table for (table,) in await session.run(statement, before, limit)]

    async def old_people(self, before: int, limit: int) -> list[str]:
        """People nobody has seen since a moment, in the same way."""
        async with self.session() as session:
            found = await session.run("SELECT id FROM people WHERE seen < $1 ORDER BY seen LIMIT $2", before, limit)
        return [person for (person,) in found]

    async def delete_table(self, table: str, before: int) -> bool:
        """Delete a table with all that belongs to it, unless something has happened there since that moment."""
        # Whoever would change it now waits until it is deleted, and finds none.
        hold = "UPDATE tables SET changed = changed WHERE table_id = $1 AND changed < $2"
        is_old = "table_id = $1 AND EXISTS (SELECT 1 FROM tables WHERE table_id = $1 AND changed < $2)"
        parts = [f"DELETE FROM {name} WHERE {is_old}" for name in PARTS_OF_A_TABLE]
        last = "DELETE FROM tables WHERE table_id = $1 AND changed < $2 RETURNING table_id"
        answers = await self._commit(*((statement, (table, before)) for statement in (hold, *parts, last)))
        return bool(answers[-1])

    # Several nodes.

    async def claim(self, name: str, node: str, lasts: int) -> bool:
        """Acquire the lease of a task for so many milliseconds; False while another node has it.

        The clock of the database decides: those of nodes may differ. A lease that ends later than any can is of a
        node that went by its own clock.
        """
        statement = f"""
            INSERT INTO leases (name, node, until) VALUES ($1, $2, {self.NOW} + $3)
            ON CONFLICT (name) DO UPDATE SET node = excluded.node, until = excluded.until
            WHERE leases.node = excluded.node OR leases.until NOT BETWEEN {self.NOW} AND {self.NOW} + {LONGEST_LEASE}
            RETURNING node
        """
        return bool(await self._write(statement, name, node, lasts))

    async def release(self, name: str, node: str) -> None:
        """Release the lease of a task, if this node has it."""
        await self._write("DELETE FROM leases WHERE name = $1 AND node = $2", name, node)

    async def takes_writes(self) -> bool:
        """Whether something can be stored now: neither on a full disk nor on one that may only be read."""
        statement = """
            INSERT INTO leases (name, node, until) VALUES ('takes writes', '', 0)
            ON CONFLICT (name) DO UPDATE SET until = leases.until + 1
        """
        try:
            async with asyncio.timeout(READY_SECONDS):
                await self._write(statement)
        except (StorageError, TimeoutError):
            return False
        return True

    async def setting(self, name: str, fresh: str) -> str:
        """A value all nodes share: the one that is there, or `fresh` from now on."""
        add = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        # Asked in the same transaction: who loses a race waits for the other's value and reads that.
        _, found = await self._commit((add, (name, fresh)), ("SELECT value FROM settings WHERE name = $1", (name,)))
        return found[0][0]

    async def find_setting(self, name: str) -> str | None:
        """Read a value that all nodes share; None if there is none."""
        found = await self._read("SELECT value FROM settings WHERE name = $1", name)
        return found[0][0] if found else None

    async def save_setting(self, name: str, value: str) -> None:
        """Store a value that all nodes share."""
        statement = """
            INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
        await self._write(statement, name, value)

    async def now(self) -> int:
        """The time by the clock of the database, in milliseconds."""
        return (await self._read(f"SELECT {self.NOW}"))[0][0]

    # Leaving.

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
            "statistics": msgspec.to_builtins(await self.statistics(person)),
            "solved": msgspec.to_builtins(await self.solved_by(person)),
            "boxes": await self.boxes_of(person),
        }

    async def forget(self, person: str) -> None:
        """Delete all that is known about somebody, and note that the logs of their tables have to be cleared.

        There remains an id that means nothing.
        """
        await self._commit(*((statement, (person,)) for statement in self.forgetting))

    @property
    def forgetting(self) -> tuple[str, ...]:
        """The statements that delete somebody, $1."""
        return (
            "DELETE FROM tokens WHERE person = $1",
            "DELETE FROM blocks WHERE person = $1 OR other = $1",
            "DELETE FROM mutes WHERE person = $1 OR other = $1",
            "DELETE FROM messages WHERE person = $1",
            "DELETE FROM members WHERE person = $1",
            "DELETE FROM statistics WHERE person = $1",
            "DELETE FROM solved WHERE person = $1",
            "DELETE FROM boxes WHERE person = $1",
            "DELETE FROM people WHERE id = $1",
            f"INSERT INTO deletions (person, at, is_done) VALUES ($1, {self.NOW}, 0) ON CONFLICT DO NOTHING",
        )

    async def deletions(self, limit: int, after: str = "") -> list[str]:
        """Who was deleted and may have left something in the logs, in the order of their ids."""
        statement = "SELECT person FROM deletions WHERE is_done = 0 AND person > $2 ORDER BY person LIMIT $1"
        found = await self._read(statement, limit, after)
        return [person for (person,) in found]

    async def deleted_since(self, at: int) -> list[tuple[str, int]]:
        """Who was deleted from a moment on, and when."""
        found = await self._read("SELECT person, at FROM deletions WHERE at >= $1 ORDER BY at", at)
        return [(person, at) for person, at in found]

    async def deletion_done(self, person: str) -> None:
        # Leaving tables may have put them into lists once more.
        done = (
            "DELETE FROM members WHERE person = $1",
            "DELETE FROM appearances WHERE person = $1",
            "UPDATE deletions SET is_done = 1 WHERE person = $1",
        )
        await self._commit(*((statement, (person,)) for statement in done))

    async def tables_naming(self, person: str) -> list[str]:
        """The tables in whose logs somebody's id stands."""
        return [table for (table,) in await self._read("SELECT table_id FROM appearances WHERE person = $1", person)]

    async def rewrite(self, table: str, bodies: dict[int, str]) -> None:
        """Put other facts into rows of a log: only to erase what was somebody's own."""
        statement = "UPDATE events SET body = $3 WHERE table_id = $1 AND seq = $2"
        if bodies:
            await self._commit(*((statement, (table, seq, body)) for seq, body in bodies.items()))

    async def _summaries(self, condition: str, *values: Value) -> list[Summary]:
        found = await self._read(f"SELECT {SUMMARY} FROM tables {condition}", *values)
        return [read_summary(line) for line in found]


def check(append: Append) -> None:
    """Assert that an append is consistent: a mistake here is the program's, not a person's."""
    table, first = append.table, append.first
    for seq, row in enumerate(append.rows, first):
        if row.table != table or row.seq != seq:
            raise ValueError(f"the rows of an append to {table} aren't consecutive")
    if append.summary.table != table or (append.secret is not None and first != 0):
        raise ValueError(f"an append to {table} with the summary of another or a secret that comes late")
    bodies = [row.body for row in append.rows]
    if append.is_plain:  # the rest is stored already
        check_text(bodies)
    else:
        people = (*(append.members or ()), *append.named)
        check_text([*msgspec.structs.astuple(append.summary), *people, append.secret, *bodies])


def tell_stored(on_stored: OnStored, answer: asyncio.Future[bool]) -> None:
    """Hand on what became of an append."""
    problem = answer.exception()
    on_stored(problem is None and answer.result(), problem if isinstance(problem, Exception) else None)


def is_stored(append: Append, found: list[Values]) -> bool:
    """Whether what is found in the place of an append's rows are these very rows."""
    return tuple(Row(*line) for line in found) == append.rows


def default_database() -> str:
    """The path of the user's own database file."""
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
            from nevel.tables.storage.postgres import PostgresStorage

            return await PostgresStorage.open(url)
        from nevel.tables.storage.sqlite import SqliteStorage

        return await SqliteStorage.open(Path(unquote(rest.removeprefix("/")) if is_url else url))
    except StorageError as problem:
        raise StorageError(NOT_OPENED, **problem.values) from problem
