"""Tasks that go on beside requests, and waiting for a database that is away."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from nevel.tables.storage.database import StorageError

#: Seconds before a database that is away is asked again.
RETRY_AFTER = 1.0

Answer = TypeVar("Answer")


class BackgroundTasks:
    """Tasks that nobody awaits. They are kept from being collected, and cancelled at the end."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def retry(read: Callable[[], Awaitable[Answer]]) -> Answer:
    """Call a reading function of the storage again and again until it raises no StorageError."""
    while True:
        try:
            return await read()
        except StorageError:
            await asyncio.sleep(RETRY_AFTER)
