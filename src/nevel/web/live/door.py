"""Requests as uvicorn reads them, with an end for those who send or read too slowly, or nothing at all."""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from nevel.web.live.connection_cap import ConnectionCap
from nevel.web.live.early_answer import early_answer
from nevel.web.live.frames import Line

#: Seconds within which a connection has to have sent the head of a request, and then all of it.
HEAD_WITHIN = 10.0
BODY_WITHIN = 30.0
#: Seconds within which whoever is sent much has to have read some of it.
DRAIN_WITHIN = 30.0

#: Bytes of the head of a request, and of all of it; what may be less is said where it is read.
LONGEST_HEAD = 64 << 10
LONGEST_REQUEST = 48 << 20
#: Seconds for which somebody may read why their connection ends.
FAREWELL = 1.0


class HeadTooLongError(Exception):
    """The head of a request has too many bytes."""


class Door(HttpToolsProtocol):
    """uvicorn's own protocol for requests, with deadlines, and an end to what is read of one.

    One that becomes a socket is done with: its parser, which refers back to it, would keep it until the next garbage
    collection, and there may be thousands.
    """

    #: Ends the connection unless what is expected comes.
    _deadline: asyncio.TimerHandle | None = None
    #: Ends it unless what is sent is read.
    _drain_timer: asyncio.TimerHandle | None = None
    #: Whether a request has begun and isn't there yet, and whether its head isn't.
    _is_under_way = False
    _is_in_head = False
    #: Bytes of its head, of lines that are read to their end; and of all segments it goes on in.
    _head = 0
    _received = 0
    #: Whether it ends: nothing more that comes is read.
    _is_ending = False
    #: From which address it is counted, if it is.
    _counted_as: str | None = None

    def __init__(self, *given: Any, cap: ConnectionCap, **named: Any) -> None:
        super().__init__(*given, **named)
        self._cap = cap

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if status := self._cap.hold(address):
            self._end_with(status)
        else:
            self._counted_as = address
            self._expect_within(HEAD_WITHIN)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_drain_timer()
        super().connection_lost(exc)
        if self._counted_as is not None:
            self._cap.release(self._counted_as)

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade()
        del self.parser
        line = self.transport.get_protocol()
        if isinstance(line, Line) and self._counted_as is not None:
            line.on_lost, self._counted_as = partial(self._cap.release, self._counted_as), None

    def data_received(self, data: bytes) -> None:
        if self._is_ending:
            return
        goes_on = self._is_under_way
        super().data_received(data)
        if goes_on and self._is_under_way:
            self._received += len(data)
            if self._is_in_head and self._received > LONGEST_HEAD:
                self._end_with(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            elif self._received > LONGEST_REQUEST:
                self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        is_too_long = self._head > LONGEST_HEAD
        self._end_with(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE if is_too_long else HTTPStatus.BAD_REQUEST)

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def _count(self, length: int) -> None:
        """More of the head, or what may come after the body and is no less."""
        self._head += length
        if self._head > LONGEST_HEAD:
            raise HeadTooLongError

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_under_way = self._is_in_head = True
        self._head = self._received = 0
        if self._deadline is None:
            self._expect_within(HEAD_WITHIN)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._expect_within(BODY_WITHIN)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._is_under_way = False
        self._stop_waiting()
        super().on_message_complete()

    def _expect_within(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        """What was expected didn't come."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        is_answered = cycle is not None and cycle.response_started and not cycle.response_complete
        if not is_answered and not self.transport.is_closing():
            self._end_with(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.abort()

    def _end_with(self, status: HTTPStatus) -> None:
        """Say what was wrong with a request, and hear no more.

        What still comes is thrown away for a moment: a connection that is closed before all is read may be reset, and
        the answer lost with it.
        """
        self._is_ending = True
        self._stop_waiting()
        if (cycle := cast("RequestResponseCycle | None", self.cycle)) is not None:
            cycle.disconnected = True  # whatever is still answered to a request before goes nowhere
            cycle.message_event.set()
        self.transport.write(early_answer(status))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(FAREWELL, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._drain_timer = self.loop.call_later(DRAIN_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_drain_timer()

    def _stop_drain_timer(self) -> None:
        if self._drain_timer:
            self._drain_timer.cancel()
            self._drain_timer = None

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # closing waits until everything is sent, which may be never
