"""What takes long is worked out beside the event loop: everybody else's tables go on meanwhile."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from nevel.game.game import Game
from nevel.tables.domain import undo
from nevel.tables.domain.command import Asker
from nevel.tables.domain.commands import Play, SeatBot, Sit, Start
from nevel.tables.domain.table import Table
from nevel.tables.domain.undo import Undo
from nevel.tables.runtime import opening, room
from nevel.tables.runtime.fair_queue import OwnQueueFullError
from nevel.tables.runtime.house import House
from nevel.tables.runtime.off_loop import MOST_A_PERSON, THREADS, TookTooLongError, run_off_loop
from nevel.tables.runtime.opening import Opening
from nevel.tables.runtime.room import Room
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.storage import Storage
from tests.tables.storing import Run
from tests.tables.test_parts_of_a_house import begun


@pytest.fixture
def url(sqlite_url: str) -> str:
    return sqlite_url


class Gate:
    """Holds up whoever comes through until it is opened, and says who came."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.threads: list[threading.Thread] = []

    def hold(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def held(*given: Any, **named: Any) -> Any:
            self.threads.append(threading.current_thread())
            # On the event loop nobody could open it.
            assert self.opened.wait(20), "it holds up the event loop"
            return function(*given, **named)

        return held

    async def wait_for_somebody(self) -> None:
        while not self.threads:
            await asyncio.sleep(0.001)


def test_what_takes_too_long_is_given_up(run: Run) -> None:
    gate = Gate()

    async def check() -> None:
        with pytest.raises(TookTooLongError) as refused:
            await run_off_loop("ann", gate.hold(lambda: 1), 0.01)
        assert refused.value.status == 503
        gate.opened.set()
        assert await run_off_loop("ann", lambda: 2, 20) == 2

    run(check())


def test_who_asks_for_much_waits_behind_themselves(run: Run) -> None:
    gate = Gate()
    done = list[str]()

    async def ask(person: str) -> None:
        await run_off_loop(person, gate.hold(lambda: done.append(person)), 20)

    async def check() -> None:
        hers = [asyncio.ensure_future(ask("ann")) for _ in range(MOST_A_PERSON)]
        await gate.wait_for_somebody()
        with pytest.raises(OwnQueueFullError):
            await ask("ann")
        his = asyncio.ensure_future(ask("bob"))
        await asyncio.sleep(0)
        gate.opened.set()
        await asyncio.gather(his, *hers)

    run(check())
    assert done.index("bob") <= THREADS
    assert len(done) == MOST_A_PERSON + 1


def test_taking_back_holds_nobody_up(storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    monkeypatch.setattr(undo, "has_taught", gate.hold(undo.has_taught))

    async def check() -> None:
        table = await begun(Rooms(storage))
        await table.ask(Play("start", table.table.seq, 0), Asker("ann"))
        before = table.table.seq
        asked = asyncio.ensure_future(table.ask(Undo(), Asker("ann")))
        await gate.wait_for_somebody()
        gate.opened.set()
        assert await asked > before

    run(check())
    assert gate.threads[0] is not threading.main_thread()


def test_taking_back_that_takes_too_long_changes_nothing(
    storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    monkeypatch.setattr(undo, "has_taught", gate.hold(undo.has_taught))

    async def check() -> None:
        table = await begun(Rooms(storage))
        await table.ask(Play("start", table.table.seq, 0), Asker("ann"))
        monkeypatch.setattr(room, "TIMEOUT_SECONDS", 0.01)
        before = table.table
        with pytest.raises(TookTooLongError):
            await table.ask(Undo(), Asker("ann"))
        assert table.table is before
        assert not table.is_doubtful
        assert not table.lock.locked()
        gate.opened.set()

    run(check())


def test_reading_a_log_holds_nobody_up(storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        name = (await begun(Rooms(storage))).table.name
        gate = Gate()
        monkeypatch.setattr(Table, "follow", gate.hold(Table.follow))
        entering = asyncio.ensure_future(Room.enter(storage, name))
        await gate.wait_for_somebody()
        gate.opened.set()
        assert (await entering).table.game

    run(check())


def test_dealing_and_knowing_hold_nobody_up(storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    dealing, knowing = Gate(), Gate()
    monkeypatch.setattr(Table, "deal", dealing.hold(Table.deal))
    monkeypatch.setattr(Game, "knowledge", knowing.hold(Game.knowledge))

    async def check() -> None:
        house = House(storage)
        await house.start()
        try:
            table = await house.opening.open_table("ann", "the-game", 2)
            await table.ask(Sit(), Asker("ann"))
            await table.ask(SeatBot("casual"), Asker("ann"))
            beginning = asyncio.ensure_future(table.ask(Start(), Asker("ann")))
            await dealing.wait_for_somebody()
            dealing.opened.set()
            await beginning
            await knowing.wait_for_somebody()
            knowing.opened.set()
        finally:
            await house.close()

    run(check())


def test_a_saved_game_that_takes_too_long_is_given_up(
    storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    monkeypatch.setattr(opening, "load_saved_game", gate.hold(opening.load_saved_game))
    monkeypatch.setattr(opening, "LONGEST_IMPORT", 0.01)

    async def check() -> None:
        with pytest.raises(TookTooLongError):
            await Opening(Rooms(storage)).open_saved_game("ann", "{}")
        gate.opened.set()

    run(check())
