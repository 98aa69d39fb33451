"""The socket of a table: commands in, views out. A newer view takes the place of one that wasn't sent yet."""

import asyncio
from contextlib import suppress
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from nevel.languages import SpokenError, language
from nevel.tables.commands import AnyCommand
from nevel.tables.database import StorageError
from nevel.tables.refusals import StaleError
from nevel.tables.room import BusyError
from nevel.tables.view import TableView, look
from nevel.web import logs
from nevel.web.api import Since
from nevel.web.channel import Connection
from nevel.web.commands import check_link, in_chair
from nevel.web.endpoint import Visit, read_json
from nevel.web.gallery import Gallery
from nevel.web.problems import (
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
NO_TABLE = 4404
TOO_OFTEN = 4429
NOT_NOW = 1013


#: A page can't see the pings of the protocol itself, and asks whether its line still lives.
PING, PONG = "ping", "pong"


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
    """One socket, from its opening to its end."""
    await socket.accept()
    visit = Visit(socket)
    try:
        await visit.identify()
        query = msgspec.convert(dict(socket.query_params), Watching, strict=False)
        room, access = await visit.enter(query.key, query.chair)
        if query.since is not None and query.since > room.table.seq:
            await room.hear(query.since)  # they have seen more, through another node
        speech = query.language if query.frames == "html" else None
        if speech:
            visit.speech = language(speech)
        connection = Connection(access, visit.person.id if visit.person else None, query.key, speech)
        gallery, first = await visit.site.galleries.join(connection, socket.path_params["table"], query.since)
    except (SpokenError, msgspec.ValidationError, UnicodeError) as problem:
        await close(socket, closing_code(problem))
    else:
        writing = asyncio.create_task(write(socket, gallery, connection, first))
        del first  # or it would be kept as long as the socket
        try:
            await read(socket, visit, connection)
        finally:
            visit.site.galleries.leave(connection, gallery)
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)


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


async def write(socket: WebSocket, gallery: Gallery, connection: Connection, frame: str) -> None:
    """Send the first frame, then whatever is new whenever the one before is on its way."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_text(frame)
            frame = ""  # with thousands of sockets that wait it would be most of the memory
            await connection.news.wait()
            connection.news.clear()
            if connection.is_over:
                await close(socket, NO_TABLE)
                return
            frame = gallery.next_frame(connection)


async def read(socket: WebSocket, visit: Visit, connection: Connection) -> None:
    """Do what somebody asks, one thing after the other, until they go."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while (message := await socket.receive())["type"] == "websocket.receive":
            limit, name = visit.site.address_limit, visit.address
            if connection.access.person:
                limit, name = visit.site.person_limit, connection.access.person
            if not limit.is_met(name):
                await close(socket, TOO_OFTEN)
                return
            if message.get("text") == PING:
                await socket.send_text(PONG)
                continue
            answer = await respond(message.get("text"), visit, connection)
            await socket.send_text(encode(answer).decode())


async def respond(text: str | None, visit: Visit, connection: Connection) -> Acknowledged | Refused:
    """Do what a frame asks; nothing a frame can hold does more than be refused."""
    click = ""
    try:
        if text is None:
            raise NotUnderstoodError("binary")
        frame: Frame = read_json(text, Frame)
        click = frame.id
        return Acknowledged(click, await do(frame, visit, connection))
    except StaleError as problem:
        return Refused(click, describe(problem, visit.speech, await look_again(visit, connection)))
    except SpokenError as problem:
        return Refused(click, describe(problem, visit.speech))
    except Exception:
        logs.log.exception("a mistake of ours")
        return Refused(click, describe(OurFaultError(), visit.speech))


async def do(frame: Frame, visit: Visit, connection: Connection) -> int:
    access, site = connection.access, visit.site
    table = visit.connection.path_params["table"]
    check_link(access, None if isinstance(frame.do, Say) else frame.do)
    if access.person is None:
        raise UnknownPersonError
    if isinstance(frame.do, Say):
        await site.asking.say(table, access.person, frame.do.text, frame.id)
        return (await site.house.room(table)).table.seq
    return await site.asking.do(table, in_chair(frame.do, access.viewer.chair), access.person, frame.id)


async def look_again(visit: Visit, connection: Connection) -> TableView | None:
    """What somebody hadn't seen; it will come by itself if the database is away at the moment."""
    with suppress(StorageError):
        room = await visit.site.house.room(visit.connection.path_params["table"])
        return look(room.table, connection.access.viewer, visit.site.galleries.onlookers(room.table))


async def close(socket: WebSocket, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)
