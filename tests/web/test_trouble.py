"""Trouble with the database under a running server: people are told, nothing is lost, and play goes on by itself."""

import asyncio
import resource
from pathlib import Path

import pytest

from tests.databases import administrator
from tests.web.clients import Client, at_every_game, done_by, play_all
from tests.web.processes import Nursery, QuickServerProcess
from tests.web.serving import send

#: Breaks every connection of the server.
END_CONNECTIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database()
"""


@pytest.mark.slow
def test_a_full_disk_is_told_and_play_goes_on_when_there_is_room(
    nursery: Nursery, sqlite_database: str, tmp_path: Path
) -> None:
    server = QuickServerProcess(nursery, sqlite_database, tmp_path)

    def limit(size: int) -> None:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    async def fill(clients: list[Client]) -> None:
        playing = asyncio.create_task(play_all(clients))
        for count in (20, 60, 100):
            await done_by(clients, count, playing)
            assert not playing.done()
            # No file of the server may become longer than the longest is.
            limit(max(path.stat().st_size for path in Path(sqlite_database).parent.iterdir()))
            await asyncio.to_thread(look_and_try)
            limit(resource.RLIM_INFINITY)
        await playing

    def look_and_try() -> None:
        with server.visitor(**{"Accept-Language": "fr"}) as stranger:
            # A little room may be left.
            tried = (stranger.post("/api/tables", {"game": "misty", "chairs": 2}) for _ in range(10_000))
            refused = next(answer for answer in tried if answer.status_code != 201)
            assert refused.status_code == 503
            assert refused.headers["retry-after"]
            assert "n’a pas pu être" in refused.json()["detail"]
        with ann.socket(table) as hers:
            problem = send(hers, "say", text="Is anybody there?")["problem"]
            assert (problem["type"], problem["status"]) == ("/problems/storage", 503)
            assert "couldn't be stored" in problem["detail"]
        assert ann.look(table)["seq"] > 0, "what is stored can be seen all the same"
        assert ann.get("/healthz").status_code == 200

    with at_every_game(server, sqlite_database) as (ann, pairs):
        table = pairs[0][0].table
        asyncio.run(fill([client for pair in pairs for client in pair]))


@pytest.mark.slow
def test_lost_connections_to_the_database_lose_nothing(
    nursery: Nursery, postgres_database: str, tmp_path: Path
) -> None:
    server = QuickServerProcess(nursery, postgres_database, tmp_path)

    async def break_connections(clients: list[Client]) -> int:
        playing = asyncio.create_task(play_all(clients))
        broken = 0
        async with administrator(postgres_database) as connection:
            while not playing.done():
                await done_by(clients, 20 + sum(len(client.done) for client in clients), playing)
                broken += len(await connection.fetch(END_CONNECTIONS))
        await playing
        return broken

    with at_every_game(server, postgres_database) as (ann, pairs):
        assert asyncio.run(break_connections([client for pair in pairs for client in pair])) > 5
        assert ann.get("/readyz").status_code == 200
