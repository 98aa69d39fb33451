"""What people ask about themselves: their name and language, their tokens, tables and boxes, and to leave."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response

from nevel.game.box import Box
from nevel.game.registry import find
from nevel.tables.storage.schema import Person, Token
from nevel.tables.storage.storage import NEVER
from nevel.web.server.endpoint import Endpoint, Nothing, Visit, set_cookie
from nevel.web.server.problems import NotFoundError
from nevel.web.services import account, boxes
from nevel.web.services.account import Everything
from nevel.web.services.summaries import Listing, summarise

#: Tables in a list.
MOST_LISTED = 100


class Me(Struct, frozen=True):
    """The person who asks: their name, language, and id, which nobody else is told."""

    id: str
    name: str
    language: str


class NewMe(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name or language for the person who asks."""

    name: str | None = None
    language: str | None = None


class TokenLabel(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request for a token: a label that says what it is for."""

    label: str


class TokenView(Struct, frozen=True, omit_defaults=True):
    """A token of one's own. Its text is told once, when it is made."""

    id: str
    label: str
    created: int
    used: int | None
    token: str | None = None


class BoxText(Struct, frozen=True, forbid_unknown_fields=True):
    """A box of one's own, as the text of a TOML file."""

    box: Annotated[str, Meta(max_length=boxes.LONGEST_BOX)]


class OwnBox(Struct, frozen=True):
    """The box one has of a game: ours, unless another is kept."""

    game: str
    is_ours: bool
    box: dict[str, Any]


class Earlier(Struct, frozen=True):
    """Where a list goes on: `changed` and `table` of the last one known."""

    changed: Annotated[int, Meta(ge=0, le=NEVER)] | None = None
    table: Annotated[str, Meta(max_length=64)] | None = None


async def show(visit: Visit, _query: Nothing, _body: None) -> Me:
    return introduce(await visit.somebody())


async def change(visit: Visit, _query: Nothing, body: NewMe) -> Me:
    return introduce(await account.change(visit, body.name, body.language))


async def export(visit: Visit, _query: Nothing, _body: None) -> Everything:
    me = visit.known().id
    visit.spend(account.EXPORT_COST)
    return await account.export(visit.site, me)


async def leave(visit: Visit, _query: Nothing, _body: None) -> Response:
    await account.leave(visit.site, visit.known().id)
    response = Response(status_code=204)
    visit.needs_cookie = False
    set_cookie(response, visit.connection, "", 0)
    return response


async def log_out(visit: Visit, _query: Nothing, _body: Nothing) -> Response:
    await account.log_out(visit)
    return Response(status_code=204)


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
    if not await visit.site.people.revoke(visit.known().id, visit.connection.path_params["token"]):
        raise NotFoundError
    return Response(status_code=204)


async def show_box(visit: Visit, _query: Nothing, _body: None) -> OwnBox:
    spec = find(visit.connection.path_params["game"])
    kept = await boxes.kept_box(visit, spec)
    return OwnBox(spec.name, kept is None, Box.of(spec.name).content if kept is None else kept.printed)


async def keep_box(visit: Visit, _query: Nothing, body: BoxText) -> OwnBox:
    spec, box = find(visit.connection.path_params["game"]), await boxes.read_file(visit, body.box)
    if box.game != spec.name:
        raise box.error_for(spec.name)
    await boxes.keep_box(visit, box)
    return await show_box(visit, Nothing(), None)


def introduce(person: Person) -> Me:
    return Me(person.id, person.name, person.language)


def introduce_token(token: Token) -> TokenView:
    return TokenView(token.id, token.label, token.created, token.used)


#: Who sits at a table where hints are limited can't take a name that is one.
NAME_REFUSED = {422: "The name says what may not be said at a table of theirs; the clause is told."}

ENDPOINTS = (
    Endpoint("GET", "/api/me", show, "Who you are; somebody new, if you come for the first time.", Me),
    Endpoint("PUT", "/api/me", change, "Choose your name and language.", Me, NewMe, problems=NAME_REFUSED),
    Endpoint("DELETE", "/api/me", leave, "Leave for good: all that is known about you is deleted.", None, status=204),
    Endpoint(
        "POST",
        "/api/me/log-out",
        log_out,
        "Log out everywhere but here: other cookies, tokens and the links of your chairs are worth nothing any more.",
        None,
        Nothing,
        status=204,
    ),
    Endpoint("GET", "/api/me/export", export, "All that is known about you.", Everything),
    Endpoint("GET", "/api/me/tables", list_tables, "Your tables, the last changed first.", Listing, query=Earlier),
    Endpoint("GET", "/api/me/boxes/{game}", show_box, "The box you have of a game; ours, if you keep none.", OwnBox),
    Endpoint("PUT", "/api/me/boxes/{game}", keep_box, "Keep a box of your own; ours forgets it.", OwnBox, BoxText),
    Endpoint("GET", "/api/me/tokens", list_tokens, "The tokens of your programs.", list[TokenView]),
    Endpoint("POST", "/api/me/tokens", add_token, "A token for a program of yours.", TokenView, TokenLabel, status=201),
    Endpoint("DELETE", "/api/me/tokens/{token}", revoke_token, "Take a token back.", None, status=204),
)
