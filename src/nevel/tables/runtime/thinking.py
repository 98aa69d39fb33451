"""The bots of all tables on a node, and the threads they think on."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from nevel.bots.bot import A_SECOND
from nevel.bots.evaluation import Budget
from nevel.tables.runtime.background import retry
from nevel.tables.runtime.bot_runner import BotRunner
from nevel.tables.runtime.room import Room
from nevel.tables.runtime.rooms import Rooms

log = logging.getLogger(__name__)


class Thinking:
    """Runs the bots of every room in memory. Of several nodes, `node` is the name of this one."""

    def __init__(self, node: str, budget: Budget = A_SECOND, pause: float = 0.0, threads: int = 1) -> None:
        self.node = node
        self.budget = budget
        #: Seconds before each move, so that people can follow.
        self.pause = pause
        self.threads = ThreadPoolExecutor(threads, "bot")
        self.runners: dict[str, BotRunner] = {}

    def start(self, room: Room) -> None:
        """Let the bots of a room play whenever it is their turn."""
        runner = BotRunner(room, self.node, self.threads, self.budget, self.pause)
        self.runners[room.table.name] = runner
        # If its node has died, it may be a bot's turn, and nobody else would notice.
        runner.wake(room)

    async def stop(self, name: str) -> None:
        """Let the bots of a room play no more."""
        if runner := self.runners.pop(name, None):
            await runner.close()

    async def resume(self, rooms: Rooms) -> None:
        """Enter every table where a game goes on, so that its bots go on too."""
        for name in await retry(rooms.storage.unfinished):
            try:
                await retry(partial(rooms.enter, name))
            except Exception:
                # One table that can't be read any more is no reason to keep the others waiting.
                log.exception("a table can't be resumed")

    async def close(self) -> None:
        await asyncio.gather(*(runner.close() for runner in self.runners.values()))
        self.threads.shutdown(wait=False, cancel_futures=True)
