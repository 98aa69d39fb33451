"""Checks for load balancers whether a server can do its work, with a cached answer."""

import asyncio
import time

from nevel.tables.storage.storage import Storage

#: Seconds for which an answer is kept: who asks more often doesn't make it write more often.
KEPT_FOR = 1.0


class Readiness:
    """Tries the database, by reading and by writing: a full disk can still be read."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._is_ready = False
        self._asked_at = -KEPT_FOR
        self._lock = asyncio.Lock()

    async def check(self) -> bool:
        async with self._lock:
            if time.monotonic() - self._asked_at >= KEPT_FOR:
                self._is_ready = await self.storage.is_ready() and await self.storage.takes_writes()
                self._asked_at = time.monotonic()
            return self._is_ready
