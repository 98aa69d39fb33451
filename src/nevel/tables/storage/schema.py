"""What is stored: as records in Python, and as tables in either database."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from nevel.tables.storage.appearances import fill_appearances


class Row(msgspec.Struct, frozen=True):
    """One event of a table's log. `at` is in milliseconds since 1970, as all times here; `body` is JSON."""

    table: str
    seq: int
    at: int
    body: str


class Summary(msgspec.Struct, frozen=True):
    """What lists need to know of a table without reading its log. `details` is JSON: whatever else they show."""

    table: str
    game: str
    phase: str
    is_public: bool
    created: int
    changed: int
    seats: int
    taken: int
    host: str
    details: str


class Append(msgspec.Struct, frozen=True):
    """What happens to a table at once: the next rows of its log, and all that follows from them."""

    #: Consecutive, and of one table.
    rows: tuple[Row, ...]
    #: Replaces the one before.
    summary: Summary
    #: The people who sit or sat there and who looks after it; None leaves them as they are.
    members: tuple[str, ...] | None
    #: When somebody's time runs out, if anybody's does.
    deadline: int | None
    #: What the table's chance is drawn from; only with the first row, and never in the log before the end.
    secret: str | None = None
    #: Whether nothing of summary and deadline is new but the time of the last change: a move in a game that goes on.
    is_plain: bool = False
    #: The people whose ids stand in these rows: where to look when one of them leaves for good.
    named: tuple[str, ...] = ()

    @property
    def table(self) -> str:
        return self.rows[0].table

    @property
    def first(self) -> int:
        return self.rows[0].seq

    @property
    def newest(self) -> int:
        return self.rows[-1].seq


class Person(msgspec.Struct, frozen=True):
    """Somebody who plays here. There is nothing else to know of them."""

    id: str
    name: str
    language: str
    created: int
    seen: int
    #: When they logged out everywhere last: cookies and links of theirs from before are worth nothing. 0 is never.
    logged_out: int = 0


class Token(msgspec.Struct, frozen=True):
    """A secret with which a program or browser acts as a person. Only its digest is stored."""

    digest: str
    person: str
    label: str
    created: int
    used: int | None
    id: str


class Message(msgspec.Struct, frozen=True):
    """Something said at a table, by a seat or from the side. Kept apart from the log: people may delete theirs."""

    table: str
    at: int
    person: str
    seat: int | None
    text: str
    #: Given by the storage, from 0 and never twice.
    number: int = -1


class StoredReview(msgspec.Struct, frozen=True):
    """What was found out about a finished game, in JSON: one figure a seat, what each predicted, and all of it."""

    table: str
    #: Of the way it was made: one that was made otherwise is made again.
    version: int
    playouts: int
    at: int
    accuracies: str
    predictions: str
    body: str


class Statistics(msgspec.Struct, frozen=True):
    """How somebody would like their games to be counted."""

    person: str
    #: Only tables opened after this moment.
    since: int = 0
    #: What lets others look, if anybody may.
    link: str | None = None


class Finished(msgspec.Struct, frozen=True):
    """A game that is over, with how well everybody chose and predicted, as JSON, if somebody has looked."""

    summary: Summary
    accuracies: str | None
    predictions: str | None


class Solved(msgspec.Struct, frozen=True):
    """A puzzle somebody has solved, when, and at which try."""

    kind: str
    number: int
    at: int
    tries: int


#: The columns of a Summary, in its order.
SUMMARY = "table_id, game, phase, is_public, created, changed, seats, taken, host, details"

#: A statement, or what follows from the rows there are and can't be said in one that both databases read.
Step = str | Callable[[Any], Awaitable[None]]
#: What makes a database of version n one of version n + 1. A step that has been released never changes.
#: Both databases read the same text: every number is a BIGINT, because SQLite has no other, and so is the truth.
STEPS: tuple[tuple[Step, ...], ...] = (
    (
        """
        CREATE TABLE tables (
            table_id TEXT NOT NULL PRIMARY KEY,
            game TEXT NOT NULL,
            phase TEXT NOT NULL,
            is_public BIGINT NOT NULL,
            created BIGINT NOT NULL,
            changed BIGINT NOT NULL,
            seats BIGINT NOT NULL,
            taken BIGINT NOT NULL,
            host TEXT NOT NULL,
            details TEXT NOT NULL,
            deadline BIGINT,
            secret TEXT,
            newest BIGINT NOT NULL,
            said BIGINT NOT NULL DEFAULT 0
        )
        """,
        "CREATE INDEX tables_open ON tables (created) WHERE is_public = 1 AND phase = 'open'",
        "CREATE INDEX tables_playing ON tables (created) WHERE phase = 'playing'",
        "CREATE INDEX tables_due ON tables (deadline) WHERE deadline IS NOT NULL",
        """
        CREATE TABLE events (
            table_id TEXT NOT NULL,
            seq BIGINT NOT NULL,
            at BIGINT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (table_id, seq)
        )
        """,
        """
        CREATE TABLE members (
            person TEXT NOT NULL,
            table_id TEXT NOT NULL,
            PRIMARY KEY (person, table_id)
        )
        """,
        "CREATE INDEX members_of_table ON members (table_id)",
        """
        CREATE TABLE people (
            id TEXT NOT NULL PRIMARY KEY,
            name TEXT NOT NULL,
            language TEXT NOT NULL,
            created BIGINT NOT NULL,
            seen BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE tokens (
            digest TEXT NOT NULL PRIMARY KEY,
            person TEXT NOT NULL,
            label TEXT NOT NULL,
            created BIGINT NOT NULL,
            used BIGINT,
            id TEXT NOT NULL UNIQUE
        )
        """,
        "CREATE INDEX tokens_of_person ON tokens (person)",
        """
        CREATE TABLE blocks (
            person TEXT NOT NULL,
            other TEXT NOT NULL,
            PRIMARY KEY (person, other)
        )
        """,
        "CREATE INDEX blocks_of_other ON blocks (other)",
        """
        CREATE TABLE messages (
            table_id TEXT NOT NULL,
            at BIGINT NOT NULL,
            person TEXT NOT NULL,
            seat BIGINT,
            text TEXT NOT NULL,
            number BIGINT NOT NULL,
            PRIMARY KEY (table_id, number)
        )
        """,
        "CREATE INDEX messages_of_person ON messages (person)",
        "CREATE TABLE leases (name TEXT NOT NULL PRIMARY KEY, node TEXT NOT NULL, until BIGINT NOT NULL)",
        "CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    ),
    (
        """
        CREATE TABLE mutes (
            person TEXT NOT NULL,
            table_id TEXT NOT NULL,
            other TEXT NOT NULL,
            PRIMARY KEY (person, table_id, other)
        )
        """,
        "CREATE INDEX mutes_of_other ON mutes (other, table_id)",
    ),
    (
        """
        CREATE TABLE reviews (
            table_id TEXT NOT NULL PRIMARY KEY,
            version BIGINT NOT NULL,
            playouts BIGINT NOT NULL,
            at BIGINT NOT NULL,
            accuracies TEXT NOT NULL,
            predictions TEXT NOT NULL,
            body TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE statistics (
            person TEXT NOT NULL PRIMARY KEY,
            since BIGINT NOT NULL,
            link TEXT UNIQUE
        )
        """,
    ),
    (
        """
        CREATE TABLE solved (
            person TEXT NOT NULL,
            kind TEXT NOT NULL,
            number BIGINT NOT NULL,
            at BIGINT NOT NULL,
            tries BIGINT NOT NULL,
            PRIMARY KEY (person, kind, number)
        )
        """,
    ),
    (
        # The id of the command something was said by, so that a repeat is recognised on any node and after a restart.
        "ALTER TABLE messages ADD COLUMN command TEXT NOT NULL DEFAULT ''",
        "CREATE UNIQUE INDEX messages_of_command ON messages (table_id, person, command) WHERE command <> ''",
    ),
    ("ALTER TABLE people ADD COLUMN logged_out BIGINT NOT NULL DEFAULT 0",),
    (
        # Who was deleted when, and whether the logs of their tables were cleared of what was theirs.
        "CREATE TABLE deletions (person TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL, is_done BIGINT NOT NULL)",
        "CREATE INDEX deletions_to_do ON deletions (at) WHERE is_done = 0",
    ),
    (
        # The boxes people corrected, as JSON: one a game.
        """
        CREATE TABLE boxes (
            person TEXT NOT NULL,
            game TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (person, game)
        )
        """,
    ),
    (
        # Who stands in the log of which table, those who left it too: nobody has to read all logs to find it out.
        """
        CREATE TABLE appearances (
            person TEXT NOT NULL,
            table_id TEXT NOT NULL,
            PRIMARY KEY (person, table_id)
        )
        """,
        "CREATE INDEX appearances_at_table ON appearances (table_id)",
        fill_appearances,
    ),
)

#: What a backup holds, and with which columns.
BACKUP_COLUMNS = {
    "settings": ("name", "value"),
    "people": ("id", "name", "language", "created", "seen", "logged_out"),
    "tokens": ("digest", "person", "label", "created", "used", "id"),
    "deletions": ("person", "at", "is_done"),
    "blocks": ("person", "other"),
    "mutes": ("person", "table_id", "other"),
    "solved": ("person", "kind", "number", "at", "tries"),
    "boxes": ("person", "game", "content"),
    "tables": (*SUMMARY.split(", "), "deadline", "secret", "newest", "said"),
    "members": ("person", "table_id"),
    "appearances": ("person", "table_id"),
    "messages": ("table_id", "at", "person", "seat", "text", "number", "command"),
    "reviews": ("table_id", "version", "playouts", "at", "accuracies", "predictions", "body"),
    "statistics": ("person", "since", "link"),
    "events": ("table_id", "seq", "at", "body"),
}
#: What it doesn't hold: who had a lease is gone when it is restored.
TEMPORARY_TABLES = ("leases",)
