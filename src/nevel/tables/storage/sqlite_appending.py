"""Appends to a SQLite file, within a transaction: one, or many at once.

Python lets other threads run whenever SQLite takes a step, and then has to wait for its turn. So the moves of many
tables are given to SQLite in one statement, as JSON.
"""

import sqlite3
from collections.abc import Sequence

import msgspec

from nevel.tables.storage.schema import SUMMARY, Append
from nevel.tables.storage.storage import FIND_ROWS, NEVER, is_stored

CREATE = f"""
    INSERT INTO tables ({SUMMARY}, deadline, secret, newest) VALUES ({", ".join("?" * 13)}) ON CONFLICT DO NOTHING
"""
#: Without the id: SQLite would write the index anew.
CHANGE = f"""
    UPDATE tables SET ({SUMMARY.removeprefix("table_id, ")}, deadline, newest) = ({", ".join("?" * 11)})
    WHERE table_id = ? AND newest = ?
"""
ADD_ROW = "INSERT INTO events (table_id, seq, at, body) VALUES (?, ?, ?, ?)"

#: What a game that goes on changes of a table; the answer names the tables whose next rows these are.
GO_ON = """
    UPDATE tables SET
        phase = json_extract(given.value, '$[2]'), changed = json_extract(given.value, '$[3]'),
        taken = json_extract(given.value, '$[4]'), host = json_extract(given.value, '$[5]'),
        details = json_extract(given.value, '$[6]'), deadline = json_extract(given.value, '$[7]'),
        newest = json_extract(given.value, '$[8]')
    FROM json_each(?) AS given
    WHERE table_id = json_extract(given.value, '$[0]') AND newest = json_extract(given.value, '$[1]')
    RETURNING table_id
"""
#: What a plain move changes of it, by its row. Nothing that is in an index: SQLite would write that anew.
MOVE_ON = """
    UPDATE tables SET newest = json_extract(given.value, '$[1]'), changed = json_extract(given.value, '$[2]')
    FROM json_each(?) AS given
    WHERE table_id = json_extract(given.value, '$[0]') AND newest = json_extract(given.value, '$[1]') - 1
    RETURNING table_id
"""
ADD_ROWS = """
    INSERT INTO events (table_id, seq, at, body)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
        json_extract(value, '$[3]')
    FROM json_each(?)
"""

encode = msgspec.json.Encoder().encode


def store(connection: sqlite3.Connection, append: Append) -> bool:
    """The next rows of a table and what follows from them; False when they aren't the next."""
    summary = msgspec.structs.astuple(append.summary)
    if append.first == 0:
        values = (*summary, append.deadline, append.secret, append.newest)
        changed = connection.execute(CREATE, values).rowcount
    else:
        values = (*summary[1:], append.deadline, append.newest, append.table, append.first - 1)
        changed = connection.execute(CHANGE, values).rowcount
    if not changed:
        return is_there(connection, append)
    connection.executemany(ADD_ROW, [msgspec.structs.astuple(row) for row in append.rows])
    if append.members is not None:
        connection.execute("DELETE FROM members WHERE table_id = ?", (append.table,))
        members = [(person, append.table) for person in dict.fromkeys(append.members)]
        connection.executemany("INSERT INTO members (person, table_id) VALUES (?, ?)", members)
    if append.named:
        named = [(person, append.table) for person in append.named]
        connection.executemany("INSERT OR IGNORE INTO appearances (person, table_id) VALUES (?, ?)", named)
    return True


def store_all(connection: sqlite3.Connection, appends: Sequence[Append]) -> list[bool]:
    """Store many appends in order, moves at different tables by the same few statements."""
    answers = list[bool]()
    together = dict[str, Append]()
    for append in appends:
        is_plain = goes_on(append)
        if together and (not is_plain or append.table in together):
            answers += store_together(connection, together)
            together = {}
        if is_plain:
            together[append.table] = append
        else:
            answers.append(store(connection, append))
    return answers + store_together(connection, together) if together else answers


def goes_on(append: Append) -> bool:
    """Whether it is about what is played, not about who plays; with times that are numbers in JSON too."""
    return append.first > 0 and append.members is None and not append.named and append.rows[-1].at <= NEVER


def store_together(connection: sqlite3.Connection, appends: dict[str, Append]) -> list[bool]:
    """Appends of games that go on, by table."""
    moves, changes = list[object](), list[object]()
    for append in appends.values():
        if append.is_plain:
            moves.append(msgspec.structs.astuple(append.rows[0]))
        else:
            summary = append.summary
            what = (summary.phase, summary.changed, summary.taken, summary.host, summary.details)
            changes.append((append.table, append.first - 1, *what, append.deadline, append.newest))
    accepted = accept(connection, MOVE_ON, moves) | accept(connection, GO_ON, changes)
    rows = [
        msgspec.structs.astuple(row) for table, append in appends.items() if table in accepted for row in append.rows
    ]
    connection.execute(ADD_ROWS, (encode(rows).decode(),))
    return [table in accepted or is_there(connection, append) for table, append in appends.items()]


def accept(connection: sqlite3.Connection, statement: str, changes: list[object]) -> set[str]:
    """Run a statement with its values as JSON; returns the tables that met its condition."""
    return {table for (table,) in connection.execute(statement, (encode(changes).decode(),))} if changes else set()


def is_there(connection: sqlite3.Connection, append: Append) -> bool:
    """Whether these very rows are stored already."""
    where = {"1": append.table, "2": append.first, "3": append.newest}
    return is_stored(append, list(connection.execute(FIND_ROWS, where)))
