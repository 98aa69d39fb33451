"""Chat at a table: saying something, and reading what was said."""

from nevel.tables.runtime.room import Room
from nevel.tables.storage.schema import Message
from nevel.web.live.channel import SaidView, show_message
from nevel.web.people.links import Access
from nevel.web.server.endpoint import Visit
from nevel.web.server.problems import UnknownPersonError
from nevel.web.server.site import Site
from nevel.web.services.command_runner import check_id
from nevel.web.services.commands import check_link

#: Messages that are read at once.
MOST_MESSAGES = 200


async def say(site: Site, table: str, access: Access, text: str, command_id: str = "") -> Message:
    """Say something at a table; gives the message as it is stored. A repeat has the same id."""
    check_id(command_id)
    check_link(access)
    if access.person is None:
        raise UnknownPersonError
    site.commands.count += 1
    return await site.house.chat.say(table, access.person, text, command_id, access.viewer.chair)


async def read_messages(visit: Visit, room: Room, access: Access, after: int = -1) -> list[SaidView]:
    """What was said at a table after a message, without those whom the visitor doesn't want to hear."""
    check_link(access)
    storage, people = visit.site.storage, visit.site.people
    messages = await storage.messages(room.table.name, after, MOST_MESSAGES)
    speakers = {message.person for message in messages}
    await people.meet(speakers)
    listeners = (access.person, visit.person.id if visit.person else None)
    deaf = await storage.deaf_to(room.table.name, speakers) if speakers else set[tuple[str, str]]()
    unheard = {speaker for person, speaker in deaf if person in listeners}
    names = people.names_of(speakers) or {}
    return [show_message(message, names) for message in messages if message.person not in unheard]
