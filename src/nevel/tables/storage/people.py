"""People as they are kept: names, tokens, boxes; whom they mute and block; what they said and solved."""

from collections.abc import Iterable

import msgspec

from nevel.languages import SpokenError, mark
from nevel.tables.storage.database import Database, Value, check_text
from nevel.tables.storage.schema import Message, Person, Solved, Token

#: What one question asks for by name; databases limit it.
MOST_NAMES = 500
#: The columns of a Person, in its order.
PERSON_COLUMNS = "id, name, language, created, seen, logged_out"


class PeopleStorage(Database):
    """The part of the storage that is about people."""

    async def save_person(self, person: Person) -> None:
        """Store a new person."""
        statement = f"INSERT INTO people ({PERSON_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)"
        await self._write(statement, *msgspec.structs.astuple(person))

    async def change_person(self, person: str, name: str, language: str) -> bool:
        """Change somebody's name and language; False when there is no such person any more."""
        statement = "UPDATE people SET name = $2, language = $3 WHERE id = $1 RETURNING id"
        return bool(await self._write(statement, person, name, language))

    async def person_seen(self, person: str, at: int) -> None:
        await self._write("UPDATE people SET seen = $2 WHERE id = $1", person, at)

    async def log_out(self, person: str, at: int, but: str) -> int:
        """Make all cookies, links and tokens of somebody worthless, but for the token with this digest.

        Gives the new moment since which they count, which is never the one before.
        """
        since = """
            UPDATE people SET logged_out = CASE WHEN logged_out < $2 THEN $2 ELSE logged_out + 1 END
            WHERE id = $1 RETURNING logged_out
        """
        tokens = "DELETE FROM tokens WHERE person = $1 AND digest <> $2"
        found, _ = await self._commit((since, (person, at)), (tokens, (person, but)))
        return found[0][0] if found else 0

    async def person(self, person: str) -> Person | None:
        return (await self.people([person])).get(person)

    async def people(self, ids: Iterable[str]) -> dict[str, Person]:
        """Those of these people who are known."""
        asked, known = list(dict.fromkeys(ids)), dict[str, Person]()
        for start in range(0, len(asked), MOST_NAMES):
            some = asked[start : start + MOST_NAMES]
            names = ", ".join(f"${number}" for number in range(1, len(some) + 1))
            statement = f"SELECT {PERSON_COLUMNS} FROM people WHERE id IN ({names})"
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

    async def add_message(self, message: Message, command_id: str = "") -> Message:
        """Keep what somebody says at a table; gives it with its number.

        What was said by this command already isn't said again: then that message is given.
        """
        # The table counts, not its messages: a number isn't given again when a message is deleted.
        count = """
            UPDATE tables SET said = said + 1 WHERE table_id = $1 AND NOT EXISTS
            (SELECT 1 FROM messages WHERE table_id = $1 AND person = $2 AND command = $3 AND command <> '')
        """
        # Of two nodes that add the same at once, one finds the other's message in the index.
        add = """
            INSERT INTO messages (table_id, at, person, seat, text, number, command)
            SELECT table_id, $2, $3, $4, $5, said - 1, $6 FROM tables WHERE table_id = $1
            ON CONFLICT DO NOTHING RETURNING number
        """
        values = (message.table, message.at, message.person, message.seat, message.text, command_id)
        check_text(values)
        _, found = await self._commit((count, (message.table, message.person, command_id)), (add, values))
        if found:
            await self._announce(message.table)
            return msgspec.structs.replace(message, number=found[0][0])
        if (before := await self.message_by(message.table, message.person, command_id)) is not None:
            return before
        raise SpokenError(mark("There is no table {table}."), table=message.table)

    async def message_by(self, table: str, person: str, command_id: str) -> Message | None:
        """What somebody has said at a table by this command, if they have."""
        condition = "table_id = $1 AND person = $2 AND command = $3 AND command <> ''"
        found = await self._messages(condition, table, person, command_id) if command_id else []
        return found[0] if found else None

    async def messages(self, table: str, after: int, limit: int) -> list[Message]:
        """What was said at a table after message `after`, in order; if it is more than `limit`, the end of it."""
        condition = "table_id = $1 AND number > $2 ORDER BY number DESC LIMIT $3"
        return (await self._messages(condition, table, after, limit))[::-1]

    async def speaker(self, table: str, number: int) -> str | None:
        """Who said this at a table."""
        found = await self._read("SELECT person FROM messages WHERE table_id = $1 AND number = $2", table, number)
        return found[0][0] if found else None

    async def add_solved(self, person: str, solved: Solved) -> None:
        """Somebody has solved a puzzle; only the first time counts."""
        statement = """
            INSERT INTO solved (person, kind, number, at, tries) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
        """
        await self._write(statement, person, *msgspec.structs.astuple(solved))

    async def solved_by(self, person: str) -> list[Solved]:
        """The puzzles somebody has solved."""
        statement = "SELECT kind, number, at, tries FROM solved WHERE person = $1 ORDER BY kind, number"
        return [Solved(*line) for line in await self._read(statement, person)]

    async def save_box(self, person: str, game: str, content: str) -> None:
        """Keep the box somebody has of a game, as JSON, instead of the one before; not for whoever has left."""
        statement = """
            INSERT INTO boxes (person, game, content) SELECT id, $2, $3 FROM people WHERE id = $1
            ON CONFLICT (person, game) DO UPDATE SET content = excluded.content
        """
        await self._write(statement, person, game, content)

    async def drop_box(self, person: str, game: str) -> None:
        """Keep no box of this game for somebody any more."""
        await self._write("DELETE FROM boxes WHERE person = $1 AND game = $2", person, game)

    async def box_of(self, person: str, game: str) -> str | None:
        """The box somebody has of a game, as JSON, if it isn't ours."""
        found = await self._read("SELECT content FROM boxes WHERE person = $1 AND game = $2", person, game)
        return found[0][0] if found else None

    async def boxes_of(self, person: str) -> dict[str, str]:
        """The boxes somebody has that aren't ours, as JSON, by game."""
        statement = "SELECT game, content FROM boxes WHERE person = $1 ORDER BY game"
        return {row[0]: row[1] for row in await self._read(statement, person)}

    async def _tokens(self, column: str, value: str) -> list[Token]:
        columns = "digest, person, label, created, used, id"
        found = await self._read(f"SELECT {columns} FROM tokens WHERE {column} = $1 ORDER BY created, id", value)
        return [Token(*line) for line in found]

    async def _messages(self, condition: str, *values: Value) -> list[Message]:
        columns = "table_id, at, person, seat, text, number"
        found = await self._read(f"SELECT {columns} FROM messages WHERE {condition}", *values)
        return [Message(*line) for line in found]
