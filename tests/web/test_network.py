"""Unlucky networks: frames that come twice, late or in another order, connections that break, people who don't read."""

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.web.clients import GAMES, Client, Luck, check, play_all
from tests.web.serving import Serving, Visitor, two_at_a_table

UNLUCKY = Luck(twice=1.0, late=0.5, broken=0.1, delay=0.005)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_database")


@pytest.mark.slow
def test_whatever_the_network_does_all_play_the_same_game(ann: Visitor, bob: Visitor, database: str) -> None:
    tables = [two_at_a_table(ann, bob, game, bots=1) for game in GAMES]
    clients = [[Client(visitor, table, seed, UNLUCKY) for seed, visitor in enumerate((ann, bob))] for table in tables]
    asyncio.run(play_all([client for pair in clients for client in pair]))
    assert sum(client.losses for pair in clients for client in pair) > 0
    for pair in clients:
        asyncio.run(check(database, pair))


# ---------------------------------------------------------------- people who don't read

#: Bytes the machine keeps between a server and somebody: few, so that it is soon up to the server.
WINDOW = 4096


@pytest.fixture
def narrow(compiled: None, sqlite_database: str) -> Iterator[Serving]:
    """A server whose connections hold next to nothing."""
    one = Serving(sqlite_database)
    with socket.socket() as listening:
        narrow_down(listening)
        listening.bind(("127.0.0.1", one.settings.port))
        one.start(listening)
        yield one
        one.stop()


def narrow_down(one: socket.socket) -> None:
    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WINDOW)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)


def inattentive(visitor: Visitor, table: str) -> connect:
    """A socket from which next to nothing is read before somebody asks for it."""
    one = socket.socket()
    narrow_down(one)
    one.connect(("127.0.0.1", visitor.serving.settings.port))
    one.setblocking(False)
    address = visitor.socket_address(table)
    return connect(address, additional_headers=visitor.cookie, proxy=None, sock=one, max_queue=1)


def test_who_doesnt_read_costs_little_and_holds_nobody_up(narrow: Serving) -> None:
    changes = 300

    async def talk(ann: Visitor, bob: Visitor) -> tuple[int, int]:
        table = two_at_a_table(ann, bob)
        total = 0
        async with ann.socket_async(table) as hers, inattentive(bob, table) as his:
            for number in range(changes):
                await hers.send(json.dumps({"id": f"{number}", "do": {"command": "say", "text": f"Hello {number}!"}}))
                while json.loads(text := await hers.recv())["type"] != "done":
                    total += len(text)
            # Now he reads: first what was on its way, then all he missed at once.
            received = 0
            while True:
                received += len(text := await his.recv())
                said = json.loads(text)["said"]
                if said and said[-1]["text"] == f"Hello {changes - 1}!":
                    return received, total

    with narrow.visitor() as ann, narrow.visitor() as bob:
        received, total = asyncio.run(asyncio.wait_for(talk(ann, bob), 60))
    assert received < 200_000 < total


def test_who_asks_without_reading_the_answers_isnt_heard_any_more(narrow: Serving) -> None:
    frame = json.dumps({"id": "x" * 64, "do": {"command": "kick", "chair": 1}})

    async def flood(his: ClientConnection) -> int:
        sent = 0
        with suppress(TimeoutError):
            while True:
                await asyncio.wait_for(his.send(frame), 1)
                sent += len(frame)
        return sent

    async def ask(ann: Visitor, bob: Visitor) -> int:
        table = two_at_a_table(ann, bob)
        async with inattentive(bob, table) as his:
            flooding = asyncio.create_task(flood(his))
            while not flooding.done():  # meanwhile others are answered
                assert (await asyncio.to_thread(ann.look, table))["phase"] == "playing"
            his.transport.abort()
            return await flooding

    with narrow.visitor() as ann, narrow.visitor() as bob:
        assert asyncio.run(asyncio.wait_for(ask(ann, bob), 60)) < 1_000_000
