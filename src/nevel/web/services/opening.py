"""Opening tables: to wait for others, to play with bots at once, with a saved game, or to play again."""

from contextlib import suppress
from typing import Annotated

from msgspec import Meta, Struct, field

from nevel.game.box import Box
from nevel.tables.domain.commands import SeatBot, Sit, Start, check_level
from nevel.tables.domain.dealing import check_contribution
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import TableError
from nevel.tables.runtime.room import Room
from nevel.web.people.links import Access
from nevel.web.server.endpoint import Visit
from nevel.web.server.problems import UnknownPersonError
from nevel.web.services.boxes import LONGEST_BOX, read_file
from nevel.web.services.commands import COSTS, refuse_by_link

#: What it costs to play a saved game again, where opening a table costs 1.
IMPORT_COST = 2.0


class NewTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a new table plays; `contribution` is one's part of the shuffle.

    At a practice table everything can be taken back unless a rule forbids it, and nothing counts.
    """

    game: str
    chairs: int
    options: dict[str, int] = {}
    pace: Pace = field(default_factory=Pace)
    stand_in: str = "casual"
    contribution: str = ""
    is_practice: bool = False
    #: A box of one's own, as the text of a TOML file.
    box: Annotated[str, Meta(max_length=LONGEST_BOX)] = ""


class TableToOpen(NewTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to open. One sits down at once unless `sit` is false; `contribution` is one's part of the shuffle."""

    is_public: bool = False
    sit: bool = True


class PlayNow(NewTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game to play at once, with bots of a level in the other chairs.

    It is dealt unless `start` is false: then one can promise a part of the shuffle first.
    """

    level: str = "casual"
    start: bool = True


async def open_table(visit: Visit, new: TableToOpen, box: Box | None = None) -> Room:
    """Open a table, and sit down at it if that is wanted."""
    room, person = await open_empty(visit, new, new.is_public, box)
    if new.sit:
        await visit.site.house.ask(room.table.name, Sit(0, new.contribution), person)
    return room


async def play_now(visit: Visit, new: PlayNow, box: Box | None = None) -> Room:
    """Open a table, sit down, seat bots in all other chairs and, if that is wanted, deal."""
    check_level(new.level)
    if new.chairs > 1:
        visit.spend(COSTS[SeatBot])
    room, person = await open_empty(visit, new, False, box)
    name, house = room.table.name, visit.site.house
    await house.ask(name, Sit(0, new.contribution), person)
    if new.chairs > 1:
        await house.ask(name, SeatBot(new.level), person)
    if new.start:
        await house.ask(name, Start(), person)
    return room


async def open_empty(visit: Visit, new: NewTable, is_public: bool, box: Box | None) -> tuple[Room, str]:
    """Open a table at which nobody sits yet, with this box or the one in its text; gives it and the id of its host."""
    check_contribution(new.contribution)
    visit.check_opening()
    if box is None and new.box:
        box = await read_file(visit, new.box)
    person = (await visit.somebody()).id
    house = visit.site.house
    room = await house.opening.open_table(
        person,
        new.game,
        new.chairs,
        new.options,
        new.pace,
        new.stand_in,
        is_public,
        None if box is None else box.content,
        is_practice=new.is_practice,
    )
    return room, person


async def open_saved_game(visit: Visit, content: bytes) -> Room:
    """Open a table with a saved game or a record."""
    visit.check_opening(IMPORT_COST)
    person = (await visit.somebody()).id
    return await visit.site.house.opening.open_saved_game(person, content)


async def open_rematch(visit: Visit, room: Room, access: Access) -> str:
    """The name of the table where the same people play again."""
    if access.person is None:
        raise UnknownPersonError
    if access.viewer.is_by_link:
        refuse_by_link()
    if room.table.rematch is None:
        visit.check_opening()
    return await visit.site.house.opening.open_rematch(room.table.name, access.person)


async def sit_again(visit: Visit, rematch: str, person: str) -> None:
    """Take the chairs that are reserved for somebody at a rematch."""
    table = (await visit.site.house.room(rematch)).table
    reserved = {} if person in table.kicked else table.opened.reserved
    with suppress(TableError):  # it has begun, or the host would rather not
        for chair in [chair for chair, expected in reserved.items() if expected == person]:
            await visit.site.commands.run(rematch, Sit(chair), person, f"again {rematch} {chair}")
