"""The statistics page: a person's own, and the one others see by a shared link."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from nevel.game.registry import all_games, find
from nevel.languages import Language, mark
from nevel.study.forecasts import add_up
from nevel.web.pages.page import Go, NoFields, Shown, form, page
from nevel.web.pages.study.forecasts import draw_forecasts
from nevel.web.pages.study.looking_back import HEIGHT, WIDTH
from nevel.web.server.endpoint import Nothing, Visit
from nevel.web.services import statistics
from nevel.web.services.statistics import GamePlayed, PlayerFigures, figures_of

#: Games in the list; the figures are of all of them.
MOST_LISTED = 50
PATH = "/me/statistics"


class ShareFields(Struct, frozen=True):
    """The fields of the form that shares statistics by a link."""

    is_public: bool


async def view(visit: Visit, _query: Nothing, _form: None) -> Shown:
    storage = visit.site.storage
    found = PlayerFigures(0, None, [], add_up([]))
    if visit.person:
        found = await figures_of(storage, await storage.statistics(visit.person.id))
    values = {
        **describe(found, visit.language),
        "is_own": True,
        "link": f"{visit.connection.base_url}statistics/{found.link}" if found.link else "",
        "forecasts": draw_forecasts(found.predictions, visit.language),
        "solved": len(await storage.solved_by(visit.person.id)) if visit.person else 0,
    }
    return Shown("statistics.html", values)


async def view_shared(visit: Visit, _query: Nothing, _form: None) -> Shown:
    person, found = await statistics.find_shared(visit.site, visit.connection.path_params["link"])
    known = await visit.site.people.find(person)
    values = {**describe(found, visit.language), "is_own": False, "name": known.name if known else ""}
    return Shown("statistics.html", values)


async def share(visit: Visit, _query: Nothing, fields: ShareFields) -> Go:
    await statistics.share(visit.site, visit.known().id, fields.is_public)
    return Go(PATH)


async def delete(visit: Visit, _query: Nothing, _fields: NoFields) -> Go:
    await statistics.delete(visit.site, visit.known().id)
    return Go(PATH)


def describe(found: PlayerFigures, language: Language) -> dict[str, Any]:
    """The values of the statistics page."""
    known = [one for one in reversed(found.games) if one.accuracy is not None]
    return {
        "count": len(found.games),
        "won": sum(one.is_won for one in found.games),
        "accuracy": average([one.accuracy for one in known if one.accuracy is not None]),
        "figures": [
            figures(name, played, language)
            for name in all_games()
            for apart in sorted({tuple(one.apart) for one in found.games if one.game == name})
            if (played := [one for one in found.games if (one.game, tuple(one.apart)) == (name, apart)])
        ],
        "chart": chart(known),
        "games": [row(one, language) for one in found.games[:MOST_LISTED]],
    }


def figures(name: str, played: Sequence[GamePlayed], language: Language) -> dict[str, Any]:
    """The figures of one game, as the page shows them."""
    spec = find(name)
    points = spec.readable_points(sum(one.points for one in played) / len(played))
    message = mark("{count} cards left on average") if spec.counts_cards_left else mark("{count} points on average")
    return {
        "name": name,
        "title": title(played[0], language),
        "count": len(played),
        "won": sum(one.is_won for one in played),
        "share": round(100 * sum(one.is_won for one in played) / len(played)),
        "points": language.say(message, count=language.say_number(round(points, 1))),
        "accuracy": average([one.accuracy for one in played if one.accuracy is not None]),
    }


def title(one: GamePlayed, language: Language) -> str:
    """What a game is called in figures, with the options by which it is counted apart."""
    apart = [option.title for option in find(one.game).vocabulary.options if option.name in one.apart]
    return " · ".join([find(one.game).title, *map(language.say, apart)])


def average(accuracies: Sequence[float]) -> int | None:
    return round(sum(accuracies) / len(accuracies)) if accuracies else None


def chart(known: Sequence[GamePlayed]) -> dict[str, Any] | None:
    """Accuracies, the oldest first, as a line and a dot for each game; none for less than two."""
    if len(known) < 2:
        return None
    dots = [
        {
            "x": round(WIDTH * i / (len(known) - 1), 1),
            "y": round(HEIGHT - HEIGHT * (one.accuracy or 0) / 100, 1),
            "table": one.table,
            "title": f"{find(one.game).title} · {round(one.accuracy or 0)}",
        }
        for i, one in enumerate(known)
    ]
    return {"dots": dots, "points": " ".join(f"{dot['x']},{dot['y']}" for dot in dots)}


def row(one: GamePlayed, language: Language) -> dict[str, Any]:
    spec = find(one.game)
    return {
        "table": one.table,
        "title": title(one, language),
        "day": language.say_day(one.at),
        "is_won": one.is_won,
        "points": language.say_number(spec.readable_points(one.points)),
        "is_left": spec.counts_cards_left,
        "accuracy": None if one.accuracy is None else round(one.accuracy),
    }


PAGES = (
    page(PATH, view),
    form(PATH, share, ShareFields),
    form(f"{PATH}/delete", delete, NoFields),
    page("/statistics/{link}", view_shared),
)
