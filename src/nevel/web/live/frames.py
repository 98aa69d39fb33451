"""uvicorn's WebSocket protocol with a fast path for sending and receiving whole text messages."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, cast
from weakref import WeakKeyDictionary

from starlette.types import ASGIApp, Scope
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State
from websockets.utils import apply_mask

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
    from websockets.frames import Frame
    from websockets.http11 import Request

#: Where an application finds the line of its socket.
LINE = "nevel.line"
#: The first byte of a frame that is a whole text.
TEXT = 0x81
#: The first bytes of frames that are no part of what somebody says: close, ping, pong.
CONTROL = (0x88, 0x89, 0x8A)
#: What the second byte of a client's frame has besides the length; four bytes follow by which the rest is masked.
MASKED = 0x80
MASK = slice(2, 6)
#: Lengths below these stand in the second byte, or in two more after 126, or in eight after 127.
SHORT = 126
MIDDLING = 1 << 16
#: Bytes read at a time: whoever is to be read no more isn't, even if more has come with it.
AT_ONCE = 4096
#: With so many lines that have something to send, the first don't wait any longer.
MOST_LINES = 128
#: Seconds within which whoever is sent much has to have read some of it.
DRAIN_WITHIN = 30.0
#: Seconds after which a line that is closed is gone, whether or not the other side takes part.
CLOSE_WITHIN = 15.0


def text_header(length: int) -> bytes:
    """What goes before a text of so many bytes over the line, from a server without extensions."""
    if length < SHORT:
        return b"%c%c" % (TEXT, length)
    if length < MIDDLING:
        return b"%c\x7e%b" % (TEXT, length.to_bytes(2, "big"))
    return b"%c\x7f%b" % (TEXT, length.to_bytes(8, "big"))


def unmask(frame: bytes) -> str | None:
    """The text of a client's short frame, if it is one."""
    try:
        return apply_mask(frame[MASK.stop :], frame[MASK]).decode()
    except UnicodeDecodeError:
        return None


class DiscardingQueue(asyncio.Queue["ASGIReceiveEvent"]):
    """Drops messages after a listener has taken over the socket; one for all sockets."""

    def put_nowait(self, item: "ASGIReceiveEvent") -> None:
        pass


DISCARDED = DiscardingQueue()


class Listener(Protocol):
    """The interface of what takes a connection over and receives its messages."""

    def on_message(self, text: str | None) -> None:
        """A whole text has come, or something else, which is None."""

    def on_writable(self) -> None:
        """What was sent is on its way, and there is room for more."""

    def on_noise(self) -> None:
        """A frame has come that is no message: a ping, which is answered already, a pong, or a part of a message."""

    def on_close(self) -> None:
        """The line is gone."""


class Outbox:
    """The lines of a loop that have something to send. One after the other they send sooner than one by one between
    other work, and what is written to one of them within a turn of the loop goes out together.
    """

    def __init__(self) -> None:
        self._lines: list[Line] = []

    def add(self, line: "Line") -> None:
        if not self._lines:
            line.loop.call_soon(self.send)
        self._lines.append(line)
        if len(self._lines) >= MOST_LINES:
            self.send()

    def send(self) -> None:
        lines, self._lines = self._lines, []
        for line in lines:
            line.send_held()


#: One for every loop.
OUTBOXES: WeakKeyDictionary[asyncio.AbstractEventLoop, Outbox] = WeakKeyDictionary()


class Line(WebSocketsSansIOProtocol):
    """uvicorn's own protocol. An application may take the line over: then it is told of texts as they come and writes
    without waiting, and with thousands of sockets no task has to be kept for each.
    """

    listener: Listener | None = None
    #: Whether what was sent is on its way.
    has_room = True
    #: Whether what has come so far were whole frames: then the next begins one.
    is_between_frames = False
    #: Whether reading goes on when there is room again.
    _waits_for_room = False
    _drain_timer: asyncio.TimerHandle | None = None
    #: What is written and not sent yet.
    _held: list[bytes] | None = None
    #: What has come and isn't read, as reading was stopped.
    _unread = b""
    #: Called once the connection is gone.
    on_lost: Callable[[], None] | None = None
    #: Whether it was said that it ends, or is about to be: nothing more that comes is done.
    is_closing = False

    def handle_connect(self, event: "Request") -> None:
        super().handle_connect(event)
        self.outbox = OUTBOXES.setdefault(self.loop, Outbox())
        if not self.close_sent:
            cast("Scope", self.scope)["extensions"][LINE] = self

    async def run_asgi(self) -> None:
        try:
            await cast("ASGIApp", self.app)(cast("Scope", self.scope), self.receive, self.send)  # pyright: ignore[reportUnknownMemberType, reportArgumentType]
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
            listener, self.listener = self.listener, None
            if listener:
                listener.on_close()
        if self.listener:
            # What was said to open the socket isn't needed any more, and there may be thousands;
            # left alone, the parser would keep it.
            self.request.headers.clear()
            self.response.headers.clear()
            del self.request, self.response, self.scope
        elif self.close_timer is None:
            self.transport.close()

    # ------------------------------------------------------------ handed over

    @classmethod
    def of(cls, scope: Scope) -> "Line":
        """The line of a socket that was accepted."""
        return scope["extensions"][LINE]

    def hand_over(self, listener: Listener) -> None:
        """From now on, this one is told of what comes; first of what has come already."""
        self.listener = listener
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message["type"] == "websocket.receive":
                listener.on_message(message.get("text"))
        self.queue = DISCARDED
        self.go_on_reading()
        if self.disconnected:
            listener.on_close()

    def data_received(self, data: bytes) -> None:
        if self.listener is None:
            # Nothing but how the line is opened; whoever is in such a hurry is heard the long way for ever.
            self.is_between_frames = not self.handshake_initiated and data.endswith(b"\r\n\r\n")
        elif self.is_between_frames:
            length = len(data) - MASK.stop
            is_whole = 0 <= length < SHORT and data[1] == MASKED | length
            if is_whole and data[0] == TEXT and not self.close_sent and (text := unmask(data)) is not None:
                self.listener.on_message(text)
                return
            self.is_between_frames = is_whole and data[0] in CONTROL
        self._read(data)

    def _read(self, data: bytes) -> None:
        """Read what has come, as long as it shall be read; of one that ends, no more than a farewell takes."""
        for first in range(0, len(data), AT_ONCE):
            if self.transport.is_closing() or (self.is_closing and first):
                return
            if self.read_paused:
                self.is_between_frames = False
                self._unread += data[first:]
                return
            super().data_received(data[first : first + AT_ONCE])

    def send_receive_event_to_app(self) -> None:
        content, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            text = content.decode() if self.curr_msg_data_type == "text" else None
        except UnicodeDecodeError:
            if self.conn.state is State.OPEN:  # or else a farewell has come with it, and is heard next
                self.conn.send_close(1007)
                self.handle_parser_exception()
        else:
            if self.listener is None:
                self.frames = [content]
                super().send_receive_event_to_app()
            else:
                self.listener.on_message(text)

    def stop_reading(self) -> None:
        """Whoever sends more has to wait."""
        self._waits_for_room = False
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def go_on_reading(self) -> None:
        """Hear what somebody sends, once there is room for the answers."""
        if not self.has_room:
            self._waits_for_room = True
        elif self.read_paused:
            self.read_paused = False
            unread, self._unread = self._unread, b""
            self._read(unread)
            if not self.read_paused and not self.transport.is_closing():
                self.transport.resume_reading()

    def pause_writing(self) -> None:
        """Too much isn't on its way yet: whoever doesn't read isn't read either, and is gone if that goes on."""
        super().pause_writing()
        self.has_room = False
        if not self.read_paused:
            self.stop_reading()
            self._waits_for_room = True
        self._drain_timer = self.loop.call_later(DRAIN_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.has_room = True
        self._stop_drain_timer()
        if self._waits_for_room:
            self._waits_for_room = False
            self.go_on_reading()
        if self.listener:
            self.listener.on_writable()

    def _stop_drain_timer(self) -> None:
        if self._drain_timer:
            self._drain_timer.cancel()
            self._drain_timer = None

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.listener:
            self.listener.on_noise()

    def handle_pong(self, event: "Frame") -> None:
        super().handle_pong(event)
        if self.listener:
            self.listener.on_noise()

    def handle_cont(self, event: "Frame") -> None:
        if self.listener:
            self.listener.on_noise()
        super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # closing waits until everything is sent, which may be never

    def shutdown(self) -> None:
        self.send_held()
        super().shutdown()
        self.loop.call_later(CLOSE_WITHIN, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_drain_timer()
        super().connection_lost(exc)
        if self.on_lost:
            self.on_lost()
        if self.listener:
            self.listener.on_close()
            self.listener = None

    def write(self, content: bytes) -> None:
        """Send a text in the loop's next turn; to one who isn't there any more, nothing."""
        if self._held:
            self._held += (text_header(len(content)), content)
        else:
            self._held = [text_header(len(content)), content]
            self.outbox.add(self)

    def send_held(self) -> None:
        """Send what was written."""
        held, self._held = self._held, None
        if held and self.conn.state is State.OPEN and not self.close_sent and not self.disconnected:
            self.transport.write(b"".join(held))

    def close(self, code: int) -> None:
        """Say why, and end it."""
        if self.is_closing:
            return
        self.is_closing, self._unread = True, b""
        self.do(quietly(self.send({"type": "websocket.close", "code": code, "reason": ""})))
        self.loop.call_later(CLOSE_WITHIN, self.transport.abort)

    def do(self, work: Coroutine[None, None, None]) -> None:
        """Something that takes its time; a server that stops waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # ------------------------------------------------------------ as an application sends

    async def send(self, message: "ASGISendEvent") -> None:
        if self.close_sent and message["type"] == "websocket.close":
            return
        self.send_held()
        await super().send(message)


async def quietly(work: Coroutine[None, None, None]) -> None:
    with suppress(ClientDisconnected):
        await work
