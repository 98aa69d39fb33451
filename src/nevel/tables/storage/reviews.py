"""What is kept for looking back: reviews of finished games, and whose games are counted since when, and for whom."""

import msgspec

from nevel.tables.storage.database import Database, Values
from nevel.tables.storage.schema import SUMMARY, Finished, Statistics, StoredReview, Summary


class ReviewStorage(Database):
    """The part of the storage that is about finished games."""

    async def save_review(self, review: StoredReview) -> None:
        """Keep a review, in the place of an older one."""
        statement = """
            INSERT INTO reviews (table_id, version, playouts, at, accuracies, predictions, body)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, playouts = excluded.playouts,
                at = excluded.at, accuracies = excluded.accuracies, predictions = excluded.predictions,
                body = excluded.body
        """
        await self._write(statement, *msgspec.structs.astuple(review))

    async def review(self, table: str) -> StoredReview | None:
        columns = "table_id, version, playouts, at, accuracies, predictions, body"
        found = await self._read(f"SELECT {columns} FROM reviews WHERE table_id = $1", table)
        return StoredReview(*found[0]) if found else None

    async def finished(self, person: str, since: int, limit: int) -> list[Finished]:
        """Somebody's games that are over, of tables opened after `since`, the newest first."""
        statement = f"""
            SELECT {SUMMARY}, accuracies, predictions
            FROM tables JOIN members USING (table_id) LEFT JOIN reviews USING (table_id)
            WHERE person = $1 AND phase = 'over' AND created > $2 ORDER BY created DESC, table_id DESC LIMIT $3
        """
        found = await self._read(statement, person, since, limit)
        return [Finished(read_summary(line[:-2]), line[-2], line[-1]) for line in found]

    async def statistics(self, person: str) -> Statistics:
        """How somebody's games are counted; all of them and for nobody else, if they have never said so."""
        found = await self._read("SELECT person, since, link FROM statistics WHERE person = $1", person)
        return Statistics(*found[0]) if found else Statistics(person)

    async def save_statistics(self, statistics: Statistics) -> None:
        statement = """
            INSERT INTO statistics (person, since, link) VALUES ($1, $2, $3)
            ON CONFLICT (person) DO UPDATE SET since = excluded.since, link = excluded.link
        """
        await self._write(statement, *msgspec.structs.astuple(statistics))

    async def shared_statistics(self, link: str) -> Statistics | None:
        """Whose games this link shows."""
        found = await self._read("SELECT person, since, link FROM statistics WHERE link = $1", link)
        return Statistics(*found[0]) if found else None


def read_summary(line: Values) -> Summary:
    """A summary from the columns of its table."""
    table, game, phase, is_public, *others = line
    return Summary(table, game, phase, bool(is_public), *others)
