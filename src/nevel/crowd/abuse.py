"""Visitors who want to be a burden, all kinds of them at once, in a process of their own.

`python -m nevel.crowd.abuse HOST PORT SECONDS FILE`, with the file of a finished game, tells in JSON how often a server
did what they asked and how often it refused or cut them off.
"""

import asyncio
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from nevel.crowd.table_clients import decode_opened
from nevel.crowd.wire import TEXT, NoAnswerError, ServerClient, frame

#: How many there are of each kind.
EACH = 4
#: Half requests and sockets that are never read, held at once by each who does that.
HALF_REQUESTS = 100
NEVER_READING = 5
#: Seconds before somebody who was refused asks again.
PAUSE = 0.02
#: How much the process gives way: it shares its core with the clients that are measured.
NICENESS = 10


class AbuseFigures(Struct, frozen=True):
    """The results of all attacks, by kind."""

    done: dict[str, int]
    refused: dict[str, int]


class BroughtGame(Struct):
    """The fields of a saved game that are needed to open tables of the same kind."""

    game: str
    seats: int


class Abuser:
    """A client at an address of its own that asks for more than its share."""

    def __init__(self, host: str, port: int, number: int, counts: "Counts", saved_game: bytes) -> None:
        self.client = ServerClient(host, port, 4, address=f"10.66.{number // 256}.{number % 256}")
        self.counts = counts
        self.saved_game = saved_game
        self.kind = msgspec.json.decode(saved_game, type=BroughtGame)
        self.cookie = ""

    async def ask(self, kind: str, method: str, path: str, body: bytes = b"") -> bytes:
        """Send a request and count it; returns an empty body when it was refused."""
        try:
            answer = await self.client.ask(method, path, body, self.cookie)
        except NoAnswerError:
            self.counts.refused[kind] += 1
            await asyncio.sleep(PAUSE)
            return b""
        self.cookie = self.cookie or answer.cookie
        self.counts.done[kind] += 1
        return answer.body

    async def open_experts(self) -> None:
        """Open as many tables with experts as the server allows."""
        body = msgspec.json.encode({"game": self.kind.game, "chairs": self.kind.seats, "level": "expert"})
        answer = await self.ask("experts", "POST", "/api/play-now", body)
        if answer:
            # Somebody looks at it, so that the bots play on.
            table = decode_opened(answer).view.table
            with suppress(NoAnswerError):
                await self.client.open_socket(f"/api/tables/{table}/socket", self.cookie, lambda _: None)

    async def bring_games(self) -> None:
        """Bring finished games to the server, and ask for a review of each."""
        answer = await self.ask("imports", "POST", "/api/tables/import", self.saved_game)
        if answer:
            await self.ask("reviews", "GET", f"/api/tables/{decode_opened(answer).view.table}/review")

    async def flood_pages(self) -> None:
        await self.ask(
            "pages", "GET", random.choice(("/", "/puzzles", f"/rules/{self.kind.game}", "/api/openapi.json"))
        )

    async def flood_socket(self) -> None:
        """Send frames over a socket as quickly as possible."""
        table = await self.open_table("floods")
        if not table:
            return
        closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        answers = Counter[str]()

        def on_message(content: bytes | None) -> None:
            answers["floods"] += 1
            if content is None and not closed.done():
                closed.set_result(None)

        with suppress(NoAnswerError):
            socket = await self.client.open_socket(f"/api/tables/{table}/socket", self.cookie, on_message)
            while not closed.done():
                socket.send(b'{"do":{"command":"undo"}}')
                await asyncio.sleep(0.001)
            self.counts.refused["floods"] += 1
        self.counts.done["floods"] += answers["floods"]

    async def be_slow(self) -> None:
        """Send half requests, and open sockets that never read."""
        table = await self.open_table("slow")
        half = (self.half_request() for _ in range(HALF_REQUESTS))
        never = (self.never_read(table) for _ in range(NEVER_READING if table else 0))
        await asyncio.gather(*half, *never, return_exceptions=True)

    async def half_request(self) -> None:
        reader, writer = await asyncio.open_connection(self.client.host, self.client.port)
        try:
            writer.write(b"POST /api/tables HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{")
            self.counts.done["slow"] += 1
            await reader.read()
            self.counts.refused["slow"] += 1
        finally:
            writer.transport.abort()

    async def never_read(self, table: str) -> None:
        _, writer = await asyncio.open_connection(self.client.host, self.client.port, limit=1024)
        try:
            writer.write(
                f"GET /api/tables/{table}/socket HTTP/1.1\r\nhost: {self.client.host}:{self.client.port}\r\n"
                "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
                f"sec-websocket-key: bmV2ZWwgbG9hZCB0b29sIQ==\r\nx-forwarded-for: {self.client.address}\r\n"
                f"cookie: {self.cookie}\r\n\r\n".encode()
            )
            self.counts.done["slow"] += 1
            while True:
                writer.write(frame(TEXT, b"ping") * 10)
                await writer.drain()
                await asyncio.sleep(0.05)
        except OSError:
            self.counts.refused["slow"] += 1
        finally:
            writer.transport.abort()

    async def open_table(self, kind: str) -> str:
        body = msgspec.json.encode({"game": self.kind.game, "chairs": self.kind.seats})
        answer = await self.ask(kind, "POST", "/api/tables", body)
        return decode_opened(answer).view.table if answer else ""


class Counts:
    """Counters of requests made and refused, by kind."""

    def __init__(self) -> None:
        self.done = Counter[str]()
        self.refused = Counter[str]()


KINDS: tuple[Callable[[Abuser], Awaitable[None]], ...] = (
    Abuser.open_experts,
    Abuser.bring_games,
    Abuser.flood_pages,
    Abuser.flood_socket,
    Abuser.be_slow,
)


async def abuse(host: str, port: int, seconds: float, saved_game: bytes) -> AbuseFigures:
    """Run all attacks at once, for so many seconds."""
    counts = Counts()
    until = time.monotonic() + seconds

    async def go_on(abuser: Abuser, do: Callable[[Abuser], Awaitable[None]]) -> None:
        while time.monotonic() < until:
            with suppress(OSError, EOFError):
                await do(abuser)
            await asyncio.sleep(PAUSE)

    abusers = [(Abuser(host, port, i, counts, saved_game), KINDS[i % len(KINDS)]) for i in range(EACH * len(KINDS))]
    tasks = [asyncio.create_task(go_on(abuser, do)) for abuser, do in abusers]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return AbuseFigures(dict(counts.done), dict(counts.refused))


if __name__ == "__main__":
    os.nice(NICENESS)
    host, port, seconds, file = sys.argv[1:]
    figures = asyncio.run(abuse(host, int(port), float(seconds), Path(file).read_bytes()))
    sys.stdout.write(msgspec.json.encode(figures).decode())
