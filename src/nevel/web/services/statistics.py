"""A person's statistics: private until they share a link to them.

Results stand in the lists of tables, accuracies beside the reviews. All that is kept besides is since when to count,
and the link for others, if there is one.
"""

import secrets

import msgspec
from msgspec import Struct

from nevel.game.registry import find
from nevel.study import forecasts
from nevel.study.forecasts import Prediction
from nevel.tables.storage.schema import Statistics
from nevel.tables.storage.storage import Storage
from nevel.web.server.problems import NotFoundError
from nevel.web.server.site import Site
from nevel.web.services.summaries import read_details

#: Games that are counted, the newest.
MOST_GAMES = 2000
#: Random bytes in a link, so that nobody guesses one. Whatever is longer than a link is none.
LINK_BYTES = 16
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
    #: The options by which it isn't counted with other games of its kind.
    apart: list[str] = []


class PlayerFigures(Struct, frozen=True):
    """Somebody's games, the newest first; counted since a moment, and to be seen by whoever has the link.

    What was predicted is known of games that were reviewed.
    """

    since: int
    link: str | None
    games: list[GamePlayed]
    predictions: forecasts.Record


async def figures_of(storage: Storage, statistics: Statistics) -> PlayerFigures:
    """Count the games somebody played from their beginning, in the first of their chairs."""
    person = statistics.person
    games, predictions = list[GamePlayed](), list[list[Prediction]]()
    for one in await storage.finished(person, statistics.since, MOST_GAMES):
        summary, details = one.summary, read_details(one.summary)
        chair = next((i for i, chair in enumerate(details.chairs) if chair.person == person), None)
        if chair is None or details.outcome is None or not details.counts:
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
                apart=[option.name for option in find(summary.game).vocabulary.options_apart(details.options)],
            )
        )
    return PlayerFigures(statistics.since, statistics.link, games, forecasts.add_up(predictions))


async def share(site: Site, person: str, is_public: bool) -> Statistics:
    """Share somebody's statistics by a link, or stop: the next link is another one."""
    statistics = await site.storage.statistics(person)
    if is_public != (statistics.link is not None):
        link = secrets.token_urlsafe(LINK_BYTES) if is_public else None
        statistics = msgspec.structs.replace(statistics, link=link)
        await site.storage.save_statistics(statistics)
    return statistics


async def delete(site: Site, person: str) -> None:
    """Reset somebody's statistics: games opened until now don't count any more, and links end."""
    await site.storage.save_statistics(Statistics(person, site.house.clock()))


async def find_shared(site: Site, link: str) -> tuple[str, PlayerFigures]:
    """The id of the person whose figures a link shows, and the figures."""
    if len(link) > LONGEST_LINK or not link.isascii() or "\0" in link:
        raise NotFoundError
    statistics = await site.storage.shared_statistics(link)
    if statistics is None:
        raise NotFoundError
    return statistics.person, await figures_of(site.storage, statistics)
