"""Chat at tables, with a referee who reads it while a game is played."""

from nevel.languages import mark
from nevel.tables.domain.refusals import NotAllowedError
from nevel.tables.domain.table import PLAYING
from nevel.tables.referee import referee
from nevel.tables.runtime.presence import Presence
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.schema import Message

#: How far back the referee reads what somebody said, in milliseconds, and how many messages.
MEMORY = 120_000
LAST_MESSAGES = 20


class Chat:
    """Stores what people say, as far as the rules of the game at their table allow it."""

    def __init__(self, rooms: Rooms, presence: Presence) -> None:
        self.rooms = rooms
        self.presence = presence
        self.storage = rooms.storage

    async def say(self, name: str, person: str, text: str, command_id: str = "", chair: int | None = None) -> Message:
        """Say something at a table, from a chair of one's own if it matters. A TableError says why it may not be said.

        What was said by this command already isn't said again: then that message is given.
        """
        self.presence.notice(person)
        if (before := await self.storage.message_by(name, person, command_id)) is not None:
            return before
        room = await self.rooms.enter(name)
        table = room.table
        chairs = table.chairs_of(person)
        shown = referee.clean(text)
        if table.phase == PLAYING and chairs:
            now = self.rooms.clock()
            last = await self.storage.messages(name, -1, LAST_MESSAGES)
            recent = [m.text for m in last if m.person == person and now - m.at < MEMORY]
            if table.game is not None:
                referee.check_at(table.game, shown, recent)
        elif table.phase == PLAYING:
            raise NotAllowedError(mark("Spectators can't chat during the game."))
        seat = chair if chair in chairs else chairs[0] if chairs else None
        message = Message(name, self.rooms.clock(), person, seat, shown)
        stored = await self.storage.add_message(message, command_id)
        # The room may have been forgotten and entered again meanwhile.
        (await self.rooms.enter(name)).notify()
        return stored
