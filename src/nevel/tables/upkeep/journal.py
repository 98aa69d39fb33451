"""The journal of erasures: who was deleted, so that an older backup that is restored doesn't bring them back.

It lies beside the backups, not in the database: a line for each person, the hash of an id that means nothing any more.
"""

import asyncio
import hashlib
import logging
import os
import re
from pathlib import Path

from nevel.languages import SpokenError, mark
from nevel.tables.storage.storage import Storage

log = logging.getLogger(__name__)

#: What the file is called.
NAME = "erasures"
TRACE = re.compile(r"[0-9a-f]{64}")
#: How often it is looked who was deleted on other nodes, in seconds.
LOOK_EVERY = 60.0
#: Milliseconds by which it looks back further: what was begun earlier may have been stored later.
MARGIN = 600_000


def trace_of(person: str) -> str:
    """What the journal has of somebody.

    >>> trace_of("ann")[:16]
    '49915e0d7d4b402e'
    """
    return hashlib.sha256(person.encode()).hexdigest()


def read_journal(path: Path) -> frozenset[str]:
    """Whom a journal names. A line that isn't whole is nobody's: it is written again."""
    try:
        return frozenset(filter(TRACE.fullmatch, path.read_text("ascii").splitlines()))
    except (OSError, UnicodeError) as problem:
        raise SpokenError(mark("The journal of erasures can't be read ({reason})."), reason=problem) from problem


class Journal:
    """Writes down who was deleted. The database knows it too: what couldn't be written is written later."""

    def __init__(self, storage: Storage, folder: Path) -> None:
        self.storage = storage
        self.path = folder / NAME
        #: Who stands in it, as far as it matters: who was deleted lately.
        self._written: frozenset[str] | None = None
        #: The newest deletion that stands in it.
        self._newest = 0
        self._lock = asyncio.Lock()

    async def run(self) -> None:
        while True:
            await self.try_to_catch_up()
            await asyncio.sleep(LOOK_EVERY)

    async def try_to_catch_up(self) -> None:
        """Write down who isn't in it; if that can't be now, it is in the log, and done later."""
        try:
            await self.catch_up()
        except SpokenError as problem:
            log.error("the journal of erasures can't be written", extra={"fields": {"reason": str(problem)}})

    async def catch_up(self) -> None:
        """Write down everybody who was deleted and isn't in it."""
        async with self._lock:
            if self._written is None:
                self._written = await asyncio.to_thread(read_journal, self.path) if self.path.exists() else frozenset()
            found = await self.storage.deleted_since(self._newest - MARGIN)
            traces = {trace_of(person): at for person, at in found}
            if fresh := [trace for trace in traces if trace not in self._written]:
                try:
                    await asyncio.to_thread(append, self.path, fresh)
                except OSError as problem:
                    message = mark("The journal of erasures can't be written ({reason}).")
                    raise SpokenError(message, reason=problem) from problem
            self._written = frozenset(traces)
            self._newest = max(traces.values(), default=self._newest)


def append(path: Path, traces: list[str]) -> None:
    """Add lines to a journal; on disk when it returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b") as file:
        # A machine that lost power may have left half a line.
        length = file.seek(0, os.SEEK_END)
        is_between_lines = not length or os.pread(file.fileno(), 1, length - 1) == b"\n"
        lines = "".join(f"{trace}\n" for trace in traces).encode()
        file.write(lines if is_between_lines else b"\n" + lines)
        file.flush()
        os.fsync(file.fileno())
