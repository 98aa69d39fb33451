"""Somebody's games in figures: for themselves alone, until they say otherwise.

Results stand in the lists of tables, accuracies beside the reviews. All that is kept besides is since when to count,
and the link for others, if there is one.
"""

import secrets

import msgspec
from msgspec import Struct
from starlette.responses import Response

from nevel.study import forecasts
from nevel.study.forecasts import Prediction
from nevel.tables.storage.schema import Statistics
from nevel.tables.storage.storage import Storage
from nevel.web.server.endpoint import Endpoint, Nothing, Visit
from nevel.web.server.problems import NotFoundError
from nevel.web.services.summaries import read_details

#: Games that are counted, the newest.
MOST_GAMES = 2000
#: Bytes of chance in a link: nobody guesses one. Whatever is longer than a link is none.
LINK = 16
LONGEST_LINK = 64


class GamePlayed(Struct, frozen=True):
    """One game somebody played: in which chair, how it ended for them, and how well they chose, if that is known."""

    table: str
    game: str
    at: int
    chair: int
    chairs: int
    is_won: bool
    points: int
    accuracy: float | None


class Figures(Struct, frozen=True):
    """Somebody's games, the newest first; counted since a moment, and to be seen by whoever has the link.

    What was predicted is known of games that were reviewed.
    """

    since: int
    link: str | None
    games: list[GamePlayed]
    predictions: forecasts.Record


class Sharing(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether others may look, by a link."""

    is_public: bool


async def figures_of(storage: Storage, statistics: Statistics) -> Figures:
    """Count the games somebody played from their beginning, in the first of their chairs."""
    person = statistics.person
    games, predictions = list[GamePlayed](), list[list[Prediction]]()
    for one in await storage.finished(person, statistics.since, MOST_GAMES):
        summary, details = one.summary, read_details(one.summary)
        chair = next((i for i, chair in enumerate(details.chairs) if chair.person == person), None)
        if chair is None or details.outcome is None or details.brought:
            continue
        accuracies = msgspec.json.decode(one.accuracies or "[]", type=list[float | None])
        predicted = msgspec.json.decode(one.predictions or "[]", type=list[list[Prediction]])
        predictions += predicted[chair : chair + 1]
        games.append(
            GamePlayed(
                table=summary.table,
                game=summary.game,
                at=summary.created,
                chair=chair,
                chairs=summary.seats,
                is_won=chair in details.outcome.winners,
                points=details.outcome.points[chair],
                accuracy=accuracies[chair] if chair < len(accuracies) else None,
            )
        )
    return Figures(statistics.since, statistics.link, games, forecasts.add_up(predictions))


async def show(visit: Visit, _query: Nothing, _body: None) -> Figures:
    return await figures_of(visit.site.storage, await visit.site.storage.statistics(visit.known().id))


async def share(visit: Visit, _query: Nothing, body: Sharing) -> Figures:
    """Let others look, or no longer: a link that was taken back doesn't come again."""
    storage = visit.site.storage
    statistics = await storage.statistics(visit.known().id)
    if body.is_public != (statistics.link is not None):
        link = secrets.token_urlsafe(LINK) if body.is_public else None
        statistics = msgspec.structs.replace(statistics, link=link)
        await storage.save_statistics(statistics)
    return await figures_of(storage, statistics)


async def delete(visit: Visit, _query: Nothing, _body: None) -> Response:
    """Begin anew: games of tables opened until now aren't counted any more, and no link shows anything."""
    await visit.site.storage.save_statistics(Statistics(visit.known().id, visit.site.house.clock()))
    return Response(status_code=204)


async def find_shared(visit: Visit) -> tuple[str, Figures]:
    """Whose figures the link of this address shows, and the figures."""
    storage, link = visit.site.storage, visit.connection.path_params["link"]
    if len(link) > LONGEST_LINK or not link.isascii() or "\0" in link:
        raise NotFoundError
    statistics = await storage.shared_statistics(link)
    if statistics is None:
        raise NotFoundError
    return statistics.person, await figures_of(storage, statistics)


AT = "/api/me/statistics"
ENDPOINTS = (
    Endpoint("GET", AT, show, "Your games in figures.", Figures),
    Endpoint("PUT", AT, share, "Let others see them by a link, or no longer.", Figures, Sharing),
    Endpoint("DELETE", AT, delete, "Begin anew: what was played until now isn't counted any more.", None, status=204),
)
