"""Who is online: everybody who was active lately, on this node or on another."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from nevel.tables.runtime.room import milliseconds
from nevel.tables.storage.database import HERE, PERSON, StorageError
from nevel.tables.storage.storage import Storage

#: Who hasn't been active for this long is asleep, in milliseconds.
ASLEEP_AFTER = 60_000
#: How often other nodes are told that somebody is online, in milliseconds.
TELL_EVERY = 15_000
#: Seconds between two looks at whom they have to be told of.
LOOK_EVERY = 1.0


class Presence:
    """When everybody was active last. Other nodes are told, so that they don't take them for asleep."""

    def __init__(self, storage: Storage, clock: Callable[[], int] = milliseconds) -> None:
        self.storage = storage
        self.clock = clock
        #: Since when it is known who is active: after a restart nobody has been for a while.
        self.since = clock()
        #: The time of the last activity by person, in milliseconds.
        self.last_active: dict[str, int] = {}
        #: How often somebody came who was asleep or unknown; it tells callers whether what they know is still so.
        self.arrivals = 0
        self._untold: set[str] = set()
        self._told_at: dict[str, int] = {}

    def notice(self, person: str) -> None:
        """Note that somebody is active on this node."""
        self.on_active(person)
        if self.storage.is_shared:
            self._untold.add(person)

    def on_active(self, person: str) -> None:
        """Note that somebody is active, on whichever node."""
        now = self.clock()
        if self.last_active.get(person, 0) < now - ASLEEP_AFTER:
            self.arrivals += 1
        self.last_active[person] = now

    def awake(self, people: Iterable[str]) -> set[str]:
        """Those of these people who were active lately."""
        since, last_active = self.clock() - ASLEEP_AFTER, self.last_active
        return {person for person in people if last_active.get(person, 0) >= since}

    def is_asleep(self, person: str) -> bool:
        """Whether somebody hasn't been active for a while, as far as this can be known yet."""
        return self.clock() - self.since >= ASLEEP_AFTER and person not in self.awake((person,))

    def forget_sleepers(self) -> None:
        """Drop the times of those who are asleep: nobody needs them."""
        for person in [person for person in self.last_active if self.is_asleep(person)]:
            del self.last_active[person]

    async def tell_nodes(self) -> None:
        """Tell other nodes who is active on this one."""
        now = self.clock()
        self._told_at = {person: at for person, at in self._told_at.items() if now - at < TELL_EVERY}
        active, self._untold = self._untold - self._told_at.keys(), set()
        self._told_at |= dict.fromkeys(active, now)
        if active:
            await self.storage.tell_nodes([(PERSON + person, HERE) for person in active])

    async def run(self) -> None:
        """Keep telling other nodes, if there may be any."""
        while self.storage.is_shared:
            with suppress(StorageError):
                await self.tell_nodes()
            await asyncio.sleep(LOOK_EVERY)
