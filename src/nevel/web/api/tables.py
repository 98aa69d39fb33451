"""Tables over HTTP: opening and finding them, looking, links, another game."""

from typing import Any

from msgspec import Struct

from nevel.game.box import Box
from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.tables.views.view import TableView, Told, ask, told_since
from nevel.web.api.commands import AT, Done, see
from nevel.web.server.endpoint import Endpoint, Visit
from nevel.web.services import opening, summaries
from nevel.web.services.commands import AtTable, Since
from nevel.web.services.opening import PlayNow, TableToOpen
from nevel.web.services.summaries import Listing


class WhichGame(Struct, frozen=True):
    """Only tables of one game."""

    game: str | None = None


class Seen(Struct, frozen=True):
    """A table, and what happened there since a row."""

    view: TableView
    events: list[Told]


class MoveOption(Struct, frozen=True):
    """One of the legal moves, and what it means."""

    move: str
    text: str


class PromptView(Struct, frozen=True):
    """What one is asked, in one's language; no question while others are waited for."""

    seq: int
    question: str | None
    sentence: str
    moves: list[MoveOption]
    hints: list[MoveOption]


class BoxView(Struct, frozen=True):
    """What is printed on the components a table plays with."""

    box: dict[str, Any]


class LinkKeys(Struct, frozen=True):
    """Keys that open this table, as `key=`: one's own chair, and for the host those to hand out."""

    chair: str | None = None
    invitation: str | None = None
    spectator: str | None = None
    screen: str | None = None


class Rematch(Struct, frozen=True):
    """The table where the same people meet again."""

    table: str


class NoBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that takes no values."""


async def list_open(visit: Visit, query: WhichGame, _body: None) -> Listing:
    return Listing(await summaries.list_open(visit, query.game))


async def open_table(visit: Visit, _query: Struct, body: TableToOpen) -> Done:
    room = await opening.open_table(visit, body)
    return Done(room.table.seq, see(visit, room))


async def play_now(visit: Visit, _query: Struct, body: PlayNow) -> Done:
    room = await opening.play_now(visit, body)
    return Done(room.table.seq, see(visit, room))


async def view(visit: Visit, query: Since, _body: None) -> Seen:
    room, access = await visit.enter(query.key, query.chair)
    chair = access.viewer.chair
    told = [] if query.since is None else told_since(room.table, chair, query.since)
    return Seen(see(visit, room, query.key, chair), told)


async def show_box(visit: Visit, query: AtTable, _body: None) -> BoxView:
    room, _ = await visit.enter(query.key, query.chair)
    opened = room.table.opened
    return BoxView(opened.box or Box.of(opened.game).content)


async def prompt(visit: Visit, query: AtTable, _body: None) -> PromptView:
    room, access = await visit.enter(query.key, query.chair)
    chair = access.viewer.chair
    game = room.table.game
    question, hints = ask(room.table, game.position if game else None, chair)
    words = find(room.table.opened.game).vocabulary
    names = visit.site.people.names_of(room.table.people) or {}
    called = [names.get(seat.person or "", "") for seat in room.table.chairs]
    teller = Teller(visit.language, called)

    def explain(moves: list[str]) -> list[MoveOption]:
        return [MoveOption(move, words.describe(words.moves.parse(move), teller)) for move in moves]

    if question is None:
        return PromptView(room.table.seq, None, "", [], explain(hints))
    sentence = teller.say(words.questions[question.question])
    return PromptView(room.table.seq, question.question, sentence, explain(question.moves), explain(hints))


async def links(visit: Visit, query: AtTable, _body: None) -> LinkKeys:
    room, access = await visit.enter(query.key, query.chair)
    return LinkKeys(**visit.site.links.keys_for(room.table, access.viewer))


async def rematch(visit: Visit, query: AtTable, _body: Struct) -> Rematch:
    return Rematch(await opening.open_rematch(visit, *await visit.enter(query.key, query.chair)))


ENDPOINTS = (
    Endpoint("GET", "/api/tables", list_open, "Tables anybody may join, the newest first.", Listing, query=WhichGame),
    Endpoint("POST", "/api/tables", open_table, "Open a table.", Done, TableToOpen, status=201),
    Endpoint("POST", "/api/play-now", play_now, "Play with bots at once.", Done, PlayNow, status=201),
    Endpoint("GET", AT, view, "A table as you may see it.", Seen, query=Since),
    Endpoint("GET", f"{AT}/prompt", prompt, "What you are asked, in your language.", PromptView, query=AtTable),
    Endpoint("GET", f"{AT}/box", show_box, "What is in the box that is played with.", BoxView, query=AtTable),
    Endpoint("GET", f"{AT}/links", links, "Your private link; the host's are to hand out.", LinkKeys, query=AtTable),
    Endpoint("POST", f"{AT}/rematch", rematch, "Another game with the same people.", Rematch, NoBody, AtTable),
)
