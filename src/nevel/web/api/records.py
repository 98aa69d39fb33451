"""Games as files: the record of a game that is over, and saved games and records brought to a table."""

import msgspec
from starlette.responses import Response

from nevel.game.saving import SavedGame
from nevel.tables.domain.record import write_record
from nevel.tables.runtime.room import Room
from nevel.web.api.commands import AtTable, Done
from nevel.web.api.tables import AT, done
from nevel.web.server.endpoint import Endpoint, Nothing, Visit

#: Bytes of the largest file that is read: more than the most moves that can be brought take.
LARGEST = 512 << 10


async def export(visit: Visit, query: AtTable, _body: None) -> Response:
    room, _ = await visit.enter(query.key, query.chair)
    table = room.table
    await visit.site.people.meet(table.people)
    text = write_record(table, visit.site.people.names_of(table.people) or {})
    name = f'attachment; filename="nevel-{table.opened.game}-{table.name}.json"'
    return Response(text, headers={"content-disposition": name}, media_type="application/json")


async def bring(visit: Visit, _query: Nothing, body: SavedGame) -> Done:
    return await done(visit, *await bring_content(visit, msgspec.json.encode(body)))


async def bring_content(visit: Visit, content: bytes) -> tuple[Room, str]:
    """What stands in a file, at a table of whoever brings it."""
    visit.site.opening_limit.check(visit.address)
    person = (await visit.somebody()).id
    return await visit.site.house.opening.open_saved_game(person, content), person


ENDPOINTS = (
    Endpoint(
        "GET",
        f"{AT}/export",
        export,
        "The record of a game that is over, which `nevel verify` checks.",
        SavedGame,
        query=AtTable,
        problems={409: "The game isn't over."},
    ),
    Endpoint(
        "POST",
        "/api/tables/import",
        bring,
        "Bring a saved game or a record to a table of yours, to look at it or to go on with it.",
        Done,
        SavedGame,
        status=201,
        longest=LARGEST,
    ),
)
