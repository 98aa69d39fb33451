"""The first page, and opening a table from it."""

from typing import Annotated, Any

from msgspec import Meta

from nevel.bots.levels import LADDER
from nevel.game.registry import all_games, find
from nevel.game.spec import GameSpec
from nevel.languages import Language
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import OPEN, OVER, PLAYING
from nevel.web.pages.page import Go, Shown, form, page
from nevel.web.pages.study.puzzles import introduce as introduce_puzzle
from nevel.web.pages.study.puzzles import todays_puzzle
from nevel.web.pages.terms import Terms, offer_terms, read_options, read_pace, with_options
from nevel.web.rendering.levels import BOT_NAMES, LEVEL_NAMES
from nevel.web.rendering.notices import list_notices
from nevel.web.server.endpoint import Nothing, Visit
from nevel.web.services import opening
from nevel.web.services.opening import PlayNow, TableToOpen
from nevel.web.services.records import LARGEST
from nevel.web.services.summaries import TableSummary, list_open, summarise

#: Tables of one's own and open ones on the first page.
MOST_LISTED = 12


class Fields(Terms, frozen=True, kw_only=True):
    """The fields of the forms that open a table."""

    chairs: Annotated[int, Meta(ge=1, le=5)] | None = None
    level: str = "casual"
    is_public: bool = False
    is_practice: bool = False
    #: Whether it is dealt at once; a page with a script adds to the shuffle first.
    start: bool = True


async def home(visit: Visit, _query: Nothing, _form: None) -> Shown:
    storage, people = visit.site.storage, visit.site.people
    open_tables = await list_open(visit)
    own = await summarise(await storage.tables_of(visit.person.id, 3 * MOST_LISTED), people) if visit.person else []
    mine = {table.table for table in own}
    return Shown(
        "home.html",
        {
            "games": [introduce(spec, visit.language) for spec in all_games().values()],
            "running": [row(table, visit.language) for table in own if table.phase in (OPEN, PLAYING)][:MOST_LISTED],
            "finished": [row(table, visit.language) for table in own if table.phase == OVER][:MOST_LISTED],
            "open_tables": [row(table, visit.language) for table in open_tables if table.table not in mine][
                :MOST_LISTED
            ],
            "levels": levels(visit.language),
            "largest": LARGEST,
            "daily": introduce_puzzle(todays_puzzle(), visit.language),
        },
    )


def introduce(spec: GameSpec, language: Language) -> dict[str, Any]:
    """What the first page shows of a game."""
    return {
        "name": spec.name,
        "title": spec.title,
        "pitch": language.say(spec.pitch),
        "low": spec.seats[0],
        "high": spec.seats[-1],
        "usual": spec.usual_seats,
        "minutes": spec.minutes,
        "chairs": list(spec.seats),
    }


def levels(language: Language) -> list[tuple[str, str]]:
    return [(level, language.say(LEVEL_NAMES[level])) for level in LADDER]


def row(table: TableSummary, language: Language) -> dict[str, Any]:
    """A row in a list of tables."""
    names = [
        BOT_NAMES[i] if chair.level and not chair.name else chair.name or ""
        for i, chair in enumerate(table.chairs)
        if not chair.is_empty
    ]
    return {
        "table": table.table,
        "game": table.game,
        "title": find(table.game).title,
        "people": ", ".join(name for name in names if name),
        "free": sum(chair.is_empty for chair in table.chairs),
        "notice": list_notices(table.is_brought, table.has_own_box, table.is_practice, language),
    }


async def new(visit: Visit, _query: Nothing, _form: None) -> Shown:
    spec = find(visit.connection.path_params["game"])
    values = {
        "game": introduce(spec, visit.language),
        "terms": offer_terms(spec.name, visit.language, {}, Pace(), "casual"),
    }
    return Shown("new.html", values)


async def open_table(visit: Visit, _query: Nothing, fields: Fields) -> Go:
    spec = find(visit.connection.path_params["game"])
    new = TableToOpen(
        game=spec.name,
        chairs=fields.chairs or spec.usual_seats,
        options=read_options(fields, spec.name),
        pace=read_pace(fields),
        stand_in=fields.stand_in,
        is_public=fields.is_public,
        is_practice=fields.is_practice,
    )
    room = await opening.open_table(visit, new)
    return Go(f"/tables/{room.table.name}")


async def play_now(visit: Visit, _query: Nothing, fields: Fields) -> Go:
    spec = find(visit.connection.path_params["game"])
    new = PlayNow(
        game=spec.name,
        chairs=fields.chairs or spec.usual_seats,
        options=read_options(fields, spec.name),
        level=fields.level,
        is_practice=fields.is_practice,
        start=fields.start,
    )
    room = await opening.play_now(visit, new)
    return Go(f"/tables/{room.table.name}")


PAGES = (
    page("/", home),
    page("/new/{game}", new),
    form("/new/{game}", open_table, with_options(Fields)),
    form("/play/{game}", play_now, with_options(Fields)),
)
