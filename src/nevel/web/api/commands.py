"""The commands of a table over HTTP: each at the address of its name, with the same fields as over the socket."""

from typing import Any

from msgspec import Struct

from nevel.tables.domain.command import Command
from nevel.tables.runtime.room import Room
from nevel.tables.views.view import TableView
from nevel.web.server.endpoint import Endpoint, Visit
from nevel.web.services.command_names import OLD_NAMES, SUMMARIES, body_of, name_of, read_command
from nevel.web.services.commands import AtTable, give_command

AT = "/api/tables/{table}"


class Done(Struct, frozen=True):
    """Something was done: the newest row, and what there is to see now."""

    seq: int
    view: TableView


def endpoint(path: str, kind: type[Command], is_deprecated: bool = False) -> Endpoint:
    async def handle(visit: Visit, query: AtTable, body: Any) -> Done:
        room, access = await visit.enter(query.key, query.chair)
        seq = await give_command(visit, room, access, *read_command(kind, body))
        return Done(seq, see(visit, room, query.key, access.viewer.chair))

    return Endpoint(
        "POST", f"{AT}/{path}", handle, SUMMARIES[kind], Done, body_of(kind), AtTable, is_deprecated=is_deprecated
    )


def see(visit: Visit, room: Room, key: str | None = None, chair: int | None = None) -> TableView:
    """What a visitor sees of a table now."""
    return visit.site.look(room, visit.person.id if visit.person else None, key, chair)


ENDPOINTS = (
    *(endpoint(name_of(kind), kind) for kind in SUMMARIES),
    *(endpoint(path, kind, is_deprecated=True) for path, kind in OLD_NAMES.items()),
)
