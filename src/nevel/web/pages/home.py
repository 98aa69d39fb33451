"""The first page, and playing with bots from it."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta

from nevel.bots.levels import LADDER
from nevel.game.registry import all_games, find
from nevel.game.spec import GameSpec
from nevel.languages import Language, SpokenError
from nevel.tables.domain.table import OPEN, OVER, PLAYING
from nevel.web.pages.page import Go, Shown, form, page
from nevel.web.pages.study.puzzles import introduce as introduce_puzzle
from nevel.web.pages.study.puzzles import todays_puzzle
from nevel.web.pages.terms import Terms, offer_options, read_options, with_options
from nevel.web.rendering.levels import BOT_NAMES, LEVEL_NAMES
from nevel.web.rendering.notices import Peculiarities
from nevel.web.server.endpoint import Nothing, Visit
from nevel.web.services import boxes, opening
from nevel.web.services.opening import PlayNow
from nevel.web.services.records import LARGEST
from nevel.web.services.summaries import TableSummary, list_open, summarise

#: Tables of one's own and open ones on the first page.
MOST_LISTED = 12


class PlayNowFields(Terms, frozen=True, kw_only=True):
    """The fields of the form that starts a game with bots."""

    chairs: Annotated[int, Meta(ge=1, le=5)] | None = None
    level: str = "casual"
    is_practice: bool = False
    is_own_box: bool = False
    #: Whether it is dealt at once; a page with a script adds to the shuffle first.
    start: bool = True


async def home(visit: Visit, _query: Nothing, _form: None) -> Shown:
    storage, people = visit.site.storage, visit.site.people
    kept = await storage.boxes_of(visit.person.id) if visit.person else {}
    open_tables = await list_open(visit)
    own = await summarise(await storage.tables_of(visit.person.id, 3 * MOST_LISTED), people) if visit.person else []
    mine = {table.table for table in own}
    return Shown(
        "home.html",
        {
            "games": [
                {**introduce(spec, visit.language), "has_kept_box": spec.name in kept} for spec in all_games().values()
            ],
            "running": await running(visit, [table for table in own if table.phase in (OPEN, PLAYING)][:MOST_LISTED]),
            "finished": [row(table, visit.language) for table in own if table.phase == OVER][:MOST_LISTED],
            "open_tables": [row(table, visit.language) for table in open_tables if table.table not in mine][
                :MOST_LISTED
            ],
            "levels": levels(visit.language),
            "largest": LARGEST,
            "daily": introduce_puzzle(todays_puzzle(), visit.language),
        },
    )


async def running(visit: Visit, tables: Sequence[TableSummary]) -> list[dict[str, Any]]:
    """One's own tables that aren't over; those that wait for oneself come first."""
    rows = [
        {**row(table, visit.language), "is_yours": table.phase == PLAYING and await is_waited_for(visit, table.table)}
        for table in tables
    ]
    return sorted(rows, key=lambda row: not row["is_yours"])


async def is_waited_for(visit: Visit, name: str) -> bool:
    """Whether the visitor is to play at a table; not known of one that can't be read just now."""
    assert visit.person
    with suppress(SpokenError):
        table = (await visit.site.house.rooms.enter(name)).table  # who looks at a list isn't at the table
        if table.game is not None:
            return not set(table.chairs_of(visit.person.id)).isdisjoint(table.game.waiting_for)
    return False


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
        "options": offer_options(spec.name, language, {}),
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
        "notice": Peculiarities(table.game, table.options, table.is_brought, table.has_own_box, table.is_practice).list(
            language
        ),
    }


async def play_now(visit: Visit, _query: Nothing, fields: PlayNowFields) -> Go:
    spec = find(visit.connection.path_params["game"])
    box = await boxes.kept_box(visit, spec) if fields.is_own_box else None
    new = PlayNow(
        game=spec.name,
        chairs=fields.chairs or spec.usual_seats,
        options=read_options(fields, spec.name),
        level=fields.level,
        is_practice=fields.is_practice,
        start=fields.start,
    )
    room = await opening.play_now(visit, new, box)
    return Go(f"/tables/{room.table.name}")


PAGES = (
    page("/", home),
    form("/play/{game}", play_now, with_options(PlayNowFields)),
)
