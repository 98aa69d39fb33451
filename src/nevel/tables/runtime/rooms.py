"""The tables a node has in memory."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping

from nevel.tables.runtime.room import Room, milliseconds
from nevel.tables.storage.storage import Storage


class Rooms(Mapping[str, Room]):
    """The rooms in memory by the names of their tables; `enter` reads others from their logs.

    What needs compiled rules awaits `warm` before.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Callable[[], int] = milliseconds,
        warm: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self.storage = storage
        self.clock = clock
        self._warm = warm
        #: Called with every room that is new in memory.
        self.on_added: Callable[[Room], None] = lambda _: None
        self._rooms: dict[str, Room] = {}
        #: Rooms that are being read, so that two who ask at once are given the same one.
        self._entering: dict[str, asyncio.Task[Room]] = {}

    def __getitem__(self, name: str) -> Room:
        return self._rooms[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rooms)

    def __len__(self) -> int:
        return len(self._rooms)

    async def warm_up(self) -> None:
        """Wait until the rules are compiled."""
        if self._warm:
            await self._warm()

    async def enter(self, name: str) -> Room:
        """The table with this name; read from its log when it isn't in memory."""
        if name in self._rooms:
            return self._rooms[name]
        if name not in self._entering:
            self._entering[name] = asyncio.ensure_future(self._read(name))
        try:
            room = await asyncio.shield(self._entering[name])
        finally:
            self._entering.pop(name, None)
        return self.add(room)

    async def _read(self, name: str) -> Room:
        await self.warm_up()
        return await Room.enter(self.storage, name, self.clock)

    def add(self, room: Room) -> Room:
        """Keep a room in memory; gives the one that is there already if there is one."""
        name = room.table.name
        if name not in self._rooms:
            self._rooms[name] = room
            self.on_added(room)
        return self._rooms[name]

    def remove(self, name: str) -> None:
        """Forget a room: its log has everything."""
        self._rooms.pop(name, None)
