"""Muting somebody at a table, and blocking them everywhere.

People are named by the chair they sit in or by something they said: nobody learns who anybody is. In one's own list
each has an alias that only works there.
"""

from typing import Annotated

from msgspec import Meta, Struct

from nevel.languages import mark
from nevel.tables.domain.command import any_chair
from nevel.tables.domain.refusals import MalformedError
from nevel.tables.domain.table import Table
from nevel.tables.storage.storage import NEVER
from nevel.web.people.links import Access
from nevel.web.server.problems import NotFoundError, UnknownPersonError
from nevel.web.server.site import Site
from nevel.web.services.commands import refuse_by_link


class Whom(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody at a table: by their chair, or by the number of something they said."""

    chair: int | None = None
    said: Annotated[int, Meta(ge=0, le=NEVER)] | None = None


class Other(Struct, frozen=True):
    """Somebody one doesn't hear or doesn't meet. The id means them in one's own list, and nothing elsewhere."""

    id: str
    name: str | None


def listener(access: Access) -> str:
    """The id of the visitor, who wants to mute or block; refused to those who aren't known."""
    if access.person is None:
        raise UnknownPersonError
    if access.viewer.is_by_link:
        refuse_by_link()
    return access.person


async def find_other(site: Site, table: Table, access: Access, whom: Whom) -> str:
    """The id of the person to mute or block, who must be another than the visitor."""
    me = listener(access)
    other: str | None = None
    if whom.chair is not None:
        other = any_chair(table, whom.chair).person
    elif whom.said is not None:
        other = await site.storage.speaker(table.name, whom.said)
    if other is None:
        raise MalformedError(mark("That player can't be found."))
    check_other(me, other)
    return other


async def mute(site: Site, table: Table, access: Access, whom: Whom) -> str:
    """Mute somebody at a table; returns who it is."""
    other = await find_other(site, table, access, whom)
    await site.storage.mute(listener(access), table.name, other)
    return other


async def unmute(site: Site, table: Table, access: Access, whom: Whom) -> None:
    other = await find_other(site, table, access, whom)
    await site.storage.unmute(listener(access), table.name, other)


async def unmute_alias(site: Site, table: str, me: str, alias: str) -> None:
    """Unmute somebody on one's own list."""
    await site.storage.unmute(me, table, pick(site, me, await muted_at(site, table, me), alias))


async def block(site: Site, me: str, table: Table, access: Access, whom: Whom) -> str:
    """Block somebody everywhere; returns who it is."""
    other = await find_other(site, table, access, whom)
    check_other(me, other)
    await site.storage.block(me, other)
    return other


async def unblock(site: Site, me: str, table: Table, access: Access, whom: Whom) -> None:
    await site.storage.unblock(me, await find_other(site, table, access, whom))


async def unblock_alias(site: Site, me: str, alias: str) -> None:
    """Unblock somebody on one's own list."""
    await site.storage.unblock(me, pick(site, me, await site.storage.blocked_by(me), alias))


async def list_muted(site: Site, table: str, me: str) -> list[Other]:
    return [await introduce(site, me, other) for other in await muted_at(site, table, me)]


async def list_blocked(site: Site, me: str) -> list[Other]:
    return [await introduce(site, me, other) for other in sorted(await site.storage.blocked_by(me))]


async def muted_at(site: Site, table: str, me: str) -> list[str]:
    return [other for where, other in await site.storage.muted_by(me) if where == table]


async def introduce(site: Site, me: str, other: str) -> Other:
    """Somebody as they stand in one's own list."""
    person = await site.people.find(other)
    return Other(site.links.alias(me, other), person.name if person else None)


def check_other(me: str, other: str) -> None:
    if other == me:
        raise MalformedError(mark("You can't mute or block yourself."))


def pick(site: Site, me: str, others: list[str] | set[str], alias: str) -> str:
    """Who has this alias in one's own list."""
    for other in others:
        if site.links.alias(me, other) == alias:
            return other
    raise NotFoundError
