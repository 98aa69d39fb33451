"""What people ask about themselves: their name and language, their tokens and tables, and to leave."""

from contextlib import suppress
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response

from nevel.tables.domain import facts
from nevel.tables.domain.commands import Close, Leave
from nevel.tables.domain.refusals import TableError
from nevel.tables.domain.table import OPEN, PLAYING
from nevel.tables.storage.schema import Person, Row, Summary, Token
from nevel.tables.storage.storage import NEVER
from nevel.web.server.endpoint import Endpoint, Nothing, Visit, set_cookie
from nevel.web.server.problems import NotFoundError
from nevel.web.services.statistics import Figures, figures_of
from nevel.web.services.summaries import Listing, TableSummary, summarise

#: Tables in a list.
MOST_LISTED = 100


class Me(Struct, frozen=True):
    """Who one is. The id is known to nobody else."""

    id: str
    name: str
    language: str


class NewMe(Struct, frozen=True, forbid_unknown_fields=True):
    """What one would like to be called, and to read."""

    name: str | None = None
    language: str | None = None


class TokenLabel(Struct, frozen=True, forbid_unknown_fields=True):
    """What a token is for."""

    label: str


class TokenView(Struct, frozen=True, omit_defaults=True):
    """A token of one's own. Its text is told once, when it is made."""

    id: str
    label: str
    created: int
    used: int | None
    token: str | None = None


class Muted(Struct, frozen=True):
    """Somebody one doesn't hear at a table."""

    table: str
    name: str | None


class Deed(Struct, frozen=True):
    """Something one did at a table, as it stands in its log: a move, or what one added to the shuffle, is the text."""

    table: str
    seq: int
    at: int
    fact: str
    chair: int | None
    text: str


class Everything(Struct, frozen=True):
    """All that is known about somebody. Others are in it by their names, as they are for everybody."""

    person: dict[str, Any]
    tokens: list[dict[str, Any]]
    blocked: list[str | None]
    muted: list[Muted]
    messages: list[dict[str, Any]]
    tables: list[TableSummary]
    deeds: list[Deed]
    statistics: Figures
    solved: list[dict[str, Any]]


class Earlier(Struct, frozen=True):
    """Where a list goes on: `changed` and `table` of the last one known."""

    changed: Annotated[int, Meta(ge=0, le=NEVER)] | None = None
    table: Annotated[str, Meta(max_length=64)] | None = None


async def show(visit: Visit, _query: Nothing, _body: None) -> Me:
    return introduce(await visit.somebody())


async def change(visit: Visit, _query: Nothing, body: NewMe) -> Me:
    person = await visit.site.people.change(await visit.somebody(), body.name, body.language)
    visit.person = person
    return introduce(person)


async def export(visit: Visit, _query: Nothing, _body: None) -> Everything:
    """All that is known about somebody: what is about others too is told without who those are."""
    storage, people = visit.site.storage, visit.site.people
    me = visit.known().id
    known = await storage.everything_about(me)
    await people.meet((*known["blocks"], *(mute["other"] for mute in known["mutes"])))
    summaries = msgspec.convert(known["tables"], list[Summary])
    deeds = list[Deed]()
    for summary in summaries:
        deeds += deeds_of(me, await storage.rows(summary.table))

    async def name(other: str) -> str | None:
        person = await people.find(other)
        return person.name if person else None

    return Everything(
        person=known["person"],
        tokens=known["tokens"],
        blocked=[await name(other) for other in known["blocks"]],
        muted=[Muted(mute["table"], await name(mute["other"])) for mute in known["mutes"]],
        messages=known["messages"],
        tables=await summarise(summaries, people),
        deeds=deeds,
        statistics=await figures_of(storage, await storage.statistics(me)),
        solved=known["solved"],
    )


def deeds_of(person: str, rows: list[Row]) -> list[Deed]:
    """What somebody did at a table, from its log; nothing of what others did or what nobody may know yet."""
    deeds, chairs = list[Deed](), set[int]()
    for row in rows:
        fact = facts.read(row.body)
        chair: int | None = getattr(fact, "chair", None)
        is_theirs, text = chair in chairs, ""
        match fact:
            case facts.Opened():
                is_theirs = fact.host == person
            case facts.Seated():
                is_theirs, text = fact.person == person, fact.contribution
                chairs = chairs | {fact.chair} if is_theirs else chairs - {fact.chair}
            case facts.Vacated():
                chairs.discard(fact.chair)
            case facts.MovePlayed():
                is_theirs, text = is_theirs and not fact.is_bot, fact.move
            case facts.HostChanged():
                is_theirs = fact.person == person
            case _:
                pass
        if is_theirs:
            deeds.append(Deed(row.table, row.seq, row.at, str(type(fact).__struct_config__.tag), chair, text))
    return deeds


async def leave(visit: Visit, _query: Nothing, _body: None) -> Response:
    """Leave for good: chairs go to bots or become free, and nothing is kept but an id that means nothing."""
    person = visit.known().id
    for summary in await visit.site.storage.tables_of(person, NEVER):
        if summary.phase in (OPEN, PLAYING):
            room = await visit.site.house.room(summary.table)
            chairs = room.table.chairs_of(person)
            # Who looks after a table without sitting at it leaves nobody who could.
            asked = [Leave(chair) for chair in chairs] if chairs else [Close()]
            for command in asked:
                with suppress(TableError):
                    await visit.site.house.ask(summary.table, command, person)
    await visit.site.people.forget(person)
    response = Response(status_code=204)
    set_cookie(response, visit.connection, "", 0)
    return response


async def list_tables(visit: Visit, query: Earlier, _body: None) -> Listing:
    if visit.person is None:
        return Listing([])
    before = None if query.changed is None else (query.changed, query.table or "")
    found = await visit.site.storage.tables_of(visit.person.id, MOST_LISTED, before)
    return Listing(await summarise(found, visit.site.people))


async def list_tokens(visit: Visit, _query: Nothing, _body: None) -> list[TokenView]:
    return [introduce_token(token) for token in await visit.site.storage.tokens_of(visit.known().id)]


async def add_token(visit: Visit, _query: Nothing, body: TokenLabel) -> TokenView:
    person = await visit.somebody()
    token, text = await visit.site.people.add_token(person.id, body.label)
    return msgspec.structs.replace(introduce_token(token), token=text)


async def revoke_token(visit: Visit, _query: Nothing, _body: None) -> Response:
    if not await visit.site.storage.revoke(visit.known().id, visit.connection.path_params["token"]):
        raise NotFoundError
    return Response(status_code=204)


def introduce(person: Person) -> Me:
    return Me(person.id, person.name, person.language)


def introduce_token(token: Token) -> TokenView:
    return TokenView(token.id, token.label, token.created, token.used)


ENDPOINTS = (
    Endpoint("GET", "/api/me", show, "Who you are; somebody new, if you come for the first time.", Me),
    Endpoint("PUT", "/api/me", change, "Choose your name and language.", Me, NewMe),
    Endpoint("DELETE", "/api/me", leave, "Leave for good: all that is known about you is deleted.", None, status=204),
    Endpoint("GET", "/api/me/export", export, "All that is known about you.", Everything),
    Endpoint("GET", "/api/me/tables", list_tables, "Your tables, the last changed first.", Listing, query=Earlier),
    Endpoint("GET", "/api/me/tokens", list_tokens, "The tokens of your programs.", list[TokenView]),
    Endpoint("POST", "/api/me/tokens", add_token, "A token for a program of yours.", TokenView, TokenLabel, status=201),
    Endpoint("DELETE", "/api/me/tokens/{token}", revoke_token, "Take a token back.", None, status=204),
)
