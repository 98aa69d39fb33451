"""The first page, and opening a table from it."""

from typing import Annotated, Any

from msgspec import Meta

from nevel import games
from nevel.bots.levels import LADDER
from nevel.games.vocabulary import Vocabulary
from nevel.languages import Language
from nevel.tables.pace import Pace
from nevel.tables.table import OPEN, OVER, PLAYING
from nevel.web import api
from nevel.web.endpoint import Nothing, Visit
from nevel.web.pages.levels import BOT_NAMES, LEVEL_NAMES
from nevel.web.pages.page import Go, Shown, form, page
from nevel.web.pages.puzzles import introduce as introduce_puzzle
from nevel.web.pages.puzzles import todays_puzzle
from nevel.web.pages.terms import Terms, offer_terms, read_options, read_pace
from nevel.web.records import LARGEST
from nevel.web.summaries import TableSummary, summarise

#: Tables of one's own and open ones on the first page.
MOST_LISTED = 12


class Fields(Terms, frozen=True, kw_only=True):
    """What the forms for a new table say."""

    chairs: Annotated[int, Meta(ge=1, le=5)] | None = None
    level: str = "casual"
    is_public: bool = False


async def home(visit: Visit, _query: Nothing, _form: None) -> Shown:
    storage, people = visit.site.storage, visit.site.people
    open_tables = (await api.list_open(visit, api.WhichGame(), None)).tables
    own = await summarise(await storage.tables_of(visit.person.id, 3 * MOST_LISTED), people) if visit.person else []
    mine = {table.table for table in own}
    return Shown(
        "home.html",
        {
            "games": [introduce(words, visit.speech) for words in games.VOCABULARIES.values()],
            "running": [row(table) for table in own if table.phase in (OPEN, PLAYING)][:MOST_LISTED],
            "finished": [row(table) for table in own if table.phase == OVER][:MOST_LISTED],
            "open_tables": [row(table) for table in open_tables if table.table not in mine][:MOST_LISTED],
            "levels": levels(visit.speech),
            "largest": LARGEST,
            "daily": introduce_puzzle(todays_puzzle(), visit.speech),
        },
    )


def introduce(words: Vocabulary, speech: Language) -> dict[str, Any]:
    """A game on the first page."""
    low, high = words.rules.SEATS
    return {
        "name": words.name,
        "title": words.title,
        "pitch": speech.say(words.pitch),
        "low": low,
        "high": high,
        "usual": usual_chairs(words),
        "minutes": words.minutes,
        "chairs": list(range(low, high + 1)),
    }


def levels(speech: Language) -> list[tuple[str, str]]:
    return [(level, speech.say(LEVEL_NAMES[level])) for level in LADDER]


def row(table: TableSummary) -> dict[str, Any]:
    """A table in a list."""
    names = [
        BOT_NAMES[i] if chair.level and not chair.name else chair.name or ""
        for i, chair in enumerate(table.chairs)
        if not chair.is_empty
    ]
    return {
        "table": table.table,
        "game": table.game,
        "title": games.vocabulary(table.game).title,
        "people": ", ".join(name for name in names if name),
        "free": sum(chair.is_empty for chair in table.chairs),
    }


async def new(visit: Visit, _query: Nothing, _form: None) -> Shown:
    words = games.vocabulary(visit.connection.path_params["game"])
    values = {
        "game": introduce(words, visit.speech),
        "terms": offer_terms(words.name, visit.speech, {}, Pace(), "casual"),
    }
    return Shown("new.html", values)


async def open_table(visit: Visit, _query: Nothing, fields: Fields) -> Go:
    words = games.vocabulary(visit.connection.path_params["game"])
    opening = api.Opening(
        game=words.name,
        chairs=chairs(fields, words),
        options=read_options(fields, words.name),
        pace=read_pace(fields),
        stand_in=fields.stand_in,
        is_public=fields.is_public,
    )
    done = await api.open_table(visit, Nothing(), opening)
    return Go(f"/tables/{done.view.table}")


async def play_now(visit: Visit, _query: Nothing, fields: Fields) -> Go:
    words = games.vocabulary(visit.connection.path_params["game"])
    playing = api.PlayNow(
        game=words.name,
        chairs=chairs(fields, words),
        options=read_options(fields, words.name),
        level=fields.level,
    )
    done = await api.play_now(visit, Nothing(), playing)
    return Go(f"/tables/{done.view.table}")


def chairs(fields: Fields, words: Vocabulary) -> int:
    return fields.chairs or usual_chairs(words)


def usual_chairs(words: Vocabulary) -> int:
    """How many sit down when nobody says so."""
    return 2 if words.rules.SEATS[0] == 1 else 3


PAGES = (
    page("/", home),
    page("/new/{game}", new),
    form("/new/{game}", open_table, Fields),
    form("/play/{game}", play_now, Fields),
)
