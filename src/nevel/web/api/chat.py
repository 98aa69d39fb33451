"""Chat over HTTP: saying something, and reading what was said."""

from msgspec import Struct

from nevel.web.api.commands import AT
from nevel.web.live.channel import SaidView, show_message
from nevel.web.server.endpoint import Endpoint, Visit
from nevel.web.services import chat
from nevel.web.services.commands import AtTable, CommandId, OldCommandId, Row


class SayBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say. `command_id` is a name for this very command."""

    text: str
    command_id: CommandId = ""
    id: OldCommandId = ""


class After(AtTable, frozen=True):
    """A query for the messages after a given one."""

    after: Row = -1


class Conversation(Struct, frozen=True):
    """What was said at a table."""

    said: list[SaidView]


async def read(visit: Visit, query: After, _body: None) -> Conversation:
    room, access = await visit.enter(query.key, query.chair)
    return Conversation(await chat.read_messages(visit, room, access, query.after))


async def say(visit: Visit, query: AtTable, body: SayBody) -> SaidView:
    room, access = await visit.enter(query.key, query.chair)
    message = await chat.say(visit.site, room.table.name, access, body.text, body.command_id or body.id)
    return show_message(message, visit.site.people.names_of([message.person]) or {})


def endpoint(path: str, is_deprecated: bool = False) -> Endpoint:
    summary = "Say something, as far as the rules allow."
    return Endpoint("POST", path, say, summary, SaidView, SayBody, AtTable, 201, is_deprecated=is_deprecated)


ENDPOINTS = (
    Endpoint("GET", f"{AT}/chat", read, "What was said.", Conversation, query=After),
    endpoint(f"{AT}/say"),
    endpoint(f"{AT}/chat", is_deprecated=True),
)
