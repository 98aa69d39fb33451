"""Requests as uvicorn reads them, with an end for those who send or read too slowly, or nothing at all."""

import asyncio
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

#: Seconds within which a connection has to have sent the head of a request, and then all of it.
HEAD_WITHIN = 10.0
BODY_WITHIN = 30.0
#: Seconds within which whoever is sent much has to have read some of it.
DRAIN_WITHIN = 30.0

TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Door(HttpToolsProtocol):
    """uvicorn's own protocol for requests, with deadlines. One that becomes a socket is done with: its parser, which
    refers back to it, would keep it until the next garbage collection, and there may be thousands.
    """

    #: Ends the connection unless what is expected comes.
    _deadline: asyncio.TimerHandle | None = None
    #: Ends it unless what is sent is read.
    _drain_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._expect_within(HEAD_WITHIN)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_drain_timer()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade()
        del self.parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._deadline is None:
            self._expect_within(HEAD_WITHIN)

    def on_headers_complete(self) -> None:
        self._expect_within(BODY_WITHIN)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
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
            self.transport.write(TOO_SLOW)
            self.transport.close()
            self.loop.call_later(1.0, self.transport.abort)
        else:
            self.transport.abort()

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
