"""Commands of a table, as visitors give them: who may give which, for which chair."""

from typing import Annotated, NoReturn

import msgspec
from msgspec import Meta, Struct

from nevel.languages import mark
from nevel.tables.domain import commands
from nevel.tables.domain.command import Command
from nevel.tables.domain.refusals import NotAllowedError
from nevel.tables.runtime.room import Room
from nevel.tables.storage.storage import NEVER
from nevel.web.people.links import Access
from nevel.web.server.endpoint import Visit
from nevel.web.server.problems import UnknownPersonError
from nevel.web.services.command_runner import LONGEST_ID

CommandId = Annotated[str, Meta(max_length=LONGEST_ID)]
#: What the id of a command was called at first.
OldCommandId = Annotated[
    str, Meta(max_length=LONGEST_ID, description="Use `command_id`.", extra_json_schema={"deprecated": True})
]

#: A row of a table's log; -1 is before the first.
Row = Annotated[int, Meta(ge=-1, le=NEVER)]

#: Commands about one's own chair, which needn't be named.
OWN = (
    commands.Leave
    | commands.Promise
    | commands.Contribute
    | commands.Play
    | commands.Undo
    | commands.AnswerUndo
    | commands.Reclaim
    | commands.RenewLinks
)
#: What may be done with nothing but the link of a chair.
BY_LINK = (
    commands.Promise | commands.Contribute | commands.Play | commands.Undo | commands.AnswerUndo | commands.Reclaim
)


#: What commands cost besides being asked: an undo is tried in worlds nobody can tell apart, an expert thinks for long.
COSTS: dict[type[Command], float] = {commands.Undo: 10.0, commands.AnswerUndo: 10.0, commands.SeatBot: 5.0}


class AtTable(Struct, frozen=True):
    """How a visitor reaches a table: with the key of a link, and which of several chairs of theirs they mean."""

    key: Annotated[str, Meta(max_length=64)] | None = None
    chair: int | None = None


class Since(AtTable, frozen=True):
    """Whether the answer lists events, and after which row."""

    since: Row | None = None


async def give_command(visit: Visit, room: Room, access: Access, command: Command, command_id: str = "") -> int:
    """Do what a visitor asks of a table they have entered; gives the newest row then.

    Whoever sits down becomes somebody by it.
    """
    check_link(access, command)
    person = access.person
    if person is None and isinstance(command, commands.Sit):
        person = (await visit.somebody()).id
    if person is None:
        raise UnknownPersonError
    if cost := COSTS.get(type(command)):
        visit.spend(cost)
    return await visit.site.commands.run(room.table.name, in_chair(command, access.viewer.chair), person, command_id)


def check_link(access: Access, command: Command | None = None) -> None:
    """Refuse what somebody's link isn't for; without a command, talk."""
    if access.viewer.role == "screen":
        raise NotAllowedError(mark("A shared screen is for watching. Open your own link to play."))
    if command is not None and access.viewer.is_by_link:
        is_about_chair = isinstance(command, BY_LINK) and command.chair in (None, access.viewer.chair)
        if not is_about_chair:
            refuse_by_link()
    if isinstance(command, commands.Sit) and access.viewer.chair is None and not access.viewer.may_sit:
        raise NotAllowedError(mark("To sit here you need an invitation."))


def refuse_by_link() -> NoReturn:
    """Refuse what isn't for those who have nothing but the link of a chair."""
    message = mark("A chair's link is only for playing and chatting there. Only the player who sits there can do that.")
    raise NotAllowedError(message)


def in_chair(command: Command, chair: int | None) -> Command:
    """A command about one's own chair: the one they came to, unless another is named."""
    if isinstance(command, OWN) and command.chair is None:
        return msgspec.structs.replace(command, chair=chair)
    return command
