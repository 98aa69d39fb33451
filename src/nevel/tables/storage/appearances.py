"""Who stands in the logs of tables, found out once for those written before that was kept beside them."""

from typing import TYPE_CHECKING

from nevel.tables.domain import facts

if TYPE_CHECKING:
    from nevel.tables.storage.database import Session

#: The rows in which ids of people stand; those of commands are of people who stand in one of these too.
NAMING = " OR ".join(f'body LIKE \'{{"fact":"{name}"%\'' for name in ("opened", "seated", "host-changed"))


async def fill_appearances(session: "Session") -> None:
    """Note everybody who stands in a log."""
    add = "INSERT INTO appearances (person, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    async for rows in session.stream(f"SELECT table_id, body FROM events WHERE {NAMING}"):
        await session.run_many(add, [(one, table) for table, body in rows for one in facts.named_in(facts.read(body))])
