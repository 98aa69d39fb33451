"""Reviews over HTTP: what a finished game's choices were worth, or how far that is found out."""

from functools import partial

from starlette.responses import Response

from nevel.study.review import Review
from nevel.web.api.commands import AT
from nevel.web.server.endpoint import Endpoint, Visit
from nevel.web.server.problems import encode
from nevel.web.services.commands import AtTable
from nevel.web.services.reviews import REVIEW_COST, ReviewProgress

#: Seconds after which it is worth asking again.
SOON = "1"


async def show(visit: Visit, query: AtTable, _body: None) -> Review | Response:
    room, _ = await visit.enter(query.key, query.chair)
    found = await visit.site.reviews.ask(room.table, visit.payer, partial(visit.check_opening, REVIEW_COST))
    if isinstance(found, ReviewProgress):
        return Response(encode(found), 202, {"retry-after": SOON}, "application/json")
    return found


ENDPOINTS = (
    Endpoint(
        "GET",
        f"{AT}/review",
        show,
        "What everybody's choices were worth, once the game is over: begun when first asked for, kept from then on.",
        Review,
        query=AtTable,
        meanwhile=ReviewProgress,
        problems={409: "The game isn't over.", 503: "The database is away for a moment, or too many are asked for."},
    ),
)
