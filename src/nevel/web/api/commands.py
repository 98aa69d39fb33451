"""Every command of a table as something that can be asked over HTTP, with the same fields as over the socket."""

from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from nevel.languages import mark
from nevel.tables.domain import commands
from nevel.tables.domain.command import Command
from nevel.tables.domain.refusals import NotAllowedError
from nevel.tables.views.view import TableView
from nevel.web.people.links import Access
from nevel.web.server.endpoint import Endpoint, Visit
from nevel.web.server.problems import UnknownPersonError


class AtTable(Struct, frozen=True):
    """How one comes to a table: by a link, and in which of one's chairs, if there are several."""

    key: Annotated[str, Meta(max_length=64)] | None = None
    chair: int | None = None


class Done(Struct, frozen=True):
    """Something was done: the newest row, and what there is to see now."""

    seq: int
    view: TableView


async def do(visit: Visit, query: AtTable, command: Command, click: str) -> Done:
    """Do what somebody asks of the table of this address."""
    room, access = await visit.enter(query.key, query.chair)
    person = access.person
    check_link(access, command)
    if isinstance(command, commands.Sit):
        person = person or (await visit.somebody()).id
    if person is None:
        raise UnknownPersonError
    chair = access.viewer.chair
    seq = await visit.site.asking.do(room.table.name, in_chair(command, chair), person, click)
    return Done(seq, visit.site.look(room, person, query.key, chair))


def check_link(access: Access, command: Command | None = None) -> None:
    """That somebody's link is one for this; without a command, for talk."""
    if access.viewer.role == "screen":
        raise NotAllowedError(mark("At a shared screen nobody plays; open your own link."))
    if isinstance(command, commands.Sit) and access.viewer.chair is None and not access.viewer.may_sit:
        raise NotAllowedError(mark("To sit here you need an invitation."))


#: Commands about one's own chair, which needn't be named.
OWN = commands.Leave | commands.Play | commands.Undo | commands.AnswerUndo | commands.Reclaim


def in_chair(command: Command, chair: int | None) -> Command:
    """A command about one's own chair: the one one came to, unless another is named."""
    if isinstance(command, OWN) and command.chair is None:
        return msgspec.structs.replace(command, chair=chair)
    return command


#: Where each command is asked for, and what it does.
COMMANDS: dict[str, tuple[type[Command], str]] = {
    "sit": (commands.Sit, "Take a chair."),
    "leave": (commands.Leave, "Leave your chair: empty before the game, to a bot during it."),
    "kick": (commands.Kick, "Host: empty a chair before the game."),
    "bots": (commands.SeatBot, "Host: put a bot into a free chair, or bots into all of them."),
    "host": (commands.MakeHost, "Host: hand the table over to another person."),
    "terms": (commands.SetTerms, "Host: play otherwise than was said at first: variants, pace, stand-ins."),
    "start": (commands.Start, "Host: deal."),
    "close": (commands.Close, "Host: put the table away before the game."),
    "move": (commands.Play, "Make a move. `seq` is the newest row you have seen, `id` a name for this very click."),
    "hint": (commands.Play, "Say something the rules allow; one of the view's hints."),
    "undo": (commands.Undo, "Take back your last move, or ask to."),
    "undo/answer": (commands.AnswerUndo, "Agree that somebody takes back a move, or don't."),
    "stand-in": (commands.LetBotPlay, "Let a bot play for somebody who seems to have gone."),
    "reclaim": (commands.Reclaim, "Take your chair back from the bot."),
}


def endpoint(path: str, kind: type[Command], summary: str) -> Endpoint:
    body = body_of(kind)

    async def handle(visit: Visit, query: AtTable, asked: Any) -> Done:
        fields = msgspec.structs.asdict(asked)
        click = fields.pop("id")
        return await do(visit, query, kind(**fields), click)

    return Endpoint("POST", f"/api/tables/{{table}}/{path}", handle, summary, Done, body, AtTable)


@cache
def body_of(kind: type[Command]) -> type[Struct]:
    """A command's fields and an id: over HTTP the address says already which command it is."""
    fields: list[Any] = [
        (field.name, field.type) if field.required else (field.name, field.type, field.default)
        for field in msgspec.structs.fields(kind)
        if field.name != "id"
    ]
    id_field = ("id", Annotated[str, Meta(max_length=64)], "")
    return msgspec.defstruct(f"{kind.__name__}Body", [*fields, id_field], frozen=True, forbid_unknown_fields=True)


ENDPOINTS = tuple(endpoint(path, kind, summary) for path, (kind, summary) in COMMANDS.items())
