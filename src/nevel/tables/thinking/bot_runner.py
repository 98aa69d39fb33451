"""Bots at a table: they think on threads while the table goes on, one at a time, on one node."""

import asyncio
import contextlib
import hashlib
import math
import threading
from collections.abc import Awaitable, Callable
from functools import partial

from nevel.bots.bot import A_SECOND, Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import COMMON
from nevel.game.game import Game
from nevel.players.player import has_hints
from nevel.players.table import MOST_HINTS, keenest
from nevel.tables.domain.refusals import MoveRefusedError, TableError, WrongTimeError
from nevel.tables.domain.table import PLAYING, Table
from nevel.tables.runtime.room import Room
from nevel.tables.storage.database import StorageError

#: A node that thinks about a table says so for this long, in milliseconds; when it dies, another takes over after that.
LEASE = 2_000
#: How often it says so again, and others ask whether it still does, in seconds.
ASK_EVERY = 0.5
#: What a search takes beside its budget, as a share of it and in seconds: putting together what it knows, and the end.
AROUND, AROUND_LEAST = 0.1, 0.05
#: Into how many steps that time is divided when a bot is late.
STEPS = 4
#: How long a bot that searches takes for something to say, in seconds.
HINT_SECONDS = 0.05
#: When it has to think again, as somebody said something meanwhile, it may do so for this share of its time.
AGAIN = 0.5
#: How long bots wait when the database is away, in seconds.
DATABASE_RETRY_SECONDS = 0.5

#: Lets a bot of somebody's table think, when it is its turn; some answers take no search, whatever its level.
Think = Callable[[str, Bot, Callable[[Bot], int | None], bool], Awaitable[int | None]]


class BotRunner:
    """The bots of one room. Woken by every change, they play until it is people's turn."""

    def __init__(self, room: Room, node: str, think: Think, budget: Budget = A_SECOND, pause: float = 0.0) -> None:
        self.room = room
        self.node = node
        self.think_in_turn = think
        self.budget = budget
        #: Seconds before each move, so that people can follow.
        self.pause = pause
        self.task: asyncio.Task[None] | None = None
        self.is_woken = False
        self.stop = threading.Event()
        room.watchers.add(self.wake)

    def wake(self, _: Room) -> None:
        """Tell the bots that something has changed at the table."""
        self.is_woken = True
        if self.is_needed and (self.task is None or self.task.done()):
            self.task = asyncio.get_running_loop().create_task(self.run())

    @property
    def is_needed(self) -> bool:
        table = self.room.table
        is_asked = table.has_bots and table.phase == PLAYING and (table.are_bots_needed or self.speaks(table))
        # They don't play where nobody looks and no clock runs: whoever comes back sees them go on.
        return is_asked and (table.opened.pace.is_timed or self.room.is_visited(self.room.clock()))

    def speaks(self, table: Table) -> bool:
        return table.game is not None and table.has_bots and has_hints(table.game.vocabulary)

    async def run(self) -> None:
        """Play until it is people's turn, and again if something happened while this came to its end."""
        while self.is_woken:
            self.is_woken = False
            if await self.is_ours():
                renewing = asyncio.create_task(self.renew())
                try:
                    await self.play_on()
                finally:
                    renewing.cancel()
                    await asyncio.gather(renewing, return_exceptions=True)
                    await self.release()

    async def play_on(self) -> None:
        """Say what there is to say, then move; until it is people's turn."""
        is_again = False
        while self.is_needed:
            seq, begun = self.room.table.seq, asyncio.get_running_loop().time()
            try:
                await self.speak()
                if not self.room.table.are_bots_needed or not await self.move(is_again, begun):
                    return
                is_again = False
            except StorageError:
                await asyncio.sleep(DATABASE_RETRY_SECONDS)
            except TableError:
                # Somebody moved while it thought: it thinks again. If nobody did, the mistake is its own.
                if self.room.table.seq == seq:
                    raise
                is_again = True

    # ------------------------------------------------------------ one node

    async def is_ours(self) -> bool:
        """Wait until this node may think about the table; False if another node did all there was to do meanwhile."""
        while not await self.claim():
            await asyncio.sleep(ASK_EVERY)
            if not (self.is_needed and self.room.table.are_bots_needed):
                return False
        return True

    async def claim(self) -> bool:
        """Acquire the lease to think about the table, unless another node has it."""
        storage = self.room.storage
        try:
            return not storage.is_shared or await storage.claim(self.lease, self.node, LEASE)
        except StorageError:
            return False

    async def renew(self) -> None:
        while self.room.storage.is_shared:
            await asyncio.sleep(ASK_EVERY)
            await self.claim()

    async def release(self) -> None:
        if self.room.storage.is_shared:
            with contextlib.suppress(StorageError):
                await self.room.storage.release(self.lease, self.node)

    @property
    def lease(self) -> str:
        return f"bots {self.room.table.name}"

    # ------------------------------------------------------------ speaking and moving

    def bot_at(self, chair: int, share: float = 1.0) -> Bot:
        """The bot in a chair, with a share of the time it usually has."""
        table = self.room.table
        # Nobody at the table can work out what it will draw: the secret isn't known before the game is over.
        seed = hashlib.blake2b(f"bot {chair}".encode(), digest_size=8, key=bytes.fromhex(table.secret)).digest()
        level = table.chairs[chair].level or table.opened.stand_in
        budget = self.budget
        if budget.seconds is not None:
            budget = budget._replace(seconds=budget.seconds * share)
        return Bot(level, int.from_bytes(seed), budget)

    async def speak(self) -> None:
        """Let every bot say what it would like to say."""
        table = self.room.table
        for chair in [i for i, chair in enumerate(table.chairs) if chair.is_bot] if self.speaks(table) else []:
            for _ in range(MOST_HINTS):
                game, seq = self.room.table.game, self.room.table.seq
                if game is None or self.room.table.phase != PLAYING:
                    return
                answer = partial(hint_of, game=game, chair=chair)
                hint = await self.think(self.bot_at(chair), answer, HINT_SECONDS, is_quick=True)
                if hint is None:
                    break
                try:
                    await self.room.move_for_bot(chair, game.vocabulary.moves[hint].text, seq)
                except (MoveRefusedError, WrongTimeError):  # somebody moved meanwhile, or enough was said
                    break

    async def move(self, is_again: bool, begun: float) -> bool:
        """One move of one bot, thought of again or not; False when all of them wait for a person to do something.

        What was said since it was their turn, at this time of the loop, is a pause already.
        """
        table = self.room.table
        game, seq = table.game, table.seq
        assert game is not None
        chairs = [chair for chair in table.waiting_for if table.chairs[chair].is_bot]
        passed = asyncio.get_running_loop().time() - begun
        await asyncio.sleep(0.0 if is_again else max(self.pause - passed, 0.0))
        await self.room.audience.wait()
        if not self.is_needed:
            return False  # meanwhile the last who looked has gone
        for chair in chairs:
            bot = self.bot_at(chair, AGAIN if is_again else 1.0)
            number = await self.think(bot, partial(move_of, game=game, chair=chair, stop=self.stop), bot.budget.seconds)
            if number is not None:
                await self.room.move_for_bot(chair, game.vocabulary.moves[number].text, seq)
                return True
        prompt = keenest(game, chairs) if set(chairs) == set(table.waiting_for) else None
        if prompt:
            await self.room.move_for_bot(prompt.seat, prompt.moves[0], seq)
        return prompt is not None

    async def think(
        self, bot: Bot, answer: Callable[[Bot], int | None], seconds: float | None, is_quick: bool = False
    ) -> int | None:
        """What a bot answers; its turn to think is that of whoever looks after the table.

        A bot that searches answers no sooner than after the `seconds` it may take: how long it thought, or whether it
        had to, would tell of its hand.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        answered = await self.think_in_turn(self.room.table.host, bot, answer, is_quick)
        if seconds and self.budget.seconds and bot.level not in COMMON:
            await asyncio.sleep(seconds_to_wait(loop.time() - begun, seconds))
        return answered

    async def close(self) -> None:
        """Stop the bots of this room."""
        self.room.watchers.discard(self.wake)
        self.stop.set()
        if self.task:
            self.task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self.task


def seconds_to_wait(passed: float, seconds: float) -> float:
    """How long an answer is kept back: until a bot's time is over, with what is around it.

    One that is late, as on a busy server, is kept back until the next quarter of that time: long enough to hide how
    long it thought, short enough for who waits.

    >>> round(seconds_to_wait(0.0, 1.0), 2), round(seconds_to_wait(1.1, 1.0), 2), round(seconds_to_wait(1.3, 1.0), 2)
    (1.15, 0.05, 0.14)
    """
    step = (seconds + AROUND * seconds + AROUND_LEAST) / STEPS
    return max(math.ceil(passed / step), STEPS) * step - passed


def hint_of(bot: Bot, game: Game, chair: int) -> int | None:
    """What a bot would like to say. What it knows is put together here, on its thread: games may be long."""
    return bot.hint(game.copy().knowledge(chair))


def move_of(bot: Bot, game: Game, chair: int, stop: threading.Event) -> int | None:
    """What a bot would like to play; called on its thread, like `hint_of`."""
    return bot.move(game.copy().knowledge(chair), stop)
