"""A load: real clients at a real server. What they measure is not tested, but that they play, and notice trouble."""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from nevel.crowd.choosing import Choosing
from nevel.crowd.load import Load, usage
from nevel.crowd.page import read_page
from nevel.crowd.table_clients import TableClients
from nevel.crowd.wire import NoAnswerError, ServerClient
from nevel.testing.parts import choosing_for
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES
from tests.web.serving import Serving

#: Whole processes, or much work: not for `make quick`.
pytestmark = pytest.mark.slow

WITHIN = 120.0


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), WITHIN))  # type: ignore[arg-type]


def nothing(stage: str, done: float, total: float) -> None:
    pass


class Playing:
    """A company that plays on its own, and what it says of it."""

    def __init__(
        self, serving: Serving, game: str, seats: int, choosing: Choosing | None = None, frames: str = "json"
    ) -> None:
        self.complaints = asyncio.Queue[str]()
        self.ends = asyncio.Queue[str]()
        self.moves = 0
        self.client = ServerClient("127.0.0.1", serving.settings.port)
        chosen = choosing or choosing_for(game, random.Random(1))
        self.clients = TableClients(
            self.client, game, seats, frames, chosen, self.ready, self.ended, self.complaints.put_nowait
        )

    def ready(self, clients: TableClients) -> None:
        self.moves += 1
        clients.play()

    def ended(self, clients: TableClients) -> None:
        self.ends.put_nowait(clients.table)

    async def close(self) -> None:
        await self.clients.leave()
        await self.client.close()


def test_the_command_puts_a_load_on_a_server_of_its_own() -> None:
    command = [sys.executable, "-m", "nevel.cli", "load", "--tables", "16", "--seats", "4", "--seconds", "1", "--json"]
    environment = {**os.environ, "NEVEL_LANGUAGE": "en"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["moves_per_second"] > 0
    assert figures["errors"] == 0
    assert figures["tables"] == 16
    assert figures["kilobytes_per_table"] > 0
    assert figures["bytes_per_frame"] > 100
    assert 0 < figures["p50_ms"] <= figures["p95_ms"] <= figures["p99_ms"]


@pytest.mark.timeout(900)  # where nothing is compiled yet
def test_abuse_is_measured_by_what_honest_visitors_notice() -> None:
    command = ["load", "--abuse", "--tables", "4", "--seats", "2", "--seconds", "2", "--game", "misty", "--json"]
    done = run_nevel(*command, timeout=900, NEVEL_LANGUAGE="en")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["load"]["tables"] == 3
    assert figures["load"]["moves"] > 0
    assert figures["bot_tables"] == 1
    assert figures["bot_moves"] > 0
    assert figures["abuse_done"].keys() == {"experts", "imports", "reviews", "pages", "floods", "slow"}
    assert sum(figures["abuse_done"].values()) > 20


def test_a_load_that_is_ended_takes_its_server_along() -> None:
    command = [sys.executable, "-m", "nevel.cli", "load", "--tables", "1", "--seconds", "600"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as load:
        try:
            children = Path(f"/proc/{load.pid}/task/{load.pid}/children")
            while not (servers := children.read_text().split()):
                assert load.poll() is None
            assert len(servers) == 1
            load.terminate()
            assert load.wait(WITHIN) != 0
        finally:
            load.kill()
    assert not Path(f"/proc/{servers[0]}").exists()


@pytest.mark.parametrize("rate", [0, 20])
def test_a_load_on_a_server_that_runs_already(serving: Serving, rate: int) -> None:
    command = ["load", "--url", f"http://{serving.address}", "--rate", str(rate)]
    command += ["--tables", "2", "--seats", "2", "--seconds", "1", "--game", "misty"]
    done = run_nevel(*command, timeout=WITHIN, NEVEL_LANGUAGE="en")
    assert done.returncode == 0, done.stderr
    assert "Moves per second" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--url", "nowhere"], "isn't the address of a server"),
        (["--url", "http://127.0.0.1:1"], "isn't responding"),
        (["--seats", "9"], "No game is for 9 players"),
        (["--game", "chess"], "chess"),
        (["--game", "misty", "--seats", "5"], "seats is 5"),
    ],
)
def test_a_load_that_cannot_be_says_why(arguments: list[str], complaint: str) -> None:
    done = run_nevel("load", *arguments, timeout=WITHIN, NEVEL_LANGUAGE="en", COLUMNS="200")
    assert done.returncode == 2
    assert complaint in done.stderr


def test_when_a_game_is_over_the_same_people_play_another(serving: Serving) -> None:
    async def work() -> None:
        playing = Playing(serving, "the-game", 2)
        await playing.clients.meet()
        first = await playing.ends.get()
        cookies = list(playing.clients.cookies)
        assert len(set(cookies)) == 2
        moves = playing.moves
        await playing.clients.meet_again()
        second = await playing.ends.get()
        assert second != first
        assert playing.clients.cookies == cookies
        assert playing.moves > moves
        assert playing.clients.took > 0
        assert playing.complaints.empty()
        await playing.close()

    run(work)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_game_is_played_by_what_pages_offer(serving: Serving, game: str) -> None:
    async def work() -> None:
        playing = Playing(serving, game, 2, frames="html")
        await playing.clients.meet()
        await playing.ends.get()
        assert playing.complaints.empty()
        await playing.close()

    run(work)


class Cheating(Choosing):
    def choose(self, moves: Sequence[str]) -> str:
        return "end turn"


def test_a_refused_move_is_an_error(serving: Serving) -> None:
    async def work() -> None:
        playing = Playing(serving, "the-game", 2, Cheating(random.Random(1)))
        await playing.clients.meet()
        assert "illegal-move" in await playing.complaints.get()
        await playing.close()

    run(work)


def test_a_socket_the_server_closes_is_an_error(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    serving = Serving(f"sqlite:///{tmp_path_factory.mktemp('load')}/load.db", grace=0)
    serving.start()

    async def work() -> None:
        playing = Playing(serving, "misty", 2)
        await playing.clients.meet()
        await asyncio.to_thread(serving.stop)
        assert "closed" in await playing.complaints.get()
        with pytest.raises(NoAnswerError):
            await playing.client.ask("GET", "/readyz")
        await playing.close()

    run(work)


def test_idle_tables_are_held_and_watched(serving: Serving) -> None:
    async def work() -> None:
        client = ServerClient("127.0.0.1", serving.settings.port)
        load = Load(client, ["misty"], 1, 2)
        site = serving.app.state.site
        tables, sockets = len(site.house.rooms), site.galleries.count
        await load.open_idle(["misty", "extreme"], 3, 4, nothing)
        assert len(site.house.rooms) == tables + 3
        while site.galleries.count < sockets + 4:
            await asyncio.sleep(0.01)
        assert site.galleries.count == sockets + 4
        before = await usage(client)
        await load.open(nothing)
        figures = await load.run(0.5, before, nothing)
        assert (figures.idle_tables, figures.idle_sockets) == (3, 4)
        assert not load.complaints
        await load.close()

    run(work)


def test_cards_are_chosen_so_that_a_game_lasts() -> None:
    choosing = choosing_for("the-game", random.Random(1))
    assert choosing.choose(["play 30 up1", "play 90 down1", "play 40 up2"]) == "play 90 down1"
    assert choosing.choose(["play 80 down1", "play 95 down2", "play 40 up2"]) == "play 95 down2"
    assert choosing.choose(["play 80 down1", "play 99 down1"]) == "play 99 down1", "a step back is worth more"
    assert choosing.choose(["play 2 up1", "end turn"]) == "end turn"
    assert choosing.choose(["start"]) == "start"
    choosing.begin()
    assert choosing.choose(["play 30 up1", "play 90 down1", "play 40 up2"]) == "play 90 down1", (
        "the piles are empty again"
    )
    assert type(choosing_for("misty", random.Random(1))) is Choosing


def test_a_page_offers_moves_whatever_they_are_called() -> None:
    page = b"""<main id="table" class="table is-yours" data-seq="3" data-phase="playing" data-version="1">
    <button class="pit" name="place" value="throw * into left" data-target="left"></button>
    <button class="pit" name="place" value="throw * into right" data-target="right"></button>
    <input type="radio" name="card" value="knave" data-targets="left:0;right:2">
    <button name="move" value="fold">Fold</button><button name="move" value="sing" data-hint>Sing</button></main>"""
    assert read_page(page) == (3, "playing", ["throw knave into left", "throw knave into right", "fold"])
