"""Erasing what people who have left for good said of themselves in the logs of tables, in the background."""

import asyncio
from contextlib import suppress

from nevel.tables.domain import erasing, facts
from nevel.tables.domain.table import OPEN, PLAYING, Table
from nevel.tables.runtime.background import RETRY_AFTER
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.database import ERASED, PERSON, StorageError

#: How often it is looked for who is left to erase, in seconds, if nobody has just left; and how many at once.
LOOK_EVERY = 600.0
AT_ONCE = 20


class Erasing:
    """Erases. Who was deleted stands in the database until it is done, so that a crash leaves nothing behind."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.storage = rooms.storage
        self._woken = asyncio.Event()
        #: Whether nothing is left in files of what was deleted; a node that was killed couldn't see to it.
        self._is_overwritten = False

    def wake(self) -> None:
        """Somebody has just been deleted."""
        self._woken.set()

    async def run(self) -> None:
        while True:
            self._woken.clear()
            with suppress(StorageError):
                await self.erase_all()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), LOOK_EVERY if self._is_overwritten else RETRY_AFTER)

    async def erase_all(self) -> None:
        """Erase what is left of everybody who was deleted."""
        for person in await self.storage.deletions(AT_ONCE):
            is_done = True
            for table in await self.storage.tables_naming(person):
                is_done &= await self._erase_at(table, person)
            if is_done:
                await self.storage.deletion_done(person)
            await self.reload(person)
            await self.storage.tell_nodes([(PERSON + person, ERASED)])
            self._is_overwritten = False
        if not self._is_overwritten:
            self._is_overwritten = await self.storage.overwrite()

    async def _erase_at(self, table: str, person: str) -> bool:
        """Erase what is left of somebody at a table; False while others play there, whose draws depend on it."""
        secret, summary = await self.storage.secret(table), await self.storage.summary(table)
        if secret is None or summary is None:
            return True
        log = [(row.seq, row.at, facts.read(row.body)) for row in await self.storage.rows(table)]
        if summary.phase in (OPEN, PLAYING) and erasing.is_going_on(log, person):
            return False
        erased = await asyncio.to_thread(erasing.erase, table, secret, log, person)
        await self.storage.rewrite(table, {seq: facts.write(fact) for seq, fact in erased.items()})
        return True

    async def reload(self, person: str) -> None:
        """Read the tables in memory anew at which somebody was whose traces were erased."""
        for room in tuple(self.rooms.values()):
            if knows(room.table, person):
                with suppress(StorageError):
                    await room.reload()


def knows(table: Table, person: str) -> bool:
    """Whether a table in memory has something of somebody's: they sit there, look after it, or were there lately."""
    return person == table.host or person in table.people or table.commands.has_any_of(person)
