"""The socket of a table: commands in, views out. A newer view takes the place of one that wasn't sent yet."""

import asyncio
import math
from contextlib import suppress
from functools import partial
from typing import Literal

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocket, WebSocketDisconnect

from nevel.languages import DEFAULT, SpokenError, language
from nevel.tables.domain.commands import AnyCommand, Play
from nevel.tables.domain.refusals import StaleError
from nevel.tables.runtime.fair_queue import OwnQueueFullError
from nevel.tables.runtime.room import BusyError
from nevel.tables.storage.database import StorageError
from nevel.tables.views.view import TableView, look
from nevel.web.live.channel import Connection
from nevel.web.live.frames import Line
from nevel.web.live.gallery import NO_TABLE, UNKNOWN_PERSON, Gallery
from nevel.web.server import logs
from nevel.web.server.endpoint import LanguageCode, Visit, read_json
from nevel.web.server.problems import (
    NotUnderstoodError,
    OurFaultError,
    Problem,
    TooOftenError,
    UnknownPersonError,
    describe,
    encode,
)
from nevel.web.services import chat
from nevel.web.services.commands import COSTS, CommandId, OldCommandId, Since, check_link, in_chair

#: How a socket closes, besides 1012 when the server stops: come back.
TOO_OFTEN = 4429
NOT_NOW = 1013


#: A page can't see the pings of the protocol itself, and asks whether its line still lives.
PING, PONG = "ping", b"pong"
#: A page shows step by step what happened, and has shown it all: the bots of its table wait for it.
SHOWING, SHOWN = "showing", "shown"
#: What a frame costs that is no message, such as a ping of the protocol itself, where a command costs 1.
NOISE_COST = 0.2
#: What stands in every message that makes a move.
PLAY = f'"{Play.__struct_config__.tag}"'


class Watching(Since, frozen=True):
    """How somebody watches: views as data, or the part of a page that changes, in a language."""

    frames: Literal["json", "html"] = "json"
    language: LanguageCode = DEFAULT


class Say(Struct, frozen=True, tag_field="command", tag="say", forbid_unknown_fields=True):
    """Say something to the table."""

    text: str


class SocketRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks, with an id of their own for it, by which a repeat is recognised."""

    do: AnyCommand | Say
    command_id: CommandId = ""
    id: OldCommandId = ""


class Acknowledged(Struct, frozen=True, tag_field="type", tag="done"):
    """It was done, and `seq` is the newest row. `id` is the `command_id` under its old name."""

    command_id: str
    seq: int
    id: str


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """It wasn't done, and why; with the newest view if that was missed. The id is empty where none could be read."""

    command_id: str
    problem: Problem
    id: str


async def serve_socket(socket: WebSocket) -> None:
    """Open a socket. From then on its table tells it of changes, and its line of what somebody asks."""
    await socket.accept()
    visit = Visit(socket)
    line = Line.of(socket.scope)
    try:
        await visit.identify()
        visit.site.socket_cap.hold(visit.person.id if visit.person else None, visit.address)
    except SpokenError as problem:
        await close(socket, closing_code(problem))
        return
    try:
        query = msgspec.convert(dict(socket.query_params), Watching, strict=False)
        room, access = await visit.enter(query.key, query.chair)
        if query.since is not None and query.since > room.table.seq:
            await room.catch_up_to(query.since)  # they have seen more, through another node
        code = query.language if query.frames == "html" else None
        if code:
            visit.language = language(code)
        connection = Connection(line, access, visit.login, query.key, code)
        gallery, first = await visit.site.galleries.join(connection, socket.path_params["table"], query.since)
    except (SpokenError, msgspec.ValidationError, UnicodeError) as problem:
        visit.site.socket_cap.release(visit.person.id if visit.person else None, visit.address)
        await close(socket, closing_code(problem))
    except BaseException:
        visit.site.socket_cap.release(visit.person.id if visit.person else None, visit.address)
        raise
    else:
        line.write(first)
        line.hand_over(TableSocket(visit, gallery, connection))


class TableSocket:
    """Somebody at a socket: what they ask is done, one thing after the other, until they go."""

    __slots__ = ("address", "connection", "gallery", "is_busy", "language", "request_id", "site", "waiting")

    def __init__(self, visit: Visit, gallery: Gallery, connection: Connection) -> None:
        self.site = visit.site
        self.address = visit.address
        self.language = visit.language
        self.gallery = gallery
        self.connection = connection
        self.is_busy = False
        #: Of the request that opened it: what goes wrong is logged with it.
        self.request_id = logs.request_id.get()
        #: What they have sent and isn't done yet, but for what is being done.
        self.waiting = list[str | None]()

    @property
    def table(self) -> str:
        return self.gallery.room.table.name

    def on_message(self, text: str | None) -> None:
        """Do what somebody asks: a move at a free table at once, everything else in a task, one after the other."""
        line = self.connection.line
        if self.connection.is_over or line.is_closing:
            return
        if self.is_busy:
            self.waiting.append(text)
            line.stop_reading()
        elif self._is_flooding():
            pass
        elif wait := self._wait_of_address():
            self.is_busy = True
            line.stop_reading()
            line.do(self._do_after(wait, text))
        elif text == PING:
            line.write(PONG)
        elif text in (SHOWING, SHOWN):
            self._take_note(text)
        elif not self._play_now(text):
            self.is_busy = True
            line.do(self._do(text))

    def _play_now(self, text: str | None) -> bool:
        """Make a move without a task; False when that isn't possible and nothing was done.

        What is wrong with it is found out and told by the task then.
        """
        person = self.connection.access.person
        if text is None or PLAY not in text or person is None:
            return False
        try:
            request: SocketRequest = read_json(text, SocketRequest)
            if not isinstance(request.do, Play):
                return False
            command_id = request.command_id or request.id
            access, move = self.connection.access, request.do
            if move.chair is None:  # what `in_chair` does
                move = Play(move.move, move.seq, access.viewer.chair)
            check_link(access, move)
            done = partial(self._on_played, command_id)
            self.is_busy = self.site.commands.run_now(self.table, move, person, command_id, done)
        except SpokenError:
            return False
        return self.is_busy

    def _on_played(self, command_id: str, seq: int, problem: Exception | None) -> None:
        """A move is stored, or can't be."""
        line = self.connection.line
        with logs.about(self.request_id):
            answer = self._refuse(command_id, problem) if problem else Acknowledged(command_id, seq, command_id)
        line.write(encode(answer))
        if self.waiting or not line.has_room:
            line.do(self._do_waiting())
        else:
            self.is_busy = False

    async def _do(self, text: str | None) -> None:
        """Do what somebody asks, and what they have asked meanwhile."""
        await self._answer(text)
        await self._do_waiting()

    async def _do_waiting(self) -> None:
        line = self.connection.line
        while True:
            if not line.has_room:
                await line.writable.wait()
            if not self.waiting or self.connection.is_over or self._is_flooding():
                break
            if wait := self._wait_of_address():
                await asyncio.sleep(wait)
            await self._answer(self.waiting.pop(0))
        self.waiting.clear()
        self.is_busy = False
        line.go_on_reading()

    def _take_note(self, text: str | None) -> None:
        """A player's page begins or ends to show what happened."""
        room = self.gallery.room
        if text == SHOWN:
            room.audience.end(self.connection)
        elif self.connection.access.viewer.chair is not None:
            room.audience.begin(self.connection, room.table.seq)

    async def _answer(self, text: str | None) -> None:
        """Do what somebody asks, and tell them."""
        if text in (SHOWING, SHOWN):
            self._take_note(text)
        else:
            self.connection.line.write(PONG if text == PING else encode(await self.respond(text)))

    async def _do_after(self, wait: float, text: str | None) -> None:
        await asyncio.sleep(wait)
        await self._do(text)

    def _is_flooding(self, cost: float = 1.0) -> bool:
        """Whether they ask too often; who does is shown out."""
        person = self.connection.person
        is_flooding = person is not None and not self.site.limits.person.try_acquire(person, cost)
        if is_flooding:
            self.connection.line.close(TOO_OFTEN)
        return is_flooding

    def _wait_of_address(self) -> float:
        """Seconds until it is their address's turn: many may share one, and none is shown out for the others.

        No socket has more than one thing that waits, so that it isn't for long.
        """
        return self.site.limits.address.reserve(self.address, longest=math.inf)

    def on_noise(self) -> None:
        """Nothing is done after it that could wait: who is nobody, or one of too many, is shown out."""
        try:
            self.site.limits.address.reserve(self.address, NOISE_COST)
        except TooOftenError:
            self.connection.line.close(TOO_OFTEN)
        else:
            self._is_flooding(NOISE_COST)

    def on_writable(self) -> None:
        if self.connection.is_behind:
            self.gallery.catch_up(self.connection)

    def on_close(self) -> None:
        self.site.socket_cap.release(self.connection.person, self.address)
        self.gallery.room.audience.leave(self.connection)
        self.site.galleries.leave(self.connection, self.gallery)

    async def respond(self, text: str | None) -> Acknowledged | Refused:
        """Do what a frame asks; nothing a frame can hold does more than be refused."""
        logs.request_id.set(self.request_id)  # a line's tasks begin in nobody's name
        command_id = ""
        try:
            if text is None:
                raise NotUnderstoodError("binary")
            request: SocketRequest = read_json(text, SocketRequest)
            command_id = request.command_id or request.id
            return Acknowledged(command_id, await self.do(request.do, command_id), command_id)
        except StaleError as problem:
            return Refused(command_id, describe(problem, self.language, await self.look_again()), command_id)
        except Exception as problem:
            return self._refuse(command_id, problem)

    def _refuse(self, command_id: str, problem: Exception) -> Refused:
        if isinstance(problem, OwnQueueFullError):
            self.site.metrics.count_refusal("queue")
        if not isinstance(problem, SpokenError):
            logs.log.error("a mistake of ours", exc_info=problem)
            problem = OurFaultError()
        return Refused(command_id, describe(problem, self.language), command_id)

    async def do(self, command: AnyCommand | Say, command_id: str) -> int:
        access, site = self.connection.access, self.site
        if isinstance(command, Say):
            await chat.say(site, self.table, access, command.text, command_id)
            return (await site.house.room(self.table)).table.seq
        check_link(access, command)
        if access.person is None:
            raise UnknownPersonError
        if cost := COSTS.get(type(command)):
            site.limits.spend(self.connection.person, self.address, cost)
        meant = in_chair(command, access.viewer.chair)
        return await site.commands.run(self.table, meant, access.person, command_id)

    async def look_again(self) -> TableView | None:
        """What somebody hadn't seen; it will come by itself if the database is away at the moment."""
        with suppress(StorageError):
            room = await self.site.house.room(self.table)
            return look(room.table, self.connection.access.viewer, self.site.galleries.people_status(room.table))


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
