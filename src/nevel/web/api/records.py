"""Games as files: the record of a game that is over, and saved games and records brought to a table."""

import msgspec
from starlette.responses import Response

from nevel.game.saving import SavedGame
from nevel.web.api.commands import AT, Done, see
from nevel.web.server.endpoint import Endpoint, Nothing, Visit
from nevel.web.services import opening, records
from nevel.web.services.commands import AtTable
from nevel.web.services.records import LARGEST


async def export(visit: Visit, query: AtTable, _body: None) -> Response:
    room, _ = await visit.enter(query.key, query.chair)
    text = await records.write(visit.site, room.table)
    name = f'attachment; filename="nevel-{room.table.opened.game}-{room.table.name}.json"'
    return Response(text, headers={"content-disposition": name}, media_type="application/json")


async def bring(visit: Visit, _query: Nothing, body: SavedGame) -> Done:
    room = await opening.open_saved_game(visit, msgspec.json.encode(body))
    return Done(room.table.seq, see(visit, room))


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
