"""What is kept for so long and no longer: old tables and people nobody has seen for long, deleted a few at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from nevel.tables.storage.database import StorageError
from nevel.tables.storage.storage import Storage

log = logging.getLogger(__name__)

#: How often it is looked what is too old, in seconds; how many are deleted at once, and the pause between.
LOOK_EVERY = 3_600.0
BATCH_SIZE = 20
PAUSE = 1.0
#: A node that deletes says so for so many milliseconds, before each time.
LEASE = 60_000

DAY = 86_400_000
#: People are noted as seen at most once a day: so much later they may have been here.
SEEN_WITHIN = DAY

#: Deletes a table that has changed no more since a moment, or somebody; wherever something is kept of them.
DeleteTable = Callable[[str, int], Awaitable[None]]
DeletePerson = Callable[[str], Awaitable[None]]


class Retention:
    """Deletes what is older than it may be. Of several nodes one does it; 0 days keep for ever."""

    def __init__(
        self,
        storage: Storage,
        node: str,
        tables_days: float,
        people_days: float,
        delete_table: DeleteTable,
        delete_person: DeletePerson,
    ) -> None:
        self.storage = storage
        self.node = node
        self.tables_days = tables_days
        self.people_days = people_days
        self.delete_table = delete_table
        self.delete_person = delete_person

    async def run(self) -> None:
        while self.tables_days or self.people_days:
            with suppress(StorageError):
                await self.look()
            await asyncio.sleep(LOOK_EVERY)

    async def look(self) -> None:
        """Delete what is too old, unless another node is at it."""
        tables = people = 0
        try:
            while await self.storage.claim("retention", self.node, LEASE):
                old_tables, old_people = await self._delete_some()
                tables, people = tables + old_tables, people + old_people
                if not old_tables and not old_people:
                    break
                await asyncio.sleep(PAUSE)
        finally:
            with suppress(StorageError):
                await self.storage.release("retention", self.node)
        if tables or people:
            log.info("what was too old is deleted", extra={"fields": {"tables": tables, "people": people}})

    async def _delete_some(self) -> tuple[int, int]:
        """Delete the next that are too old; how many tables and people there were."""
        now = await self.storage.now()
        tables, people = list[str](), list[str]()
        if self.tables_days:
            before = now - round(self.tables_days * DAY)
            tables = await self.storage.old_tables(before, BATCH_SIZE)
            for name in tables:
                await self.delete_table(name, before)
        if self.people_days:
            before = now - round(self.people_days * DAY) - SEEN_WITHIN
            people = await self.storage.old_people(before, BATCH_SIZE)
            for person in people:
                await self.delete_person(person)
        return len(tables), len(people)
