"""Deadlines: what happens at tables when somebody's time runs out."""

import asyncio
import logging
from contextlib import suppress

from nevel.tables.domain.refusals import TableError
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.database import StorageError

log = logging.getLogger(__name__)

#: How often deadlines are looked at, in seconds, and how many at once.
LOOK_EVERY = 1.0
BATCH_SIZE = 100


class Deadlines:
    """Looks for deadlines that have passed. They are rows of the database, so none is lost by a restart."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.storage = rooms.storage

    async def run(self) -> None:
        while True:
            # What fails is tried again: the row is still there.
            with suppress(StorageError):
                await self.expire_due()
            await asyncio.sleep(LOOK_EVERY)

    async def expire_due(self) -> None:
        """Let a bot play for everybody whose time has run out."""
        for name in await self.storage.due(self.rooms.clock(), BATCH_SIZE):
            try:
                await (await self.rooms.enter(name)).expire()
            except (StorageError, TableError):
                pass  # the database is away for a moment, or another node was quicker
            except Exception:
                # One table that can't be read is no reason to leave the others alone.
                log.exception("a table can't be read")
