"""Erasing what people who have left for good said of themselves in the logs of tables, in the background."""

import asyncio
from contextlib import suppress

from nevel.tables.domain import erasing, facts
from nevel.tables.domain.command import Asker
from nevel.tables.domain.commands import Close, Leave
from nevel.tables.domain.refusals import TableError
from nevel.tables.domain.table import OPEN, PLAYING, Table
from nevel.tables.runtime.background import RETRY_AFTER, retry
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.database import ERASED, PERSON, StorageError
from nevel.tables.storage.storage import NEVER

#: How often it is looked for who is left to erase, in seconds, if nobody has just left; and how many at once.
LOOK_EVERY = 600.0
BATCH_SIZE = 20


class Erasing:
    """Erases. Who was deleted stands in the database until it is done, so that a crash leaves nothing behind."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.storage = rooms.storage
        self._woken = asyncio.Event()
        #: Whether nothing is left in files of what was deleted; a node that was killed couldn't see to it.
        self._is_overwritten = False

    def wake(self) -> None:
        """Look for who is left to erase at once: somebody has just been deleted."""
        self._woken.set()

    async def run(self) -> None:
        await retry(self.empty_chairs)
        while True:
            self._woken.clear()
            with suppress(StorageError):
                await self.erase_all()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), LOOK_EVERY if self._is_overwritten else RETRY_AFTER)

    async def erase_all(self) -> None:
        """Erase what is left of everybody who was deleted."""
        last = ""
        # Some have to wait until a game is over: nobody waits behind them.
        while people := await self.storage.deletions(BATCH_SIZE, last):
            for person in people:
                await self._erase(person)
            last = people[-1]
        if not self._is_overwritten:
            self._is_overwritten = await self.storage.overwrite()

    async def _erase(self, person: str) -> None:
        """Erase what is left of somebody wherever it can be erased already."""
        is_done = True
        for table in await self.storage.tables_naming(person):
            is_done &= await self._erase_at(table, person)
        if is_done:
            await self.storage.deletion_done(person)
        await self.reload(person)
        await self.storage.tell_nodes([(PERSON + person, ERASED)])
        self._is_overwritten = False

    async def empty_chairs(self) -> None:
        """Let everybody who was deleted leave where they still sit: a backup from before may have been restored."""
        last = ""
        while people := await self.storage.deletions(BATCH_SIZE, last):
            for person in people:
                for table in await self.storage.tables_naming(person):
                    with suppress(TableError):
                        await self._give_up_chairs(table, person)
            last = people[-1]

    async def leave_tables(self, person: str) -> None:
        """Let somebody leave all tables at which something may still happen."""
        for summary in await self.storage.tables_of(person, NEVER):
            with suppress(TableError):
                await self._give_up_chairs(summary.table, person)

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

    async def _give_up_chairs(self, name: str, person: str) -> None:
        """Let bots have somebody's chairs, or free them, if something may still happen at a table."""
        summary = await self.storage.summary(name)
        if summary is None or summary.phase not in (OPEN, PLAYING):
            return
        room = await self.rooms.enter(name)
        chairs = room.table.chairs_of(person)
        # Who looks after a table without sitting at it leaves nobody who could.
        for command in [Leave(chair) for chair in chairs] if chairs else [Close()]:
            with suppress(TableError):
                await room.ask(command, Asker(person))

    async def reload(self, person: str) -> None:
        """Read the tables in memory anew at which somebody was whose traces were erased."""
        for room in tuple(self.rooms.values()):
            if knows(room.table, person):
                with suppress(StorageError):
                    await room.reload()


def knows(table: Table, person: str) -> bool:
    """Whether a table in memory has something of somebody's: they sit there, look after it, or were there lately."""
    return person == table.host or person in table.people or table.commands.has_any_of(person)
