"""A table's page, and what its forms do: the commands of a table, one address each, as in the API."""

from contextlib import suppress
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
import segno
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from nevel.game.registry import find
from nevel.languages import SpokenError, mark
from nevel.tables.domain import commands as asked
from nevel.tables.domain.refusals import MalformedError, TableError
from nevel.tables.domain.table import OPEN
from nevel.tables.views.view import Scene
from nevel.web.api import tables as api
from nevel.web.api.commands import COMMANDS, AtTable, body_of, do
from nevel.web.help.handbook import handbook
from nevel.web.live.channel import SaidView
from nevel.web.pages.page import Go, Page, Shown, page, show, wants_json
from nevel.web.pages.terms import Terms, read_options, read_pace, with_options
from nevel.web.rendering.assets import style_of
from nevel.web.rendering.frame import SAID, PageFrame
from nevel.web.server.endpoint import Visit
from nevel.web.server.problems import Problem, describe


class TablePage(Page, frozen=True):
    """A form at a table: what is refused is told on the table's own page, where one can go on."""

    async def refuse(self, visit: Visit, request: Request, problem: SpokenError) -> Response:
        if not wants_json(request):
            document = describe(problem, visit.language)
            try:
                query = msgspec.convert(dict(request.query_params), AtTable, strict=False)
                return show(visit, await look(visit, query, document))
            except (SpokenError, msgspec.ValidationError):
                pass  # there is no table to tell it at
        return await super().refuse(visit, request, problem)


async def view(visit: Visit, query: AtTable, _form: None) -> Shown:
    return await look(visit, query)


async def look(visit: Visit, query: AtTable, problem: Problem | None = None) -> Shown:
    """The page of a table, with what went wrong, if something did."""
    room, access = await visit.enter(query.key, query.chair)
    site, table, viewer = visit.site, room.table, access.viewer
    said = list[SaidView]()
    if viewer.role != "screen":
        said = (await api.converse(visit, api.After(query.key, query.chair), None)).said[-SAID:]
    table = room.table
    frame = PageFrame(viewer, visit.language)
    html = frame.draw(Scene(table, site.galleries.onlookers(table)), said, site.house.clock(), query_text(query))
    keys = await api.links(visit, query, None)
    base = f"{visit.connection.base_url}tables/{table.name}"
    may_be_guided = viewer.role == "player" or (table.phase == OPEN and viewer.role != "screen")  # who sits down, too
    return Shown(
        "table.html",
        {
            "frame": html,
            "table": table.name,
            "game": table.opened.game,
            "title": find(table.opened.game).title,
            "style": style_of(find(table.opened.game)),
            "phase": table.phase,
            "is_open": table.phase == OPEN,
            "role": viewer.role,
            "links": {purpose: link(base, key) for purpose, key in msgspec.structs.asdict(keys).items() if key},
            "guide": handbook(table.opened.game, visit.language.code).guide if may_be_guided else (),
            "problem": problem,
        },
        problem.status if problem else 200,
    )


def query_text(query: AtTable) -> str:
    given = {"key": query.key, "chair": query.chair}
    text = urlencode({name: value for name, value in given.items() if value is not None})
    return f"?{text}" if text else ""


def link(base: str, key: str) -> dict[str, str]:
    """A link to hand out, and the same as a picture for a telephone's camera."""
    address = f"{base}?key={key}"
    picture = segno.make(address, micro=False).svg_inline(border=2, omitsize=True, dark="#10202c", svgclass="qr")
    return {"address": address, "picture": picture}


class MoveFields(Struct, frozen=True):
    """A move, or the card and the pile of one: the first tap chooses, the second plays."""

    move: Annotated[str, Meta(max_length=64)] = ""
    card: Annotated[str, Meta(max_length=8)] = ""
    pile: Annotated[str, Meta(max_length=8)] = ""
    seq: int = -1
    id: Annotated[str, Meta(max_length=64)] = ""


async def move(visit: Visit, query: AtTable, fields: MoveFields) -> Go:
    if not fields.move and not (fields.card and fields.pile):
        raise MalformedError(mark("Choose a card first, then the pile it goes on."))
    text = fields.move or f"play {fields.card} {fields.pile}"
    # Without a script a double click sends the same form twice: the same move at the same moment is one move.
    click = fields.id or f"{fields.seq}:{text}"
    done = await do(visit, query, asked.Play(text, fields.seq), click)
    return back(visit, query, done.seq)


class TermsFields(Terms, frozen=True, kw_only=True):
    """How to play, as the host would have it who has seen everything up to a row."""

    seq: int | None = None
    id: Annotated[str, Meta(max_length=64)] = ""


async def set_terms(visit: Visit, query: AtTable, fields: TermsFields) -> Go:
    room, _ = await visit.enter(query.key, query.chair)
    opened = room.table.opened
    options = None if opened.prelude else read_options(fields, opened.game)
    command = asked.SetTerms(options, read_pace(fields), fields.stand_in, fields.seq)
    done = await do(visit, query, command, fields.id)
    return back(visit, query, done.seq)


class SayFields(Struct, frozen=True):
    """Something to say."""

    text: str = ""


async def say(visit: Visit, query: AtTable, fields: SayFields) -> Go:
    await api.say(visit, query, api.Saying(fields.text))
    return back(visit, query)


async def rematch(visit: Visit, query: AtTable, _fields: Struct) -> Go:
    """To the table where all meet again, and into the chair that is kept there."""
    meeting = await api.rematch(visit, query, api.NoBody())
    _, access = await visit.enter(query.key, query.chair)
    assert access.person is not None  # or there would be no meeting
    kept = (await visit.site.house.room(meeting.table)).table.opened.reserved
    with suppress(TableError):  # it has begun, or the host would rather not
        for chair in [chair for chair, person in kept.items() if person == access.person]:
            await visit.site.asking.do(meeting.table, asked.Sit(chair), access.person, f"again {meeting.table} {chair}")
    return Go(f"/tables/{meeting.table}")


def back(visit: Visit, query: AtTable, seq: int = -1) -> Go:
    return Go(f"/tables/{visit.connection.path_params['table']}{query_text(query)}", seq)


def command_form(path: str, kind: type[asked.Command]) -> Page:
    """A form that does what a command does."""
    body = body_of(kind)

    async def handle(visit: Visit, query: AtTable, fields: Any) -> Go:
        given = msgspec.structs.asdict(fields)
        click = given.pop("id")
        await do(visit, query, kind(**given), click)
        return back(visit, query)

    return at_table(path, handle, body)


def at_table(path: str, handle: Any, fields: type[Struct]) -> Page:
    return TablePage("POST", f"/tables/{{table}}/{path}", handle, "", None, fields, AtTable)


class NoFields(Struct, frozen=True):
    """A form that is only a button."""


PAGES = (
    page("/tables/{table}", view, AtTable),
    *(command_form(path, kind) for path, (kind, _) in COMMANDS.items() if kind not in (asked.Play, asked.SetTerms)),
    at_table("terms", set_terms, with_options(TermsFields)),
    at_table("move", move, MoveFields),
    at_table("say", say, SayFields),
    at_table("rematch", rematch, NoFields),
)
