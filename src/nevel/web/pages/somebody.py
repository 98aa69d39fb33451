"""The page about another person at a table, to mute or block them."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any
from urllib.parse import urlencode

from msgspec import Meta, Struct

from nevel.tables.domain.table import OPEN
from nevel.tables.storage.storage import NEVER
from nevel.web.pages.page import Go, Shown, page
from nevel.web.pages.table import at_table, query_text
from nevel.web.rendering.notices import Peculiarities
from nevel.web.server.endpoint import Visit
from nevel.web.services import silence
from nevel.web.services.commands import AtTable


class Whose(AtTable, frozen=True):
    """The query of the page: which person it is about, and the key by which the visitor entered the table."""

    seat: Annotated[int, Meta(ge=0, le=4)] | None = None
    said: Annotated[int, Meta(ge=0, le=NEVER)] | None = None


class Meant(Struct, frozen=True):
    """The form field that says whom a button is about."""

    seat: Annotated[int, Meta(ge=0, le=4)] | None = None
    said: Annotated[int, Meta(ge=0, le=NEVER)] | None = None


async def view(visit: Visit, query: Whose, _form: None) -> Shown:
    await visit.somebody()
    site = visit.site
    room, access = await visit.enter(query.key, query.chair)
    around = room.table
    table, me = around.name, silence.listener(access)
    other = await silence.find_other(site, around, access, whom(query))
    chairs = around.chairs_of(other)
    return Shown(
        "somebody.html",
        {
            "name": (await silence.introduce(site, me, other)).name,
            "table": table,
            "notice": Peculiarities.of(around).tell(visit.language),
            "query": query_text(query),
            "seat": query.seat,
            "said": query.said,
            "chair": chairs[0] if chairs else None,
            "is_muted": other in await silence.muted_at(site, table, me),
            "is_blocked": other in await site.storage.blocked_by(me),
            "may_hand_over": access.viewer.is_host and bool(chairs),
            "may_kick": access.viewer.is_host and bool(chairs) and around.phase == OPEN,
        },
    )


def whom(meant: Whose | Meant) -> silence.Whom:
    return silence.Whom(meant.seat, meant.said)


async def mute(visit: Visit, query: AtTable, meant: Meant) -> None:
    room, access = await visit.enter(query.key, query.chair)
    await silence.mute(visit.site, room.table, access, whom(meant))


async def unmute(visit: Visit, query: AtTable, meant: Meant) -> None:
    room, access = await visit.enter(query.key, query.chair)
    await silence.unmute(visit.site, room.table, access, whom(meant))


async def block(visit: Visit, query: AtTable, meant: Meant) -> None:
    me = visit.known().id
    room, access = await visit.enter(query.key, query.chair)
    await silence.block(visit.site, me, room.table, access, whom(meant))


async def unblock(visit: Visit, query: AtTable, meant: Meant) -> None:
    me = visit.known().id
    room, access = await visit.enter(query.key, query.chair)
    await silence.unblock(visit.site, me, room.table, access, whom(meant))


def button(path: str, do: Callable[[Visit, AtTable, Meant], Awaitable[None]]) -> Any:
    """An endpoint for a button about somebody, which shows the page again afterwards."""

    async def handle(visit: Visit, query: AtTable, meant: Meant) -> Go:
        await do(visit, query, meant)
        given = {"seat": meant.seat, "said": meant.said, "key": query.key, "chair": query.chair}
        asked = urlencode({name: value for name, value in given.items() if value is not None})
        return Go(f"/tables/{visit.connection.path_params['table']}/somebody?{asked}")

    return at_table(path, handle, Meant)


PAGES = (
    page("/tables/{table}/somebody", view, Whose),
    *(button(do.__name__, do) for do in (mute, unmute, block, unblock)),
)
