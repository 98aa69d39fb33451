"""What the tests of storage share: things to store, and somebody between a storage and PostgreSQL."""

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qs, urlsplit

import msgspec

from nevel.tables.storage.schema import Append, Row, Summary
from nevel.tables.storage.storage import Storage
from tests.databases import administrator

Answer = TypeVar("Answer")
Open = Callable[[], Coroutine[Any, Any, Storage]]

READY_FOR_QUERY = b"Z\x00\x00\x00\x05I"


class Run(Protocol):
    def __call__(self, awaitable: Awaitable[Answer], /) -> Answer: ...


def make_append(
    table: str = "t",
    seq: int = 0,
    count: int = 1,
    body: str = "{}",
    members: tuple[str, ...] | None = None,
    deadline: int | None = None,
    secret: str | None = None,
    **summary: Any,
) -> Append:
    """The next `count` rows of a table from `seq` on; other names are fields of its summary."""
    rows = tuple(Row(table, number, 1000 + number, body) for number in range(seq, seq + count))
    usual = Summary(table, "misty", "open", True, 1000, 1000 + seq, 4, 1, "ann", "{}")
    return Append(rows, msgspec.structs.replace(usual, **summary), members, deadline, secret)


async def race(storage: Storage, table: str, name: str, wins: int) -> list[int]:
    """Append until `wins` appends are stored, reading the log again after every one that isn't; gives what was won."""
    won: list[int] = []
    newest = -1
    while len(won) < wins:
        if await storage.append(make_append(table, newest + 1, body=f'"{name} {newest + 1}"')):
            newest += 1
            won.append(newest)
        else:
            newest = (await storage.rows(table))[-1].seq
    return won


@contextlib.asynccontextmanager
async def held(url: str, table: str) -> AsyncGenerator[None, None]:
    """Keep everybody from writing to a table: in SQLite to anything."""
    if url.startswith("sqlite"):
        connection = sqlite3.connect(sqlite_path(url), isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.close()
    else:
        async with administrator(url) as connection, connection.transaction():
            await connection.execute("SELECT FROM tables WHERE table_id = $1 FOR UPDATE", table)
            yield


def sqlite_path(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


async def close(stream: asyncio.StreamWriter) -> None:
    stream.close()
    with contextlib.suppress(OSError):
        await stream.wait_closed()


class Wire:
    """What a storage takes for PostgreSQL: hands everything on, unless it is told to lose something."""

    def __init__(self, url: str, folder: str) -> None:
        self.server = parse_qs(urlsplit(url).query)["host"][0] + "/.s.PGSQL.5432"
        self.socket = f"{folder}/.s.PGSQL.5432"
        self.url = url.partition("?")[0] + f"?host={folder}"
        #: Break the connection instead of handing on the next question; or the next answer, when it is complete.
        self.loses_question = self.loses_answer = False
        #: Hand no question on that comes on connections there are now, and say nothing of it.
        self.deaf: set[asyncio.StreamReader] = set()
        self.clients: set[asyncio.StreamReader] = set()
        #: Let nobody in.
        self.is_cut = False
        #: Stay so after the next loss.
        self.is_cut_afterwards = False

    async def serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        if not self.is_cut:
            self.clients.add(client)
            server, to_server = await asyncio.open_unix_connection(self.server)
            questions = asyncio.create_task(self.carry_questions(client, to_server))
            answers = asyncio.create_task(self.carry_answers(server, to_client))
            await asyncio.wait([questions, answers], return_when=asyncio.FIRST_COMPLETED)
            await close(to_server)
            await close(to_client)
            await asyncio.gather(questions, answers)
        await close(to_client)

    async def carry_questions(self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter) -> None:
        while question := await client.read(1 << 16):
            if self.loses_question:
                self.loses_question, self.is_cut = False, self.is_cut_afterwards
                return
            if client not in self.deaf:
                to_server.write(question)

    async def carry_answers(self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        while answer := await server.read(1 << 16):
            if not self.loses_answer:
                to_client.write(answer)
            elif answer.endswith(READY_FOR_QUERY):
                self.loses_answer, self.is_cut = False, self.is_cut_afterwards
                return

    def go_deaf(self) -> None:
        self.deaf |= self.clients

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncGenerator["Wire", None]:
        def accept(client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
            serving.add(asyncio.create_task(self.serve(client, to_client)))

        serving: set[asyncio.Task[None]] = set()
        async with await asyncio.start_unix_server(accept, self.socket):
            yield self
            # When both sides have closed, this ends by itself.
            await asyncio.gather(*serving)
