"""Servers that are killed: play goes on, nothing that was acknowledged is lost, nothing is done twice."""

import asyncio
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from nevel.tables.domain import facts
from nevel.tables.storage.storage import open_storage
from tests.web.clients import GAMES, Client, at_every_game, check, done_by, play_all
from tests.web.processes import Nursery, QuickServerProcess, ServerProcess
from tests.web.serving import Visitor, two_at_a_table

#: Seconds anything may take on a machine that has other things to do.
PATIENCE = 120
#: What the rest of a table notices of a lost node, in seconds.
GOES_ON_WITHIN = 5.0


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_database")


@pytest.mark.slow(20)
def test_a_server_killed_many_times_loses_nothing(nursery: Nursery, database: str, tmp_path: Path) -> None:
    server = QuickServerProcess(nursery, database, tmp_path)
    dice = random.Random(7)
    kills = 0

    async def kill_and_start_again(clients: list[Client]) -> None:
        nonlocal kills
        playing = asyncio.create_task(play_all(clients))
        while not playing.done():
            so_far = sum(len(client.done) for client in clients)
            await done_by(clients, so_far + dice.randint(1, 30), playing)
            await asyncio.sleep(dice.random() * 0.02)
            if not playing.done():
                assert server.is_alive(), server.log.read_text("utf-8")
                server.kill()
                server.start()
                kills += 1
        await playing

    with at_every_game(server, database) as (_, pairs):
        asyncio.run(kill_and_start_again([client for pair in pairs for client in pair]))
        assert kills >= 5


@pytest.mark.slow(20)
def test_when_one_of_two_nodes_is_killed_play_goes_on_at_the_other(
    compiled: None, postgres_database: str, tmp_path: Path
) -> None:
    # A pause, so that a bot is often about to move when its node is killed.
    nodes = [ServerProcess(postgres_database, tmp_path, bot_pause=0.1) for _ in range(2)]
    addresses = [node.address for node in nodes]

    async def kill_one(pairs: list[list[Client]]) -> None:
        clients = [client for pair in pairs for client in pair]
        playing = asyncio.create_task(play_all(clients))
        await done_by(clients, 20, playing)
        assert not playing.done()
        nodes[0].kill()
        newest = [max(client.view["seq"] for client in pair) for pair in pairs]

        async def goes_on(pair: list[Client], seq: int) -> None:
            while all(client.view["seq"] <= seq and client.view["phase"] != "over" for client in pair):
                await asyncio.sleep(0.001)

        async with asyncio.timeout(GOES_ON_WITHIN):
            await asyncio.gather(*map(goes_on, pairs, newest))
        await playing

    try:
        for node in nodes:
            node.start()
        for node in nodes:
            node.wait_until_ready()
        with nodes[0].visitor() as ann, nodes[1].visitor() as bob:
            # At some tables both are there, at some only the one whose node will be killed.
            pairs = [
                [Client(ann, table, 0, addresses=addresses), Client(bob, table, 1, addresses=addresses[::-1])]
                for table in (two_at_a_table(ann, bob, game, bots=1) for game in GAMES)
            ]
            alone = [
                ann.post("/api/play-now", {"game": game, "chairs": 2}).json()["view"]["table"] for game in GAMES[2:]
            ]
            pairs += [[Client(ann, table, 2, addresses=addresses)] for table in alone]
        asyncio.run(kill_one(pairs))
    finally:
        for node in nodes:
            node.kill()
    for pair in pairs:
        log = asyncio.run(check(postgres_database, pair))
        assert any(isinstance(fact, facts.MovePlayed) and fact.is_bot for fact in log)


@pytest.mark.slow(20)
def test_what_is_said_while_a_server_is_killed_is_said_once(nursery: Nursery, database: str, tmp_path: Path) -> None:
    """People say everything again by the same id until they are answered, whenever the server was killed meanwhile."""
    server = QuickServerProcess(nursery, database, tmp_path)
    dice = random.Random(11)
    is_enough, is_given_up = threading.Event(), threading.Event()

    def talk(cookie: dict[str, str], name: int) -> list[str]:
        said = list[str]()
        with server.visitor(**cookie) as visitor:
            while not is_enough.is_set():
                text = f"{name} {len(said)}"
                while say(visitor, text) is None:
                    if is_given_up.is_set():
                        return said
                    time.sleep(0.005)
                said.append(text)
        return said

    def say(visitor: Visitor, text: str) -> int | None:
        with suppress(httpx.TransportError):
            answer = visitor.post(f"/api/tables/{table}/say", {"text": text, "command_id": text})
            if answer.status_code == 201:
                return answer.json()["number"]
            assert answer.status_code == 503, answer.text
        return None

    server.start()
    try:
        server.wait_until_ready()
        with server.visitor() as ann:
            table = ann.open()
            cookie = ann.cookie
        with ThreadPoolExecutor(4) as people:
            talking = [people.submit(talk, cookie, name) for name in range(4)]
            try:
                for _ in range(12):
                    time.sleep(0.1 + dice.random() * 0.1)
                    server.kill()
                    server.start()
                    server.wait_until_ready()
                is_enough.set()
                said = [text for one in talking for text in one.result(PATIENCE)]
            finally:
                is_enough.set()
                is_given_up.set()  # or they would be waited for, and for ever
    finally:
        server.kill()

    async def stored() -> list[str]:
        storage = await open_storage(database)
        try:
            return [message.text for message in await storage.messages(table, -1, 100_000)]
        finally:
            await storage.close()

    assert len(said) > 24
    assert sorted(asyncio.run(stored())) == sorted(said)
