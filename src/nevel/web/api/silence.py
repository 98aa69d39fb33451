"""Muting and blocking over HTTP."""

from starlette.responses import Response

from nevel.web.api.commands import AT
from nevel.web.server.endpoint import Endpoint, Nothing, Visit
from nevel.web.services import silence
from nevel.web.services.commands import AtTable
from nevel.web.services.silence import Other, Whom


async def mute(visit: Visit, query: AtTable, body: Whom) -> Other:
    room, access = await visit.enter(query.key, query.chair)
    other = await silence.mute(visit.site, room.table, access, body)
    return await silence.introduce(visit.site, silence.listener(access), other)


async def list_muted(visit: Visit, query: AtTable, _body: None) -> list[Other]:
    room, access = await visit.enter(query.key, query.chair)
    return await silence.list_muted(visit.site, room.table.name, silence.listener(access))


async def unmute(visit: Visit, query: AtTable, _body: None) -> Response:
    room, access = await visit.enter(query.key, query.chair)
    await silence.unmute_alias(visit.site, room.table.name, silence.listener(access), alias_of(visit))
    return Response(status_code=204)


async def block(visit: Visit, query: AtTable, body: Whom) -> Other:
    me = visit.known().id
    room, access = await visit.enter(query.key, query.chair)
    return await silence.introduce(visit.site, me, await silence.block(visit.site, me, room.table, access, body))


async def list_blocked(visit: Visit, _query: Nothing, _body: None) -> list[Other]:
    return await silence.list_blocked(visit.site, visit.known().id)


async def unblock(visit: Visit, _query: Nothing, _body: None) -> Response:
    await silence.unblock_alias(visit.site, visit.known().id, alias_of(visit))
    return Response(status_code=204)


def alias_of(visit: Visit) -> str:
    """The alias in the address: whom to unmute or unblock."""
    return visit.connection.path_params["other"]


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
