"""The house: all tables of a node, the people in it, what is said, and what happens when time runs out."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from nevel.bots.bot import A_SECOND
from nevel.bots.evaluation import Budget
from nevel.game import saving
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.languages import SpokenError, mark
from nevel.tables.domain import facts
from nevel.tables.domain.command import Asker, Command
from nevel.tables.domain.commands import Sit, read_terms
from nevel.tables.domain.dealing import commitment, fresh_secret
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import MalformedError, NotAllowedError, TableError
from nevel.tables.domain.table import OVER, PLAYING, Table
from nevel.tables.referee import referee
from nevel.tables.runtime.room import Room, appended, milliseconds
from nevel.tables.runtime.thinking import Thinking
from nevel.tables.storage.database import HERE, PERSON, REVIEW, StorageError
from nevel.tables.storage.schema import Message
from nevel.tables.storage.storage import Storage

Answer = TypeVar("Answer")

log = logging.getLogger(__name__)

#: Bytes of chance in a table's name: nobody guesses one.
NAME = 12
#: How often deadlines are looked at, in seconds, and how many at once.
LOOK_EVERY = 1.0
AT_ONCE = 100
#: Who hasn't been heard of for this long is asleep, in milliseconds.
ASLEEP_AFTER = 60_000
#: How often other nodes are told that somebody is here, in milliseconds.
TELL_EVERY = 15_000
#: The most moves of a game that is brought along: several times as many as the longest has.
MOST_BROUGHT = 2_000
#: Letters of a player's name in such a game.
LONGEST_NAME = 32
#: How far back the referee reads what somebody said, in milliseconds, and how many messages.
MEMORY = 120_000
LAST_MESSAGES = 20


class House:
    """Everything that goes on at this node. What needs the rules waits until they are `warm`."""

    def __init__(
        self,
        storage: Storage,
        budget: Budget = A_SECOND,
        pause: float = 0.0,
        threads: int = 1,
        clock: Callable[[], int] = milliseconds,
        warm: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self.storage = storage
        self.budget = budget
        self.pause = pause
        self.clock = clock
        self.warm = warm
        self.node = secrets.token_hex(8)
        self.threads = ThreadPoolExecutor(threads, "bot")
        self.rooms: dict[str, Room] = {}
        self.thinking: dict[str, Thinking] = {}
        self.seen: dict[str, int] = {}
        #: How often somebody came who hadn't been heard of lately.
        self.arrivals = 0
        #: Told when another node has changed or forgotten a person.
        self.person_changed: Callable[[str], None] = lambda _: None
        #: Told how far another node has come with the review of a table, in thousandths.
        self.review_heard: Callable[[str, int], None] = lambda _table, _share: None
        self._here: set[str] = set()
        self._told: dict[str, int] = {}
        self._entering: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen to other nodes, look at deadlines, and let bots go on where they were."""
        await self.storage.listen(self.hear)
        self._do(self._watch_deadlines())
        self._do(self._resume())

    async def close(self) -> None:
        """Stop thinking and listening; everything is stored already."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(thinking.close() for thinking in self.thinking.values()))
        self.threads.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------ tables

    async def room(self, name: str) -> Room:
        """The table with this name; read from its log when it isn't in memory."""
        if name in self.rooms:
            return self.rooms[name]
        if name not in self._entering:
            self._entering[name] = asyncio.ensure_future(self._enter(name))
        try:
            room = await asyncio.shield(self._entering[name])
        finally:
            self._entering.pop(name, None)
        return self._keep(room)

    async def _enter(self, name: str) -> Room:
        if self.warm:
            await self.warm()
        return await Room.enter(self.storage, name, self.clock)

    def _keep(self, room: Room) -> Room:
        name = room.table.name
        if name not in self.rooms:
            self.rooms[name] = room
            self.thinking[name] = Thinking(room, self.node, self.threads, self.budget, self.pause)
            # If its node has died, it may be a bot's turn, and nobody else would notice.
            self.thinking[name].wake(room)
        return self.rooms[name]

    async def forget(self, name: str) -> None:
        """Leave a table's memory: its log has everything."""
        self.rooms.pop(name, None)
        if thinking := self.thinking.pop(name, None):
            await thinking.close()

    async def open_table(
        self,
        host: str,
        game: str,
        chairs: int,
        options: Mapping[str, object] | None = None,
        pace: Pace | None = None,
        stand_in: str = "casual",
        is_public: bool = False,
        box: dict[str, Any] | None = None,
        reserved: Mapping[int, str] | None = None,
        prelude: facts.Prelude | None = None,
    ) -> Room:
        """A new table, with its chance already bound."""
        if self.warm:
            await self.warm()
        try:
            find(game).vocabulary.check_seats(chairs)
            own_box = None if box is None else Box(box)
            if own_box and own_box.game != game:
                raise own_box.error_for(game)
        except TableError:
            raise
        except SpokenError as problem:
            raise MalformedError(problem.message, **problem.values) from problem
        terms = read_terms(game, options or {}, pace or Pace(), stand_in)
        secret = fresh_secret()
        table = Table(secrets.token_urlsafe(NAME), secret)
        opened = facts.Opened(
            game=game,
            chairs=chairs,
            options=terms.options,
            pace=terms.pace,
            stand_in=terms.stand_in,
            host=host,
            commitment=commitment(secret),
            is_public=is_public,
            box=None if own_box is None or own_box.is_ours else own_box.printed,
            reserved=dict(reserved or {}),
            prelude=prelude,
        )
        rows = [(0, self.clock(), opened)]
        table.follow(rows)
        await self.storage.append(appended(table, rows))
        return self._keep(Room(self.storage, table, self.clock))

    async def bring(self, host: str, text: str | bytes) -> Room:
        """A saved game or a record at a table of ours: to be looked at when it is over, to be gone on with if not."""
        if self.warm:
            await self.warm()
        try:
            count = len(saving.read(text).moves)
            if count > MOST_BROUGHT:
                message = mark("It has {moves} moves; a game of at most {most} can be brought to a table.")
                raise MalformedError(message, moves=count, most=MOST_BROUGHT)
            # Played again beside the tables of others, which shouldn't wait for it.
            game = await asyncio.to_thread(saving.load, text)
        except TableError:
            raise
        except SpokenError as problem:
            raise MalformedError(problem.message, **problem.values) from problem
        moves = [(entry.seat, entry.move.text, entry.key) for entry in game.log]
        room = await self.open_table(
            host,
            game.name,
            game.seats,
            game.options,
            box=game.box.content,
            prelude=facts.Prelude(f"{game.seed:032x}", moves, [readable(name) for name in game.names]),
        )
        if game.is_over:
            await room.change(lambda _: [facts.Started(game.fingerprint())])
        return room

    async def ask(self, name: str, command: Command, person: str, click: str = "", is_patient: bool = False) -> int:
        """Do what a person asks of a table; gives the newest row then. A repeat has the same `click`.

        A task that nobody cancels is patient, and spared a task of its own for what has to come to its end.
        """
        self.notice(person)
        if isinstance(command, Sit):
            await self._check_welcome(name, person)
        room = self.rooms.get(name) or await self.room(name)
        return await room.ask(command, Asker(person, self.is_asleep, click, is_patient))

    async def _check_welcome(self, name: str, person: str) -> None:
        """Who was blocked by the host doesn't sit down here."""
        host = (await self.room(name)).table.host
        if person != host and person in await self.storage.blocked_by(host):
            raise NotAllowedError(mark("You can't sit at this table."))

    async def rematch(self, name: str, person: str) -> str:
        """A table where the same people and bots meet again; one for all, whoever asks first."""
        room = await self.room(name)
        table = room.table
        if table.rematch:
            return table.rematch
        if table.phase != OVER or not table.chairs_of(person):
            raise NotAllowedError(mark("Only those who sat at the table may ask for another game, once it is over."))
        opened, unwanted = table.opened, await self.storage.blocked_by(person)
        again = await self.open_table(
            person,
            opened.game,
            opened.chairs,
            opened.options,
            opened.pace,
            opened.stand_in,
            opened.is_public,
            opened.box,
            {i: chair.person for i, chair in enumerate(table.chairs) if chair.person and chair.person not in unwanted},
        )
        bots = [facts.BotSeated(i, chair.level) for i, chair in enumerate(table.chairs) if chair.level]
        await again.change(lambda _: bots)
        return await room.rematch(Asker(person), again.table.name)

    # ------------------------------------------------------------ people

    def notice(self, person: str) -> None:
        """Somebody gives a sign of life."""
        self._see(person)
        if self.storage.is_shared:
            self._here.add(person)

    def _see(self, person: str) -> None:
        now = self.clock()
        if self.seen.get(person, 0) < now - ASLEEP_AFTER:
            self.arrivals += 1
        self.seen[person] = now

    def awake(self, people: Iterable[str]) -> set[str]:
        """Those of these people who were heard of lately."""
        since, seen = self.clock() - ASLEEP_AFTER, self.seen
        return {person for person in people if seen.get(person, 0) >= since}

    def is_asleep(self, person: str) -> bool:
        return person not in self.awake((person,))

    async def say(self, name: str, person: str, text: str) -> Message:
        """Chat at a table, as far as the game allows it."""
        self.notice(person)
        room = await self.room(name)
        table = room.table
        chairs = table.chairs_of(person)
        shown = referee.clean(text)
        if table.phase == PLAYING and chairs:
            now = self.clock()
            last = await self.storage.messages(name, -1, LAST_MESSAGES)
            recent = [m.text for m in last if m.person == person and now - m.at < MEMORY]
            game = table.game
            if game is not None and game.spec.talk is not None:
                referee.check(shown, game.spec.talk, game.spec.talk.silence(game), recent)
        elif table.phase == PLAYING:
            raise NotAllowedError(mark("Those who watch keep quiet while a game is played."))
        message = Message(name, self.clock(), person, chairs[0] if chairs else None, shown)
        stored = await self.storage.add_message(message)
        # The room may have been left and entered again meanwhile.
        (await self.room(name)).tell()
        return stored

    # ------------------------------------------------------------ time and other nodes

    def hear(self, news: list[tuple[str, int]]) -> None:
        """Other nodes have stored something; with nothing named, anything."""
        for name, seq in news or [(name, 2**62) for name in self.rooms]:
            if name.startswith(PERSON):
                self._hear_of(name.removeprefix(PERSON), seq)
            elif name.startswith(REVIEW):
                self.review_heard(name.removeprefix(REVIEW), seq)
            elif name in self.rooms:
                self._do(self._catch_up(self.rooms[name], seq))

    def _hear_of(self, person: str, what: int) -> None:
        if what == HERE:
            self._see(person)
        else:
            self.person_changed(person)

    async def _tell_who_is_here(self) -> None:
        """Other nodes shouldn't take those for asleep who are here."""
        now = self.clock()
        self._told = {person: at for person, at in self._told.items() if now - at < TELL_EVERY}
        here, self._here = self._here - self._told.keys(), set()
        self._told |= dict.fromkeys(here, now)
        if here:
            await self.storage.tell_nodes([(PERSON + person, HERE) for person in here])

    async def _try(self, name: str, work: Coroutine[Any, Any, object]) -> None:
        """Do something at a table; what goes wrong there is no reason to leave the others alone."""
        try:
            await work
        except (StorageError, TableError):
            pass  # the database is away for a moment, or another node was quicker
        except Exception:
            log.exception("a table can't be read")

    async def _catch_up(self, room: Room, seq: int) -> None:
        while True:
            try:
                return await room.hear(seq)
            except StorageError:
                room.is_doubtful = True
            await asyncio.sleep(LOOK_EVERY)

    async def _resume(self) -> None:
        """Look at every table where a game goes on, so that its bots go on too."""
        for name in await patiently(self.storage.unfinished):
            try:
                await patiently(partial(self.room, name))
            except Exception:
                # One table that can't be read any more is no reason to keep the others waiting.
                log.exception("a table can't be resumed")

    async def _watch_deadlines(self) -> None:
        while True:
            # What fails is tried again: the row is still there.
            with suppress(StorageError):
                for name in await self.storage.due(self.clock(), AT_ONCE):
                    await self._try(name, self._expire(name))
            if self.storage.is_shared:
                await self._tell_who_is_here()
            await asyncio.sleep(LOOK_EVERY)

    async def _expire(self, name: str) -> None:
        await (await self.room(name)).expire()

    def _do(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def patiently(read: Callable[[], Awaitable[Answer]]) -> Answer:
    """The answer, once the database gives it."""
    while True:
        try:
            return await read()
        except StorageError:
            await asyncio.sleep(LOOK_EVERY)


def readable(name: str) -> str:
    """A name from a file anybody may have written."""
    try:
        return referee.clean(name[:LONGEST_NAME])
    except SpokenError:
        return ""
