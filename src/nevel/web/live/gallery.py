"""The sockets that watch tables. A message is encoded once for viewers who see the same; slow ones skip views.

Views are written in the moment a room tells of a change: the table is stored then, and nobody changes it meanwhile.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from nevel.tables.domain.refusals import NoSuchTableError
from nevel.tables.domain.table import PLAYING, Table
from nevel.tables.runtime.house import House
from nevel.tables.runtime.room import Room
from nevel.tables.storage.database import StorageError
from nevel.tables.storage.schema import Message
from nevel.tables.views.view import ChairView, PeopleStatus, Scene, look_at_chairs
from nevel.web.live.channel import BACKLOG_SIZE, Channel, ChannelKey, Connection, Spoken, encode, show_message
from nevel.web.live.page_channel import PageChannel
from nevel.web.people.links import Links
from nevel.web.people.people import People
from nevel.web.server.logs import log

#: Seconds between two looks at who is still here; who falls asleep in between is missed at the next.
LOOK_EVERY = 5.0
#: Tables looked at before others get their turn.
AT_ONCE = 100
#: How a socket closes when its table isn't theirs to see any more, when they aren't who they said any more, and when
#: we can't draw it.
NO_TABLE = 4404
UNKNOWN_PERSON = 4401
OUR_FAULT = 1011
#: Milliseconds after which a table nobody watches is left to its log.
FORGOTTEN_AFTER = 15 * 60_000


class PeopleSnapshot(NamedTuple):
    """Who is at a table, as it was seen at a moment; the version is another one when somebody comes or goes."""

    version: tuple[int, int, int]
    at: int
    status: PeopleStatus
    chairs: list[ChairView]


class Gallery:
    """Those who watch one table."""

    def __init__(self, room: Room, galleries: "Galleries") -> None:
        self.room = room
        self.galleries = galleries
        self.channels: dict[ChannelKey, Channel] = {}
        self.connections: set[Connection] = set()
        self.said: deque[Spoken] = deque(maxlen=BACKLOG_SIZE)
        #: Who doesn't want to hear whom.
        self.deaf: set[tuple[str, str]] = set()
        self.newest_said = -1
        self.joining = 0
        #: What scenes keep from one to the next.
        self.kept: dict[str, Any] = {}
        self._has_listened = False
        self._told_seq = room.table.seq
        self._arranged_at = room.table.arranged_at
        self._snapshot: PeopleSnapshot | None = None
        self._presence = self._present()
        room.watchers.add(self.changed)

    async def join(self, connection: Connection, since: int | None) -> bytes:
        """Somebody begins to watch; gives their first frame, with what happened since a row they saw."""
        self.joining += 1
        try:
            if not self._has_listened:
                await self.listen()
                self._has_listened = True
            elif self.said:
                await self.ask_who_is_deaf(spoken.speaker for spoken in self.said)
            await self.galleries.people.meet(self.room.table.named)
            table = self.room.table
        finally:
            self.joining -= 1
        before = connection.access.viewer
        access = self.galleries.links.access(table, connection.person, connection.key, before.chair)
        if access is None:
            raise NoSuchTableError
        connection.access = access
        self.connections.add(connection)
        channel = self._enter_channel(connection)
        connection.seen, connection.heard = channel.seq, self.newest_said
        said = self._said_to(connection, self._unheard_by(connection))
        return channel.first(table, since, said, self.galleries.now)

    def _said_to(self, connection: Connection, unheard: set[str]) -> deque[Spoken]:
        """What was said, without those one doesn't want to hear; a shared screen shows the board and nothing else."""
        if connection.access.viewer.role == "screen":
            return deque()
        return deque(spoken for spoken in self.said if spoken.speaker not in unheard) if unheard else self.said

    def _unheard_by(self, connection: Connection) -> set[str]:
        """Whom one doesn't want to hear: who holds the socket, and whose chair it is."""
        if not self.deaf:
            return set()
        ears = (connection.person, connection.access.person)
        return {speaker for person, speaker in self.deaf if person in ears}

    async def ask_who_is_deaf(self, speakers: Iterable[str]) -> None:
        """Who doesn't want to hear these people; asked whenever they are heard, on whichever node it was decided."""
        asked = set(speakers)
        found = await self.galleries.storage.deaf_to(self.room.table.name, asked)
        self.deaf = {pair for pair in self.deaf if pair[1] not in asked} | found

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._leave_channel(connection)

    def next_frame(self, channel: Channel, connection: Connection, now: int) -> bytes:
        """What is new to somebody."""
        is_alone = False
        if self.said:
            unheard = self._unheard_by(connection)
            is_alone = bool(unheard)
            write = channel.write if is_alone else channel.frame
            frame = write(connection.seen, connection.heard, self._said_to(connection, unheard), now)
        else:
            frame = channel.frame(connection.seen, connection.heard, self.said, now)
        connection.seen, connection.heard = channel.seen_by(is_alone), self.newest_said
        return frame

    def show(self, channel: Channel, connection: Connection, now: int) -> None:
        """Send somebody what is new, or else remember to do so when what was sent before is on its way."""
        line = connection.line
        connection.is_behind = not line.has_room
        if connection.is_over:
            line.close(NO_TABLE)
        elif not connection.is_behind:
            try:
                line.write(self.next_frame(channel, connection, now))
            except Exception:
                # It is stored, and the others shall see it.
                log.exception("a mistake of ours")
                line.close(OUR_FAULT)

    def catch_up(self, connection: Connection) -> None:
        """Send somebody what they couldn't be sent before."""
        if connection.channel:
            self.show(connection.channel, connection, self.galleries.now)

    # ------------------------------------------------------------ changes

    def changed(self, room: Room) -> None:
        """The room tells of something new: rows, or, if there are none, something said."""
        has_rows = room.table.seq != self._told_seq
        if has_rows:
            self.refresh()
        if not has_rows or room.storage.is_shared:
            self.galleries.soon(self.listen())

    def refresh(self) -> None:
        """Show everybody how the table looks now."""
        table, now = self.room.table, self.galleries.now
        snapshot = self._look_at_people(table, now)
        if snapshot is None:
            self.galleries.soon(self.meet())
            return
        self._told_seq = table.seq
        if self._arranged_at != table.arranged_at:
            self._arranged_at = table.arranged_at
            for connection in self.connections:
                self._look_again(connection)
        scene = Scene(table, snapshot.status, snapshot.chairs, self.kept)
        for channel in self.channels.values():
            if not self.said and len(channel.connections) == 1 and channel.pass_on(scene, now):
                continue
            channel.update(scene)
            is_anybody_behind = False
            for connection in channel.connections:
                self.show(channel, connection, now)
                is_anybody_behind |= connection.is_behind
            if not is_anybody_behind:
                channel.let_go()
        if scene.position:
            scene.position.drop_caches()

    def _look_at_people(self, table: Table, now: int) -> PeopleSnapshot | None:
        """Who is here; as it was a moment ago, unless something has changed. None when somebody hasn't been met yet."""
        before, version = self._snapshot, self.galleries.people_version(table)
        is_fresh = before is not None and before.version == version and now - before.at < LOOK_EVERY * 1000
        if before is not None and is_fresh and not table.opened.pace.is_timed:
            return before
        names = self.galleries.people.names_of(table.named)
        if names is None:
            return None
        status = PeopleStatus(names, self.galleries.house.presence.awake(table.named).__contains__)
        chairs = look_at_chairs(table, status)
        if before is not None and before.chairs == chairs:
            chairs = before.chairs  # the very same, so that nobody has to compare them again
        self._snapshot = PeopleSnapshot(version, now, status, chairs)
        return self._snapshot

    async def meet(self) -> None:
        """Ask what people are called, and go on."""
        await self.galleries.people.meet(self.room.table.named)
        self.refresh()

    async def listen(self) -> None:
        """Hear what was said."""
        new = await self.galleries.storage.messages(self.room.table.name, self.newest_said, BACKLOG_SIZE)
        await self.galleries.people.meet(message.person for message in new)
        names = self.galleries.people.names_of({message.person for message in new}) or {}
        await self.ask_who_is_deaf({*(spoken.speaker for spoken in self.said), *(message.person for message in new)})
        # Two may have asked at once.
        new = [message for message in new if message.number > self.newest_said]
        if new:
            self.said.extend(speak(message, names) for message in new)
            self.newest_said = new[-1].number
            self.refresh()

    async def look_round(self) -> None:
        """See who has come or gone quietly, and what people are called now."""
        table = self.room.table
        people = self.galleries.people
        # What was told of people by other nodes may have been lost.
        await people.meet((*table.named, *(one.person for one in self.connections if one.person)))
        for connection in self.connections:
            login = connection.login
            if login and not login.token and people.logged_out(login.person) != login.logged_out:
                self.show_out(connection, UNKNOWN_PERSON)
        if self._presence != (presence := self._present()) or self._told_seq != table.seq:
            self._presence = presence
            self._snapshot = None
            self.refresh()

    def _present(self) -> list[tuple[bool, str]]:
        status = self.galleries.people_status(self.room.table)
        return [(status.is_present(one), status.names.get(one, "")) for one in self.room.table.named]

    async def check_logins(self, person: str | None) -> None:
        """Show out who isn't who they said any more, and who came by a link that is worth nothing any more."""
        people = self.galleries.people
        await people.meet(self.room.table.named)
        for connection in tuple(self.connections):
            if person is not None and person not in (connection.person, connection.access.person):
                continue
            if connection.login and not await people.is_valid(connection.login):
                self.show_out(connection, UNKNOWN_PERSON)
            elif connection in self.connections:
                before = connection.channel
                self._look_again(connection)
                if connection.is_over:
                    connection.line.close(NO_TABLE)
                elif connection.channel and connection.channel is not before:
                    self.show(connection.channel, connection, self.galleries.now)

    def show_out(self, connection: Connection, code: int) -> None:
        """Close a socket; nothing that comes over it is done any more."""
        connection.is_over = True
        connection.line.close(code)

    # ------------------------------------------------------------ channels

    def _look_again(self, connection: Connection) -> None:
        """Chairs have changed hands: what may this one see now?"""
        before = connection.access.viewer
        access = self.galleries.links.access(self.room.table, connection.person, connection.key, before.chair)
        if access is None:
            connection.is_over = True
        elif access.viewer != before:
            self._leave_channel(connection)
            connection.access = access
            self._enter_channel(connection)

    def _enter_channel(self, connection: Connection) -> Channel:
        key = connection.channel_key
        channel = self.channels.get(key)
        if channel is None:
            channel = self.channels[key] = PageChannel(*key) if connection.language_code else Channel(*key)
        if channel.has_let_go:
            status = self.galleries.people_status(self.room.table)
            channel.update(Scene(self.room.table, status, kept=self.kept))
        channel.connections.add(connection)
        connection.channel = channel
        return channel

    def _leave_channel(self, connection: Connection) -> None:
        channel, connection.channel = connection.channel, None
        if channel is None:
            return
        channel.connections.discard(connection)
        if not channel.connections:
            del self.channels[channel.key]


class Galleries:
    """All tables that are watched at this node."""

    def __init__(self, house: House, people: People, links: Links) -> None:
        self.house = house
        self.storage = house.storage
        self.people = people
        self.links = links
        self.open: dict[str, Gallery] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def count(self) -> int:
        return sum(len(gallery.connections) for gallery in self.open.values())

    @property
    def now(self) -> int:
        return self.house.clock()

    def people_version(self, table: Table) -> tuple[int, int, int]:
        """Changes when somebody sits down or leaves, comes online, or has another name."""
        return table.arranged_at, self.house.presence.arrivals, self.people.changes

    def people_status(self, table: Table) -> PeopleStatus:
        people = table.named
        return PeopleStatus(self.people.names_of(people) or {}, self.house.presence.awake(people).__contains__)

    async def join(self, connection: Connection, table: str, since: int | None) -> tuple[Gallery, bytes]:
        """Somebody begins to watch a table; gives its gallery and their first frame."""
        room = await self.house.room(table)
        if table not in self.open:
            self.open[table] = Gallery(room, self)
        gallery = self.open[table]
        try:
            return gallery, await gallery.join(connection, since)
        except BaseException:
            self._close_if_empty(gallery)
            raise

    def leave(self, connection: Connection, gallery: Gallery) -> None:
        gallery.leave(connection)
        self._close_if_empty(gallery)

    def _close_if_empty(self, gallery: Gallery) -> None:
        if not gallery.connections and not gallery.joining:
            gallery.room.watchers.discard(gallery.changed)
            self.open.pop(gallery.room.table.name, None)

    def check_person(self, person: str) -> None:
        """Something about somebody has changed: perhaps a login or a link of theirs is worth nothing any more."""
        self.soon(self._check_logins(person))

    def check_everybody(self) -> None:
        self.soon(self._check_logins(None))

    async def _check_logins(self, person: str | None) -> None:
        for gallery in tuple(self.open.values()):
            await gallery.check_logins(person)

    def start(self) -> None:
        self.soon(self._look_round())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def soon(self, work: Coroutine[None, None, None]) -> None:
        """Do something that has to wait for the database."""
        task = asyncio.get_running_loop().create_task(suppressed(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_round(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for gallery in tuple(self.open.values()):
                self.house.visit(gallery.room)
                for connection in gallery.connections:
                    if connection.access.person:
                        self.house.presence.notice(connection.access.person)
                await suppressed(gallery.look_round())
                await asyncio.sleep(0)  # with thousands of tables others want their turn meanwhile
            self.house.presence.forget_sleepers()
            await self._forget_idle_tables()

    async def _forget_idle_tables(self) -> None:
        before = self.now - FORGOTTEN_AFTER
        for number, (name, room) in enumerate(tuple(self.house.rooms.items())):
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
            table = room.table
            is_thinking = table.phase == PLAYING and table.are_bots_needed and self.house.thinking.is_needed(name)
            if name not in self.open and table.changed_at < before and not is_thinking and not room.lock.locked():
                await self.house.forget(name)


async def suppressed(work: Coroutine[None, None, None]) -> None:
    # The database is away for a moment: the next change or the next look round catches up.
    with suppress(StorageError):
        await work


def speak(message: Message, names: dict[str, str]) -> Spoken:
    view = show_message(message, names)
    return Spoken(message.number, message.person, view, encode(view))
