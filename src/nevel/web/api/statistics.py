"""A person's statistics over HTTP."""

from msgspec import Struct
from starlette.responses import Response

from nevel.web.server.endpoint import Endpoint, Nothing, Visit
from nevel.web.services import statistics
from nevel.web.services.statistics import PlayerFigures, figures_of

AT = "/api/me/statistics"


class ShareBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The body that shares a person's statistics by a link, or stops it."""

    is_public: bool


async def show(visit: Visit, _query: Nothing, _body: None) -> PlayerFigures:
    return await figures_of(visit.site.storage, await visit.site.storage.statistics(visit.known().id))


async def share(visit: Visit, _query: Nothing, body: ShareBody) -> PlayerFigures:
    found = await statistics.share(visit.site, visit.known().id, body.is_public)
    return await figures_of(visit.site.storage, found)


async def delete(visit: Visit, _query: Nothing, _body: None) -> Response:
    await statistics.delete(visit.site, visit.known().id)
    return Response(status_code=204)


ENDPOINTS = (
    Endpoint("GET", AT, show, "Your games in figures.", PlayerFigures),
    Endpoint("PUT", AT, share, "Let others see them by a link, or no longer.", PlayerFigures, ShareBody),
    Endpoint("DELETE", AT, delete, "Begin anew: what was played until now isn't counted any more.", None, status=204),
)
