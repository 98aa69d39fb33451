"""The bots of all tables on a node, and the threads they think on."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial

from nevel.bots.bot import A_SECOND, Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import COMMON
from nevel.tables.runtime.background import retry
from nevel.tables.runtime.fair_queue import FairThreads
from nevel.tables.runtime.room import Room
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.thinking.bot_runner import BotRunner
from nevel.tables.tracing import tracing

log = logging.getLogger(__name__)

#: How bots think: they search, or decide at a glance.
SEARCH, GLANCE = "search", "glance"

#: When many people's bots wait, each thinks for a shorter time, but for no less than this share of it.
LEAST_SHARE = 0.02
#: How much bots that search give way to what is quicker.
NICENESS = 5


class Thinking:
    """Runs the bots of every room in memory. Of several nodes, `node` is the name of this one."""

    def __init__(self, node: str, budget: Budget = A_SECOND, pause: float = 0.0, threads: int = 1) -> None:
        self.node = node
        self.budget = budget
        #: Seconds before each move, so that people can follow.
        self.pause = pause
        #: Bots that search take turns by person; those that decide at a glance have a thread of their own, so that they
        #: never wait behind the others.
        self.searching = FairThreads(threads, "bot", NICENESS)
        self.glancing = FairThreads(1, "quick bot")
        self.runners: dict[str, BotRunner] = {}
        #: Told how a bot thought, and of the seconds from when it was asked to its answer.
        self.on_answered: Callable[[str, float], None] = lambda _how, _seconds: None

    def start(self, room: Room) -> None:
        """Let the bots of a room play whenever it is their turn."""
        runner = BotRunner(room, self.node, self.think, self.budget, self.pause)
        self.runners[room.table.name] = runner
        # If its node has died, it may be a bot's turn, and nobody else would notice.
        runner.wake(room)

    def wake(self, room: Room) -> None:
        """Let the bots of a room go on, after nobody has looked at it for a while."""
        if runner := self.runners.get(room.table.name):
            runner.wake(room)

    def is_needed(self, name: str) -> bool:
        """Whether the bots of a room have something to do."""
        runner = self.runners.get(name)
        return runner is not None and runner.is_needed

    @property
    def waiting(self) -> int:
        """How many bots wait for a thread."""
        return self.searching.queue.waiting + self.glancing.queue.waiting

    async def think(self, person: str, bot: Bot, answer: Callable[[Bot], int | None], is_quick: bool) -> int | None:
        """What a bot answers at a table of this person's, when it is its turn to think."""
        since = time.monotonic()
        how = GLANCE if is_quick or bot.level in COMMON else SEARCH
        with tracing.span("bot", how=how, level=bot.level):
            if how == GLANCE:
                answered = await self.glancing.run(person, answer, bot)
            else:
                answered = await self.searching.run(person, partial(self._search, bot, answer, since))
        self.on_answered(how, time.monotonic() - since)
        return answered

    def _search(self, bot: Bot, answer: Callable[[Bot], int | None], since: float) -> int | None:
        return answer(Bot(bot.level, bot.seed, self.shared_budget(bot.budget, since)))

    def shared_budget(self, budget: Budget, since: float) -> Budget:
        """What a bot that has waited since then may spend now of its budget.

        With more people than threads it is each one's part, and what it has waited is taken off, so that people wait
        about as long as if they were alone.
        """
        queue, seconds = self.searching.queue, budget.seconds
        if seconds is None:
            return budget
        share = min(queue.slots / max(queue.people, 1), 1.0)
        left = seconds - (time.monotonic() - since)
        return budget._replace(seconds=max(min(seconds * share, left), seconds * LEAST_SHARE))

    async def stop(self, name: str) -> None:
        """Let the bots of a room play no more."""
        if runner := self.runners.pop(name, None):
            await runner.close()

    async def resume(self, rooms: Rooms) -> None:
        """Enter the tables where a game goes on by the clock, so that their bots go on too.

        Where there is no clock, bots wait until somebody comes.
        """
        for name in await retry(rooms.storage.unfinished_by_the_clock):
            try:
                await retry(partial(rooms.enter, name))
            except Exception:
                # One table that can't be read any more is no reason to keep the others waiting.
                log.exception("a table can't be resumed")

    async def close(self) -> None:
        await asyncio.gather(*(runner.close() for runner in self.runners.values()))
        self.searching.close()
        self.glancing.close()
