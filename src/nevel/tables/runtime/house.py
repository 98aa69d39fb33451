"""The tables of one server process (a node): rooms, bots, chat, deadlines and presence."""

import secrets
from collections.abc import Awaitable, Callable

from nevel.bots.bot import A_SECOND
from nevel.bots.evaluation import Budget
from nevel.languages import mark
from nevel.tables.domain.command import Asker, Command
from nevel.tables.domain.commands import Sit
from nevel.tables.domain.refusals import NotAllowedError
from nevel.tables.runtime.background import BackgroundTasks
from nevel.tables.runtime.chat import Chat
from nevel.tables.runtime.deadlines import Deadlines
from nevel.tables.runtime.erasing import Erasing
from nevel.tables.runtime.node_news import NodeNews
from nevel.tables.runtime.opening import Opening
from nevel.tables.runtime.presence import Presence
from nevel.tables.runtime.room import Answered, Room, milliseconds
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.storage import Storage
from nevel.tables.thinking.thinking import Thinking


class House:
    """The rooms of a node, and a part for each thing that is done with them."""

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
        self.clock = clock
        self.node = secrets.token_hex(8)
        self.rooms = Rooms(storage, clock, warm)
        self.opening = Opening(self.rooms)
        self.presence = Presence(storage, clock)
        self.chat = Chat(self.rooms, self.presence)
        self.deadlines = Deadlines(self.rooms)
        self.erasing = Erasing(self.rooms)
        self.thinking = Thinking(self.node, budget, pause, threads)
        self._tasks = BackgroundTasks()
        self.news = NodeNews(self.rooms, self.presence, self._tasks)
        self.news.on_person_erased = self.erasing.reload
        self.rooms.on_added = self.thinking.start

    async def start(self) -> None:
        """Listen to other nodes, look at deadlines, and let bots go on where they were."""
        await self.storage.listen(self.news.on_news)
        self._tasks.start(self.deadlines.run())
        self._tasks.start(self.presence.run())
        self._tasks.start(self.erasing.run())
        self._tasks.start(self.thinking.resume(self.rooms))

    async def close(self) -> None:
        """Stop everything; what was done is stored already."""
        await self._tasks.close()
        await self.thinking.close()
        self.opening.imports.close()

    async def room(self, name: str) -> Room:
        """The table with this name, for somebody who looks at it; read from its log when it isn't in memory."""
        room = await self.rooms.enter(name)
        self.visit(room)
        return room

    def visit(self, room: Room) -> None:
        """Note that somebody looks at a table: bots that waited for people go on."""
        now = self.clock()
        was_visited, room.visited_at = room.is_visited(now), now
        if not was_visited:
            self.thinking.wake(room)

    async def forget(self, name: str) -> None:
        """Drop a table from memory: its log has everything."""
        self.rooms.remove(name)
        await self.thinking.stop(name)

    async def ask(self, name: str, command: Command, person: str, command_id: str = "") -> int:
        """Do what a person asks of a table; gives the newest row then. A repeat has the same id."""
        self.presence.notice(person)
        if isinstance(command, Sit):
            await self._check_welcome(name, person)
        room = await self.room(name)
        return await room.ask(command, Asker(person, self.presence.is_asleep, command_id))

    def ask_now(self, name: str, command: Command, person: str, command_id: str, done: Answered) -> bool:
        """Like `ask`, but without a task, if the table is in memory and free; see `Room.ask_now`."""
        room = self.rooms.get(name)
        if room is None:
            return False
        self.presence.notice(person)
        self.visit(room)
        return room.ask_now(command, Asker(person, self.presence.is_asleep, command_id), done)

    async def _check_welcome(self, name: str, person: str) -> None:
        """Refuse people whom the host of a table has blocked."""
        host = (await self.room(name)).table.host
        if person != host and person in await self.storage.blocked_by(host):
            raise NotAllowedError(mark("You can't sit at this table."))
