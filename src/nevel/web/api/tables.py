"""Tables over HTTP: opening and finding them, looking, talking, links, another game."""

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from nevel.game.box import Box
from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.tables.domain.commands import SeatBot, Sit, Start, check_level
from nevel.tables.domain.dealing import check_contribution
from nevel.tables.domain.pace import Pace
from nevel.tables.runtime.room import Room
from nevel.tables.storage.storage import NEVER
from nevel.tables.views.view import TableView, Told, ask, told_since
from nevel.web.api.commands import AtTable, Done, check_link
from nevel.web.live.channel import SaidView
from nevel.web.live.gallery import show
from nevel.web.server.endpoint import Endpoint, Visit
from nevel.web.server.problems import UnknownPersonError
from nevel.web.services.summaries import Listing, summarise

#: Tables in a list and messages in an answer.
MOST_LISTED = 100
MOST_MESSAGES = 200
#: Letters of a box of somebody's own: several times as many as ours has.
LONGEST_BOX = 16_384

Row = Annotated[int, Meta(ge=-1, le=NEVER)]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to open. One sits down at once unless `sit` is false; `contribution` is one's part of the shuffle."""

    game: str
    chairs: int
    options: dict[str, int] = {}
    pace: Pace = field(default_factory=Pace)
    stand_in: str = "casual"
    contribution: str = ""
    #: A box of one's own, as the text of a TOML file.
    box: Annotated[str, Meta(max_length=LONGEST_BOX)] = ""


class Opening(NewTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to open. One sits down at once unless `sit` is false; `contribution` is one's part of the shuffle."""

    is_public: bool = False
    sit: bool = True


class PlayNow(NewTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game to play at once, with bots of a level in the other chairs."""

    level: str = "casual"


class WhichGame(Struct, frozen=True):
    """Only tables of one game."""

    game: str | None = None


class Since(AtTable, frozen=True):
    """Whether to tell what happened, and since which row."""

    since: Row | None = None


class Seen(Struct, frozen=True):
    """A table, and what happened there since a row."""

    view: TableView
    events: list[Told]


class Answer(Struct, frozen=True):
    """One of the legal moves, and what it means."""

    move: str
    text: str


class PromptView(Struct, frozen=True):
    """What one is asked, in one's language; no question while others are waited for."""

    seq: int
    question: str | None
    sentence: str
    moves: list[Answer]
    hints: list[Answer]


class BoxView(Struct, frozen=True):
    """What is printed on the components a table plays with."""

    box: dict[str, Any]


class LinkKeys(Struct, frozen=True):
    """Keys that open this table, as `key=`: one's own chair, and for the host those to hand out."""

    chair: str | None = None
    invitation: str | None = None
    spectator: str | None = None
    screen: str | None = None


class Saying(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say. `id` is a name for this very click."""

    text: str
    id: str = ""


class After(AtTable, frozen=True):
    """Only messages after this one."""

    after: Row = -1


class Conversation(Struct, frozen=True):
    """What was said at a table."""

    said: list[SaidView]


class Rematch(Struct, frozen=True):
    """The table where the same people meet again."""

    table: str


async def list_open(visit: Visit, query: WhichGame, _body: None) -> Listing:
    if query.game is not None:
        find(query.game)
    storage = visit.site.storage
    found = await storage.open_tables(query.game, MOST_LISTED)
    if visit.person and found:
        apart = await storage.blocked_by(visit.person.id) | await storage.blockers_of(visit.person.id)
        found = [table for table in found if table.host not in apart]
    return Listing(await summarise(found, visit.site.people))


async def open_table(visit: Visit, _query: Struct, body: Opening) -> Done:
    room, person = await lay_out(visit, body, body.is_public)
    if body.sit:
        await visit.site.house.ask(room.table.name, Sit(0, body.contribution), person)
    return await done(visit, room, person)


async def play_now(visit: Visit, _query: Struct, body: PlayNow) -> Done:
    check_level(body.level)
    room, person = await lay_out(visit, body, is_public=False)
    name, house = room.table.name, visit.site.house
    await house.ask(name, Sit(0, body.contribution), person)
    if body.chairs > 1:
        await house.ask(name, SeatBot(body.level), person)
    await house.ask(name, Start(), person)
    return await done(visit, room, person)


async def lay_out(visit: Visit, body: NewTable, is_public: bool) -> tuple[Room, str]:
    check_contribution(body.contribution)
    box = Box.parse(body.box).content if body.box else None
    visit.site.opening_limit.check(visit.address)
    person = (await visit.somebody()).id
    house = visit.site.house
    room = await house.opening.open_table(
        person, body.game, body.chairs, body.options, body.pace, body.stand_in, is_public, box
    )
    return room, person


async def done(visit: Visit, room: Room, person: str) -> Done:
    return Done(room.table.seq, visit.site.look(room, person, None, None))


async def view(visit: Visit, query: Since, _body: None) -> Seen:
    room, access = await visit.enter(query.key, query.chair)
    chair = access.viewer.chair
    told = [] if query.since is None else told_since(room.table, chair, query.since)
    return Seen(visit.site.look(room, access.person, query.key, chair), told)


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

    def explain(moves: list[str]) -> list[Answer]:
        return [Answer(move, words.describe(words.moves.parse(move), teller)) for move in moves]

    if question is None:
        return PromptView(room.table.seq, None, "", [], explain(hints))
    sentence = teller.say(words.questions[question.question])
    return PromptView(room.table.seq, question.question, sentence, explain(question.moves), explain(hints))


async def links(visit: Visit, query: AtTable, _body: None) -> LinkKeys:
    room, access = await visit.enter(query.key, query.chair)
    keys, table, viewer = visit.site.links, room.table, access.viewer
    own = None if viewer.chair is None else keys.chair_key(table, viewer.chair)
    if not viewer.is_host:
        return LinkKeys(own)
    return LinkKeys(own, keys.key(table, "invitation"), keys.key(table, "spectator"), keys.key(table, "screen"))


async def converse(visit: Visit, query: After, _body: None) -> Conversation:
    room, access = await visit.enter(query.key, query.chair)
    check_link(access)
    messages = await visit.site.storage.messages(room.table.name, query.after, MOST_MESSAGES)
    people = {message.person for message in messages}
    await visit.site.people.meet(people)
    ears = (access.person, visit.person.id if visit.person else None)
    deaf = await visit.site.storage.deaf_to(room.table.name, people) if people else set[tuple[str, str]]()
    unheard = {speaker for person, speaker in deaf if person in ears}
    names = visit.site.people.names_of(people) or {}
    return Conversation([show(message, names) for message in messages if message.person not in unheard])


async def say(visit: Visit, query: AtTable, body: Saying) -> SaidView:
    room, access = await visit.enter(query.key, query.chair)
    check_link(access)
    person = access.person
    if person is None:
        raise UnknownPersonError
    message = await visit.site.asking.say(room.table.name, person, body.text, body.id)
    return show(message, visit.site.people.names_of([person]) or {})


async def rematch(visit: Visit, query: AtTable, _body: Struct) -> Rematch:
    room, access = await visit.enter(query.key, query.chair)
    if access.person is None:
        raise UnknownPersonError
    return Rematch(await visit.site.house.opening.open_rematch(room.table.name, access.person))


class NoBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing more to say."""


AT = "/api/tables/{table}"
ENDPOINTS = (
    Endpoint("GET", "/api/tables", list_open, "Tables anybody may join, the newest first.", Listing, query=WhichGame),
    Endpoint("POST", "/api/tables", open_table, "Open a table.", Done, Opening, status=201),
    Endpoint("POST", "/api/play-now", play_now, "Play with bots at once.", Done, PlayNow, status=201),
    Endpoint("GET", AT, view, "A table as you may see it.", Seen, query=Since),
    Endpoint("GET", f"{AT}/prompt", prompt, "What you are asked, in your language.", PromptView, query=AtTable),
    Endpoint("GET", f"{AT}/box", show_box, "What is in the box that is played with.", BoxView, query=AtTable),
    Endpoint("GET", f"{AT}/links", links, "Your private link; the host's are to hand out.", LinkKeys, query=AtTable),
    Endpoint("GET", f"{AT}/chat", converse, "What was said.", Conversation, query=After),
    Endpoint("POST", f"{AT}/chat", say, "Say something, as far as the rules allow.", SaidView, Saying, AtTable, 201),
    Endpoint("POST", f"{AT}/rematch", rematch, "Another game with the same people.", Rematch, NoBody, AtTable),
)
