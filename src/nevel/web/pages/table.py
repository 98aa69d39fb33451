"""A table's page, and what its forms do: the commands of a table, at the addresses of their names, as in the API."""

from typing import Any
from urllib.parse import urlencode

import msgspec
import segno
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from nevel.game.registry import find
from nevel.languages import SpokenError, mark
from nevel.tables.domain import commands
from nevel.tables.domain.command import Command
from nevel.tables.domain.table import OPEN, OVER, PLAYING
from nevel.tables.views.view import Scene
from nevel.web.assets.assets import style_of
from nevel.web.help.handbook import handbook
from nevel.web.live.channel import SaidView
from nevel.web.pages.moves import MoveFields, compose_move
from nevel.web.pages.page import Go, NoFields, Page, Shown, page, show, wants_json
from nevel.web.pages.sounds import sounds_of
from nevel.web.pages.terms import Terms, read_options, read_pace, with_options
from nevel.web.rendering.frame import SAID, PageFrame
from nevel.web.rendering.notices import box_address
from nevel.web.server.endpoint import Visit
from nevel.web.server.problems import Problem, describe
from nevel.web.services import chat, opening
from nevel.web.services.command_names import OLD_NAMES, SUMMARIES, body_of, name_of, read_command
from nevel.web.services.commands import AtTable, CommandId, give_command

#: What is said of an invitation where it is shared.
INVITATION = mark("Play {game} with me on Nevel")
#: Where a table's page goes on after a form of it was sent, by the phase of the table.
PLACES = {PLAYING: "#play", OVER: "#result"}


class TablePage(Page, frozen=True):
    """An endpoint for a form at a table; a refusal is shown on the table's own page."""

    async def refuse(self, visit: Visit, request: Request, problem: SpokenError) -> Response:
        if not wants_json(request):
            document = describe(problem, visit.language)
            try:
                query = msgspec.convert(dict(request.query_params), AtTable, strict=False)
                return show(visit, await look(visit, query, document))
            except (SpokenError, msgspec.ValidationError):
                pass  # there is no table to tell it at
        return await super().refuse(visit, request, problem)


# ---------------------------------------------------------------- the page


async def view(visit: Visit, query: AtTable, _form: None) -> Shown:
    return await look(visit, query)


async def look(visit: Visit, query: AtTable, problem: Problem | None = None) -> Shown:
    """Render the page of a table, with a refusal if there was one."""
    room, access = await visit.enter(query.key, query.chair)
    site, viewer = visit.site, access.viewer
    said = list[SaidView]()
    if viewer.role != "screen":
        said = (await chat.read_messages(visit, room, access))[-SAID:]
    table = room.table
    frame = PageFrame(viewer, visit.language)
    html = frame.draw(Scene(table, site.galleries.people_status(table)), said, site.house.clock(), query_text(query))
    base = f"{visit.connection.base_url}tables/{table.name}"
    may_be_guided = viewer.role == "player" or (table.phase == OPEN and viewer.role != "screen")  # who sits down, too
    return Shown(
        "table.html",
        {
            "frame": html,
            "table": table.name,
            "query": query_text(query),
            "game": table.opened.game,
            "title": find(table.opened.game).title,
            "pitch": visit.language.say(find(table.opened.game).pitch),
            "rules": box_address(table.opened.game, table.opened.box) or f"/rules/{table.opened.game}",
            "sounds": sounds_of(table.opened.game),
            "style": style_of(find(table.opened.game)),
            "phase": table.phase,
            "is_open": table.phase == OPEN,
            "is_shuffling": table.is_shuffling,
            "role": viewer.role,
            "invitation_title": visit.language.say(INVITATION, game=find(table.opened.game).title),
            "links": {purpose: link(base, key) for purpose, key in site.links.keys_for(table, viewer).items()},
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


# ---------------------------------------------------------------- its forms


class PlayFields(MoveFields, frozen=True):
    """A move, and the newest row that was on the page it was made on."""

    seq: int = -1
    command_id: CommandId = ""


async def play(visit: Visit, query: AtTable, fields: PlayFields) -> Go:
    text = compose_move(fields)
    # Without a script a double click sends the same form twice: the same move at the same moment is one move.
    command_id = fields.command_id or f"{fields.seq}:{text}"
    return await do(visit, query, commands.Play(text, fields.seq), command_id)


class TermsFields(Terms, frozen=True, kw_only=True):
    """The fields of the host's form for variants, pace and stand-ins, with the newest row on its page."""

    seq: int | None = None
    command_id: CommandId = ""


async def set_terms(visit: Visit, query: AtTable, fields: TermsFields) -> Go:
    room, _ = await visit.enter(query.key, query.chair)
    opened = room.table.opened
    options = None if opened.prelude else read_options(fields, opened.game)
    command = commands.SetTerms(options, read_pace(fields), fields.stand_in, fields.seq)
    return await do(visit, query, command, fields.command_id)


async def do(visit: Visit, query: AtTable, command: Command, command_id: str) -> Go:
    """Run a command, then redirect to the table's page."""
    room, access = await visit.enter(query.key, query.chair)
    seq = await give_command(visit, room, access, command, command_id)
    return back(visit, query, seq, PLACES.get(room.table.phase, ""))


class SayFields(Struct, frozen=True):
    """The field of the form for chat."""

    text: str = ""
    command_id: CommandId = ""


async def say(visit: Visit, query: AtTable, fields: SayFields) -> Go:
    room, access = await visit.enter(query.key, query.chair)
    await chat.say(visit.site, room.table.name, access, fields.text, fields.command_id)
    return back(visit, query, place="#said")


async def look_again(visit: Visit, query: AtTable, _fields: Struct) -> Go:
    """Show the table as it is now, from the board on: a link to where one is already would only scroll there."""
    return Go(f"/tables/{visit.connection.path_params['table']}{query_text(query)}#play")


async def rematch(visit: Visit, query: AtTable, _fields: Struct) -> Go:
    """Open or find the rematch, sit down in the reserved chair, and redirect there."""
    room, access = await visit.enter(query.key, query.chair)
    again = await opening.open_rematch(visit, room, access)
    assert access.person is not None  # or there would be no rematch
    await opening.sit_again(visit, again, access.person)
    return Go(f"/tables/{again}")


async def next_game(visit: Visit, query: AtTable, _form: None) -> Go:
    """Redirect whoever watches to the rematch, with the link that shows it as they are shown this table."""
    room, access = await visit.enter(query.key, query.chair)
    if not room.table.rematch:
        return back(visit, query)
    again = (await visit.site.house.room(room.table.rematch)).table
    role = access.viewer.role
    key = "" if role == "player" else f"?key={visit.site.links.key(again, role)}"
    return Go(f"/tables/{again.name}{key}")


def back(visit: Visit, query: AtTable, seq: int = -1, place: str = "") -> Go:
    """Redirect to the table's page; without a script, to the place on it where it goes on."""
    return Go(f"/tables/{visit.connection.path_params['table']}{query_text(query)}{place}", seq)


def command_form(path: str, kind: type[Command]) -> Page:
    """An endpoint that runs a command with the fields of a form."""
    if kind is commands.Play:
        return at_table(path, play, PlayFields)
    if kind is commands.SetTerms:
        return at_table(path, set_terms, with_options(TermsFields))

    async def handle(visit: Visit, query: AtTable, fields: Any) -> Go:
        return await do(visit, query, *read_command(kind, fields))

    return at_table(path, handle, body_of(kind))


def at_table(path: str, handle: Any, fields: type[Struct]) -> Page:
    return TablePage("POST", f"/tables/{{table}}/{path}", handle, "", None, fields, AtTable)


PAGES = (
    page("/tables/{table}", view, AtTable),
    page("/tables/{table}/next", next_game, AtTable),
    *(command_form(name_of(kind), kind) for kind in SUMMARIES),
    # Pages that were open when a server was renewed.
    *(command_form(path, kind) for path, kind in OLD_NAMES.items()),
    at_table("say", say, SayFields),
    at_table("rematch", rematch, NoFields),
    at_table("look-again", look_again, NoFields),
)
