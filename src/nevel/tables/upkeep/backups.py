"""Backups in a folder: one after the other by whichever node is first, and the oldest go."""

import asyncio
import logging
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from nevel.languages import SpokenError, mark
from nevel.tables.storage.backup import Progress, backup, ignore
from nevel.tables.storage.storage import Storage
from nevel.tables.upkeep.journal import Journal

log = logging.getLogger(__name__)

#: What files are called here; anything else in the folder is left alone.
NAME = "nevel-%Y%m%dT%H%M%SZ.backup"
NAMED = re.compile(r"nevel-\d{8}T\d{6}Z\.backup(\.part)?")
#: Where the database keeps when the last one was made, by its own clock.
LAST = "last-backup"
#: How often it is looked whether one is due, and how soon one that failed is tried again, in seconds.
LOOK_EVERY = 60.0
AGAIN_AFTER = 600.0
#: A node that makes one says so for so many milliseconds, and again every so many seconds.
LEASE = 60_000
RENEW_EVERY = 20.0
#: Seconds after which a file that isn't whole is taken for what a node left behind that died.
DEAD_AFTER = 86_400.0

HOUR = 3_600_000


async def back_up_into(storage: Storage, folder: Path, keep: int, progress: Progress = ignore) -> Path:
    """Write a backup into a folder, and remove the oldest beyond `keep`; 0 keeps all. Gives the new file."""
    try:
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        path = folder / time.strftime(NAME, time.gmtime())
        await backup(storage, path, progress)
        await asyncio.to_thread(rotate, folder, keep)
    except OSError as problem:
        raise SpokenError(mark("The backup can't be written ({reason})."), reason=problem) from problem
    return path


def rotate(folder: Path, keep: int) -> None:
    """Remove the oldest backups, and what is left of those that never became whole."""
    files = sorted(file for file in folder.iterdir() if NAMED.fullmatch(file.name))
    whole = [file for file in files if file.suffix != ".part"]
    unfinished = [file for file in files if file.suffix == ".part"]
    dead = [file for file in unfinished if time.time() - file.stat().st_mtime > DEAD_AFTER]
    for file in [*(whole[:-keep] if keep else []), *dead]:
        file.unlink(missing_ok=True)


class Backups:
    """The backups that are made by themselves, so many hours apart. Of several nodes one makes each."""

    def __init__(self, storage: Storage, node: str, folder: Path, hours: float, keep: int) -> None:
        self.storage = storage
        self.node = node
        self.folder = folder
        self.hours = hours
        self.keep = keep
        #: Told whenever one failed here.
        self.on_failed: Callable[[], None] = lambda: None
        #: The age of the last good one in milliseconds when it was looked for, and when that was.
        self._age = float("inf")
        self._looked_at = 0.0

    def age(self) -> float:
        """The seconds since the last good one, of whichever node; infinite if there is none."""
        return self._age / 1000 + time.monotonic() - self._looked_at

    async def run(self) -> None:
        while True:
            try:
                await self.look()
                pause = LOOK_EVERY
            except SpokenError as problem:
                self.on_failed()
                log.error("a backup failed", extra={"fields": {"reason": str(problem)}})
                pause = AGAIN_AFTER
            await asyncio.sleep(pause)

    async def look(self) -> Path | None:
        """Make a backup if one is due and no other node is at it; gives its file then."""
        if not await self._is_due() or not await self.storage.claim("backup", self.node, LEASE):
            return None
        renewing = asyncio.create_task(self._renew())
        try:
            if not await self._is_due():  # another node was quicker
                return None
            now = await self.storage.now()
            path = await back_up_into(self.storage, self.folder, self.keep)
            await self.storage.save_setting(LAST, str(now))
            await self._is_due()
            log.info("a backup was made", extra={"fields": {"bytes": path.stat().st_size}})
            return path
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            with suppress(SpokenError):
                await self.storage.release("backup", self.node)

    async def _is_due(self) -> bool:
        last, now = await self.storage.find_setting(LAST), await self.storage.now()
        self._age = float(now - int(last)) if last else float("inf")
        self._looked_at = time.monotonic()
        return self._age >= self.hours * HOUR

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEW_EVERY)
            with suppress(SpokenError):
                await self.storage.claim("backup", self.node, LEASE)


async def back_up_with_journal(storage: Storage, folder: Path, keep: int, progress: Progress = ignore) -> Path:
    """The same by hand: the journal beside the older backups learns of everybody who was deleted since."""
    path = await back_up_into(storage, folder, keep, progress)
    await Journal(storage, folder).catch_up()
    return path
