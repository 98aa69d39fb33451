"""The socket of a table: commands in, views out. A newer view takes the place of one that wasn't sent yet."""

from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from nevel.languages import SpokenError, language
from nevel.tables.domain.commands import AnyCommand
from nevel.tables.domain.refusals import StaleError
from nevel.tables.runtime.room import BusyError
from nevel.tables.storage.database import StorageError
from nevel.tables.views.view import TableView, look
from nevel.web.api.commands import check_link, in_chair
from nevel.web.api.tables import Since
from nevel.web.live.channel import Connection
from nevel.web.live.frames import Line
from nevel.web.live.gallery import NO_TABLE, Gallery
from nevel.web.server import logs
from nevel.web.server.endpoint import Visit, read_json
from nevel.web.server.problems import (
    NotUnderstoodError,
    OurFaultError,
    Problem,
    TooOftenError,
    UnknownPersonError,
    describe,
    encode,
)

#: How a socket closes, besides 1012 when the server stops: come back.
UNKNOWN_PERSON = 4401
TOO_OFTEN = 4429
NOT_NOW = 1013


#: A page can't see the pings of the protocol itself, and asks whether its line still lives.
PING, PONG = "ping", b"pong"


class Watching(Since, frozen=True):
    """How somebody watches: views as data, or the part of a page that changes, in a language."""

    frames: Literal["json", "html"] = "json"
    language: Literal["en", "fr", "nl"] = "en"


class Say(Struct, frozen=True, tag_field="command", tag="say", forbid_unknown_fields=True):
    """Say something to the table."""

    text: str


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks, with a name of their own for it, by which a repeat is recognised."""

    do: AnyCommand | Say
    id: Annotated[str, Meta(max_length=64)] = ""


class Acknowledged(Struct, frozen=True, tag_field="type", tag="done"):
    """It was done, and `seq` is the newest row."""

    id: str
    seq: int


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """It wasn't done, and why; with the newest view if that was missed. The id is empty where none could be read."""

    id: str
    problem: Problem


async def serve_socket(socket: WebSocket) -> None:
    """Open a socket. From then on its table tells it of changes, and its line of what somebody asks."""
    await socket.accept()
    visit = Visit(socket)
    line = Line.of(socket.scope)
    try:
        await visit.identify()
        query = msgspec.convert(dict(socket.query_params), Watching, strict=False)
        room, access = await visit.enter(query.key, query.chair)
        if query.since is not None and query.since > room.table.seq:
            await room.catch_up_to(query.since)  # they have seen more, through another node
        language_code = query.language if query.frames == "html" else None
        if language_code:
            visit.language = language(language_code)
        connection = Connection(line, access, visit.person.id if visit.person else None, query.key, language_code)
        gallery, first = await visit.site.galleries.join(connection, socket.path_params["table"], query.since)
    except (SpokenError, msgspec.ValidationError, UnicodeError) as problem:
        await close(socket, closing_code(problem))
    else:
        line.write(first)
        line.hand_over(Watcher(visit, gallery, connection))


class Watcher:
    """Somebody at a socket: what they ask is done, one thing after the other, until they go."""

    __slots__ = ("address", "connection", "gallery", "is_busy", "language", "site", "waiting")

    def __init__(self, visit: Visit, gallery: Gallery, connection: Connection) -> None:
        self.site = visit.site
        self.address = visit.address
        self.language = visit.language
        self.gallery = gallery
        self.connection = connection
        self.is_busy = False
        #: What they have sent and isn't done yet, but for what is being done.
        self.waiting = list[str | None]()

    @property
    def table(self) -> str:
        return self.gallery.room.table.name

    def hear(self, text: str | None) -> None:
        line = self.connection.line
        if self.is_busy:
            self.waiting.append(text)
            line.stop_reading()
        elif text == PING:
            if self._pass_limit():
                line.write(PONG)
        else:
            self.is_busy = True
            self.waiting.append(text)
            line.do(self._do())

    async def _do(self) -> None:
        """Do what somebody asks, and what they have asked meanwhile."""
        line = self.connection.line
        while self.waiting and self._pass_limit():
            text = self.waiting.pop(0)
            line.write(PONG if text == PING else encode(await self.respond(text)))
            if not line.has_room:
                await line.writable.wait()
        self.waiting.clear()
        self.is_busy = False
        line.go_on_reading()

    def _pass_limit(self) -> bool:
        """Whether they don't ask too often; who does is shown out."""
        limit, name = self.site.address_limit, self.address
        if person := self.connection.access.person:
            limit, name = self.site.person_limit, person
        is_met = limit.is_met(name)
        if not is_met:
            self.connection.line.close(TOO_OFTEN)
        return is_met

    def find_room(self) -> None:
        if self.connection.is_behind:
            self.gallery.catch_up(self.connection)

    def lose(self) -> None:
        self.site.galleries.leave(self.connection, self.gallery)

    async def respond(self, text: str | None) -> Acknowledged | Refused:
        """Do what a frame asks; nothing a frame can hold does more than be refused."""
        click = ""
        try:
            if text is None:
                raise NotUnderstoodError("binary")
            frame: Frame = read_json(text, Frame)
            click = frame.id
            return Acknowledged(click, await self.do(frame))
        except StaleError as problem:
            return Refused(click, describe(problem, self.language, await self.look_again()))
        except SpokenError as problem:
            return Refused(click, describe(problem, self.language))
        except Exception:
            logs.log.exception("a mistake of ours")
            return Refused(click, describe(OurFaultError(), self.language))

    async def do(self, frame: Frame) -> int:
        access, site = self.connection.access, self.site
        check_link(access, None if isinstance(frame.do, Say) else frame.do)
        if access.person is None:
            raise UnknownPersonError
        if isinstance(frame.do, Say):
            await site.asking.say(self.table, access.person, frame.do.text, frame.id)
            return (await site.house.room(self.table)).table.seq
        command = in_chair(frame.do, access.viewer.chair)
        return await site.asking.do(self.table, command, access.person, frame.id, is_patient=True)

    async def look_again(self) -> TableView | None:
        """What somebody hadn't seen; it will come by itself if the database is away at the moment."""
        with suppress(StorageError):
            room = await self.site.house.room(self.table)
            return look(room.table, self.connection.access.viewer, self.site.galleries.onlookers(room.table))


def closing_code(problem: Exception) -> int:
    """How a socket closes that can't be opened."""
    match problem:
        case TooOftenError():
            return TOO_OFTEN
        case UnknownPersonError():
            return UNKNOWN_PERSON
        case StorageError() | BusyError():
            return NOT_NOW
        case _:
            return NO_TABLE


async def close(socket: WebSocket, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)
