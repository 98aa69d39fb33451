"""Peace and quiet: not hearing somebody at a table (mute), or not meeting them at all (block).

People are named by the chair they sit in or by something they said: nobody learns who anybody is. In one's own list
each has a name that only works there.
"""

from typing import Annotated

from msgspec import Meta, Struct
from starlette.responses import Response

from nevel.languages import mark
from nevel.tables.domain.command import any_chair
from nevel.tables.domain.refusals import MalformedError
from nevel.tables.storage.storage import NEVER
from nevel.web.api.commands import AtTable
from nevel.web.api.tables import AT
from nevel.web.server.endpoint import Endpoint, Nothing, Visit
from nevel.web.server.problems import NotFoundError, UnknownPersonError


class Whom(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody at a table: by their chair, or by the number of something they said."""

    chair: int | None = None
    said: Annotated[int, Meta(ge=0, le=NEVER)] | None = None


class Other(Struct, frozen=True):
    """Somebody one doesn't hear or doesn't meet. The id means them in one's own list, and nothing elsewhere."""

    id: str
    name: str | None


async def mute(visit: Visit, query: AtTable, body: Whom) -> Other:
    table, me, other = await find(visit, query, body)
    await visit.site.storage.mute(me, table, other)
    return await introduce(visit, me, other)


async def list_muted(visit: Visit, query: AtTable, _body: None) -> list[Other]:
    table, me = await listener(visit, query)
    return [await introduce(visit, me, other) for other in await muted_at(visit, table, me)]


async def unmute(visit: Visit, query: AtTable, _body: None) -> Response:
    table, me = await listener(visit, query)
    await visit.site.storage.unmute(me, table, pick(visit, me, await muted_at(visit, table, me), asked_for(visit)))
    return Response(status_code=204)


async def block(visit: Visit, query: AtTable, body: Whom) -> Other:
    # Only who is somebody themselves: a chair's link isn't for deciding whom its person meets.
    me = visit.known().id
    _, _, other = await find(visit, query, body)
    if other == me:
        raise itself()
    await visit.site.storage.block(me, other)
    return await introduce(visit, me, other)


async def list_blocked(visit: Visit, _query: Nothing, _body: None) -> list[Other]:
    me = visit.known().id
    return [await introduce(visit, me, other) for other in sorted(await visit.site.storage.blocked_by(me))]


async def unblock(visit: Visit, _query: Nothing, _body: None) -> Response:
    me = visit.known().id
    await unblock_alias(visit, me, asked_for(visit))
    return Response(status_code=204)


async def unblock_alias(visit: Visit, me: str, alias: str) -> None:
    """Meet somebody of one's own list again."""
    await visit.site.storage.unblock(me, pick(visit, me, await visit.site.storage.blocked_by(me), alias))


async def listener(visit: Visit, query: AtTable) -> tuple[str, str]:
    """The table, and who listens there."""
    room, access = await visit.enter(query.key, query.chair)
    if access.person is None:
        raise UnknownPersonError
    return room.table.name, access.person


async def find(visit: Visit, query: AtTable, whom: Whom) -> tuple[str, str, str]:
    """The table, who listens there, and whom they mean."""
    name, me = await listener(visit, query)
    other: str | None = None
    if whom.chair is not None:
        other = any_chair((await visit.site.house.room(name)).table, whom.chair).person
    elif whom.said is not None:
        other = await visit.site.storage.speaker(name, whom.said)
    if other is None:
        raise MalformedError(mark("There is nobody to be meant by that."))
    if other == me:
        raise itself()
    return name, me, other


def itself() -> MalformedError:
    return MalformedError(mark("That is you yourself."))


async def muted_at(visit: Visit, table: str, me: str) -> list[str]:
    return [other for where, other in await visit.site.storage.muted_by(me) if where == table]


def asked_for(visit: Visit) -> str:
    """Whom the address means."""
    return visit.connection.path_params["other"]


def pick(visit: Visit, me: str, others: list[str] | set[str], alias: str) -> str:
    """Who is called this in one's own list."""
    for other in others:
        if visit.site.links.alias(me, other) == alias:
            return other
    raise NotFoundError


async def introduce(visit: Visit, me: str, other: str) -> Other:
    person = await visit.site.people.find(other)
    return Other(visit.site.links.alias(me, other), person.name if person else None)


ENDPOINTS = (
    Endpoint("POST", f"{AT}/mute", mute, "Hear somebody no more at this table.", Other, Whom, AtTable, 201),
    Endpoint("GET", f"{AT}/muted", list_muted, "Whom you don't hear at this table.", list[Other], query=AtTable),
    Endpoint("DELETE", f"{AT}/muted/{{other}}", unmute, "Hear somebody again.", None, query=AtTable, status=204),
    Endpoint(
        "POST",
        f"{AT}/block",
        block,
        "Meet somebody no more: you don't hear them anywhere, and they don't sit down at tables you look after.",
        Other,
        Whom,
        AtTable,
        201,
    ),
    Endpoint("GET", "/api/me/blocked", list_blocked, "Whom you don't want to meet.", list[Other]),
    Endpoint("DELETE", "/api/me/blocked/{other}", unblock, "Meet somebody again.", None, status=204),
)
