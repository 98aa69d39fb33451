"""Tables nobody watches leave memory, and whatever concerns them brings them back."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from nevel.tables.runtime.room import milliseconds
from nevel.web.live import gallery
from nevel.web.server.site import Site
from tests.web.serving import Serving, Visitor, receive, two_at_a_table


def site_of(visitor: Visitor) -> Site:
    return visitor.serving.app.state.site


def do(visitor: Visitor, work: Callable[[], Awaitable[object]]) -> None:
    """Do something in the server's own event loop."""

    async def all_of_it() -> None:
        await work()

    loop = next(iter(site_of(visitor).galleries._tasks)).get_loop()
    asyncio.run_coroutine_threadsafe(all_of_it(), loop).result(30)


def forget_idle(visitor: Visitor) -> None:
    """Look round as if a quarter of an hour had passed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery, "FORGOTTEN_AFTER", -1000)
        do(visitor, site_of(visitor).galleries._forget_idle_tables)


def test_a_table_nobody_watches_is_forgotten_and_comes_back_as_it_was(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    view = ann.look(table)
    rooms = site_of(ann).house.rooms
    assert table in rooms
    forget_idle(ann)
    assert table not in rooms
    assert table not in site_of(ann).house.thinking.runners
    # A visitor brings it back, and so does a move.
    assert ann.look(table) == view
    assert table in rooms
    forget_idle(ann)
    moved = ann.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    assert moved["seq"] == view["seq"] + 1
    forget_idle(ann)
    assert bob.look(table)["seq"] == moved["seq"]


def test_a_table_that_is_watched_stays(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    rooms = site_of(ann).house.rooms
    with ann.socket(table) as hers:
        seq = receive(hers)["view"]["seq"]
        forget_idle(ann)
        assert table in rooms
        view = bob.look(table)
        bob.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
        while receive(hers)["view"]["seq"] == seq:
            pass


def test_talk_brings_it_back(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    forget_idle(ann)
    assert bob.post(f"/api/tables/{table}/say", {"text": "Still there?"}).status_code == 201
    forget_idle(ann)
    with ann.socket(table) as hers:
        assert receive(hers)["said"][0]["text"] == "Still there?"


def test_a_deadline_brings_it_back(ann: Visitor, bob: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody visits it: the house itself enters it when somebody's time runs out, and bots play for them."""
    table = two_at_a_table(ann, bob, pace={"kind": "live", "seconds": 600, "reserve": 0})
    forget_idle(ann)
    house = site_of(ann).house
    assert table not in house.rooms
    monkeypatch.setattr(house.rooms, "clock", lambda: milliseconds() + 3_600_000)
    until = time.monotonic() + 60
    while table not in house.rooms:
        assert time.monotonic() < until
        time.sleep(0.02)
    while [chair["kind"] for chair in bob.look(table)["chairs"]] != ["stood-in", "stood-in"]:
        assert time.monotonic() < until


def test_another_name_is_no_visit_that_bots_would_go_on_for(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob, "the-game")
    room = site_of(ann).house.rooms[table]
    room.visited_at = 0
    assert ann.client.put("/api/me", json={"name": "Anna"}).status_code == 200
    assert room.visited_at == 0
    assert ann.look(table)["chairs"][0]["name"] == "Anna"
    assert room.visited_at > 0


def test_bots_that_think_keep_it_and_wake_when_it_is_entered(compiled: None, tmp_path: Path) -> None:
    """A bot whose node stopped in mid-thought goes on when somebody looks, not only when something changes."""
    serving = Serving(str(tmp_path / "nevel.db"), bot_pause=3600)
    serving.start()
    try:
        with serving.visitor() as ann:
            view = ann.post("/api/play-now", {"game": "misty", "chairs": 2}).json()["view"]
            table, house = view["table"], site_of(ann).house
            ann.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
            forget_idle(ann)
            assert table in house.rooms, "a bot is about to move"

            async def lose() -> None:
                await house.forget(table)
                house.thinking.pause = 0.0

            do(ann, lose)
            while ann.look(table)["prompt"] is None:
                pass
    finally:
        serving.stop()
