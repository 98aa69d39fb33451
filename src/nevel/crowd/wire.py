"""A minimal HTTP and WebSocket client.

A thousand moves bring several thousand frames, all to one process: a general library would be busier than the server it
is to measure. A server of ours sends whole frames without extensions, so that is all that is read.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from typing import NamedTuple, cast

from nevel.languages import SpokenError, mark

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
#: Lengths up to here stand in the second byte; these two values say that they stand in two or eight more.
SHORT = 125
IN_TWO, IN_EIGHT = 126, 127
#: A client has to say with what its bytes are masked: with zeros they stay what they are.
MASKED, NO_MASK = 0x80, bytes(4)

#: The code of a socket that isn't needed any more.
NORMAL = (1000).to_bytes(2, "big")

#: Given every text frame, and None when the socket ends.
OnMessage = Callable[[bytes | None], None]


class NoAnswerError(SpokenError):
    """A server that refuses or can't be reached."""


class HttpResponse(NamedTuple):
    """The answer to a request; `cookie` is the one the server has set."""

    status: int
    cookie: str
    body: bytes


def frame(kind: int, content: bytes) -> bytes:
    """Encode a text as a client's WebSocket frame."""
    length = len(content)
    if length <= SHORT:
        return bytes((kind, MASKED | length)) + NO_MASK + content
    return bytes((kind, MASKED | IN_TWO)) + length.to_bytes(2, "big") + NO_MASK + content


class Socket(asyncio.Protocol):
    """One WebSocket: hands on every text, answers pings."""

    def __init__(self, host: str, path: str, cookie: str, on_message: OnMessage, address: str = "") -> None:
        more = f"X-Forwarded-For: {address}\r\n" if address else ""
        self.hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: bmV2ZWwgbG9hZCB0b29sIQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {cookie}\r\n{more}\r\n"
        )
        self.on_message = on_message
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.is_ours = False  # whether it is us who ends it
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self.hello.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set_result(None)
        if not self.opened.done():
            self.opened.set_exception(NoAnswerError(mark("The server closes connections at once.")))
        elif not self.is_ours:
            self.on_message(None)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        if not self.opened.done():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.transport.abort()
                return
            self.opened.set_result(None)
        self._rest = self._take_frames(data)

    def _take_frames(self, data: bytes) -> bytes:
        """Pass on every complete frame in a buffer; returns the rest."""
        at, size = 0, len(data)
        while size - at >= 2:
            kind, length = data[at], data[at + 1]
            start = at + 2
            if length == IN_TWO:
                start += 2
                length = int.from_bytes(data[at + 2 : start], "big")
            elif length == IN_EIGHT:
                start += 8
                length = int.from_bytes(data[at + 2 : start], "big")
            if start + length > size:
                break
            content = data[start : start + length]
            at = start + length
            if kind == TEXT:
                self.on_message(content)
            elif kind == PING:
                self.transport.write(frame(PONG, content))
        return data[at:]

    def send(self, content: bytes) -> None:
        self.transport.write(frame(TEXT, content))

    async def close(self) -> None:
        self.is_ours = True
        self.transport.write(frame(CLOSE, NORMAL))
        self.transport.close()
        await self.closed


class HttpConnection:
    """One keep-alive connection for requests."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes, cookie: str, address: str = "") -> HttpResponse:
        head = f"X-Forwarded-For: {address}\r\n" if address else ""
        if self._streams:
            # The server closes idle connections, perhaps in this very moment: then try once more.
            with suppress(OSError, EOFError):
                return await self._ask(self._streams, method, path, body, cookie, head)
            await self.disconnect()
        self._streams = await asyncio.open_connection(self.host, self.port)
        return await self._ask(self._streams, method, path, body, cookie, head)

    async def _ask(
        self,
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        method: str,
        path: str,
        body: bytes,
        cookie: str,
        more: str,
    ) -> HttpResponse:
        reader, writer = streams
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nCookie: {cookie}\r\n{more}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        return HttpResponse(int(status.split()[1]), headers.get("set-cookie", "").partition(";")[0], content)

    async def disconnect(self) -> None:
        if self._streams:
            writer, self._streams = self._streams[1], None
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


class ServerClient:
    """A client of one server: a pool of connections for requests, and any number of WebSockets."""

    def __init__(self, host: str, port: int, connections: int = 16, address: str = "") -> None:
        self.host = host
        self.port = port
        #: Where it says it asks from, as proxies do.
        self.address = address
        self._connections = [HttpConnection(host, port) for _ in range(connections)]
        self._free: asyncio.LifoQueue[HttpConnection] = asyncio.LifoQueue()
        for connection in self._connections:
            self._free.put_nowait(connection)

    def at(self, address: str) -> "ServerClient":
        """A client with another address in X-Forwarded-For that shares the connections."""
        other = copy(self)
        other.address = address
        return other

    async def ask(self, method: str, path: str, body: bytes = b"", cookie: str = "") -> HttpResponse:
        """Send a request and return the answer; raises a NoAnswerError when there is none or it is an error."""
        connection = await self._free.get()
        try:
            answer = await connection.ask(method, path, body, cookie, self.address)
        except (OSError, EOFError) as problem:
            await connection.disconnect()
            raise NoAnswerError(mark("The server isn't responding: {reason}"), reason=problem) from problem
        finally:
            self._free.put_nowait(connection)
        if answer.status >= 400:
            reason = f"{answer.status} {answer.body[:200].decode(errors='replace')}"
            raise NoAnswerError(mark("The server refuses {path}: {reason}"), path=path, reason=reason)
        return answer

    async def open_socket(self, path: str, cookie: str, on_message: OnMessage) -> Socket:
        loop = asyncio.get_running_loop()
        socket = Socket(f"{self.host}:{self.port}", path, cookie, on_message, self.address)
        try:
            await loop.create_connection(lambda: socket, self.host, self.port)
        except OSError as problem:
            raise NoAnswerError(mark("The server isn't responding: {reason}"), reason=problem) from problem
        await socket.opened
        return socket

    async def close(self) -> None:
        for connection in self._connections:
            await connection.disconnect()
