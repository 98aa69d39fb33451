"""What other nodes tell this one: new rows, who is active, who has changed, how far a review is, what was spent."""

import asyncio
from collections.abc import Callable, Coroutine

from nevel.tables.runtime.background import RETRY_AFTER, BackgroundTasks
from nevel.tables.runtime.presence import Presence
from nevel.tables.runtime.room import Room
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.database import ERASED, GONE, HERE, PERSON, REVIEW, SPENT, StorageError

#: A row no table has: with it, its log is read in any case.
ANY_ROW = 2**62


async def ignore(_name: str) -> None:
    """Do nothing: stands in until somebody listens."""


class NodeNews:
    """Hands each piece of news to the part of this node it concerns."""

    def __init__(self, rooms: Rooms, presence: Presence, tasks: BackgroundTasks) -> None:
        self.rooms = rooms
        self.presence = presence
        self.tasks = tasks
        #: Called with a person whom another node has changed or deleted; and when that may have been missed.
        self.on_person_changed: Callable[[str], None] = lambda _: None
        self.on_people_missed: Callable[[], None] = lambda: None
        #: Called with a person whose traces another node has erased from the logs.
        self.on_person_erased: Callable[[str], Coroutine[None, None, None]] = ignore
        #: Called with a table and how many thousandths of its review another node has done.
        self.on_review_progress: Callable[[str, int], None] = lambda _table, _share: None
        #: Called with a table in memory here that another node has deleted.
        self.on_table_gone: Callable[[str], Coroutine[None, None, None]] = ignore
        #: Called with whose limit it is and what another node has counted.
        self.on_spent: Callable[[str, int], None] = lambda _name, _cost: None

    def on_news(self, news: list[tuple[str, int]]) -> None:
        """Handle news from another node; an empty list means that some were missed."""
        if not news:
            self.on_people_missed()
        for name, value in news or [(name, ANY_ROW) for name in self.rooms]:
            if name.startswith(PERSON):
                self._on_person(name.removeprefix(PERSON), value)
            elif name.startswith(REVIEW):
                self.on_review_progress(name.removeprefix(REVIEW), value)
            elif name.startswith(SPENT):
                self.on_spent(name.removeprefix(SPENT), value)
            elif name in self.rooms and value == GONE:
                self.tasks.start(self.on_table_gone(name))
            elif name in self.rooms:
                self.tasks.start(self._catch_up(self.rooms[name], value))

    def _on_person(self, person: str, what: int) -> None:
        if what == HERE:
            self.presence.on_active(person)
        elif what == ERASED:
            self.tasks.start(self.on_person_erased(person))
        else:
            self.on_person_changed(person)

    async def _catch_up(self, room: Room, seq: int) -> None:
        while True:
            try:
                return await room.catch_up_to(seq)
            except StorageError:
                room.is_doubtful = True
            await asyncio.sleep(RETRY_AFTER)
