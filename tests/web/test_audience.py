"""Bots wait for people whose pages still show what happened; for nobody else, and never for long."""

import asyncio
import time
from collections.abc import Callable

import pytest
from websockets.sync.client import ClientConnection as Socket

from nevel.tables.thinking.audience import Audience
from tests.web.serving import Visitor, receive

#: Seconds in which a bot would have moved long ago.
LONG_AGO = 1.0


@pytest.fixture(scope="module")
def database(sqlite_database: str) -> str:
    return sqlite_database


def come_to_end_of_turn(ann: Visitor) -> tuple[str, int]:
    """A table of Ann's and a bot's at which she may end her turn; gives it with its newest row."""
    table = ann.open("the-game")
    ann.ask(table, "seat-bot", {"level": "casual"})
    view = ann.ask(table, "start")
    while view["prompt"] is None or "end turn" not in view["prompt"]["moves"]:
        if view["prompt"] is None:
            view = ann.look(table)
            continue
        move = next(move for move in view["prompt"]["moves"] if move == "start" or move.startswith("play"))
        view = ann.ask(table, "play", {"move": move, "seq": view["seq"]})
    return table, view["seq"]


def end_turn(ann: Visitor, table: str, seq: int) -> Callable[[], bool]:
    """End Ann's turn; gives what says whether the bot has moved since."""
    ended = ann.ask(table, "play", {"move": "end turn", "seq": seq})["seq"]
    return lambda: ann.look(table)["seq"] > ended


def comes(what: Callable[[], bool]) -> bool:
    until = time.monotonic() + 30
    while not what() and time.monotonic() < until:
        time.sleep(0.05)
    return what()


def say(socket: Socket, text: str) -> None:
    """Tell the server something that isn't answered; it has heard it when it answers what comes after."""
    socket.send(text)
    socket.send("ping")
    while socket.recv(20) != "pong":
        pass


def test_a_bot_waits_until_a_page_has_shown_everything(ann: Visitor) -> None:
    table, seq = come_to_end_of_turn(ann)
    with ann.socket(table) as page:
        receive(page)
        say(page, "showing")
        has_moved = end_turn(ann, table, seq)
        time.sleep(LONG_AGO)
        assert not has_moved()
        say(page, "shown")
        assert comes(has_moved)


def test_a_bot_doesnt_wait_for_whoever_goes_or_only_watches(ann: Visitor, bob: Visitor) -> None:
    table, seq = come_to_end_of_turn(ann)
    key = ann.get(f"/api/tables/{table}/links").json()["spectator"]
    with bob.socket(table, f"?key={key}") as watching:
        receive(watching)
        say(watching, "showing")
        with ann.socket(table) as page:
            receive(page)
            say(page, "showing")
            has_moved = end_turn(ann, table, seq)
            time.sleep(LONG_AGO)
            assert not has_moved()
        assert comes(has_moved)


def test_saying_it_again_makes_nobody_wait_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audience, "PATIENCE", 0.3)

    async def wait() -> float:
        audience, loop = Audience(), asyncio.get_running_loop()
        await audience.wait()  # for nobody
        begun = loop.time()
        audience.begin("page", 7)
        audience.begin("other", 7)
        waiting = asyncio.ensure_future(audience.wait())
        for _ in range(4):
            await asyncio.sleep(0.05)
            audience.begin("page", 7)
            audience.end("other")
            audience.begin("other", 7)
        assert not waiting.done()
        await waiting
        return loop.time() - begun

    assert 0.25 <= asyncio.run(wait()) < 5
