"""Everyone gets a share: people take turns, quick bots never wait behind slow ones, and nobody plays for nobody."""

import asyncio
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from nevel.bots.evaluation import Budget
from nevel.tables.domain.commands import Play, SeatBot, Sit, Start
from nevel.tables.domain.pace import Pace
from nevel.tables.runtime.fair_queue import LEAST_PRIORITY, FairQueue, FairThreads, OwnQueueFullError, give_way
from nevel.tables.runtime.house import House
from nevel.tables.runtime.room import VISITED_FOR
from nevel.tables.storage.storage import Storage
from nevel.tables.thinking.thinking import LEAST_SHARE, Thinking
from tests.tables.storing import Run
from tests.tables.test_house import QUICK, Clock, seated, until, with_house


async def serve(queue: FairQueue, *people: str) -> list[str]:
    """Who is served in which order when all of these ask at once."""
    served: list[str] = []

    async def take(person: str) -> None:
        async with queue.turn(person):
            served.append(person)
            await asyncio.sleep(0)

    await asyncio.gather(*(take(person) for person in people))
    return served


def test_who_asks_for_fifty_things_waits_behind_themselves() -> None:
    async def work() -> None:
        queue = FairQueue(1)
        served = await serve(queue, *["greedy"] * 50, "ann", "bob", "ann")
        assert served[:6] == ["greedy", "ann", "bob", "greedy", "ann", "greedy"]
        assert served[6:] == ["greedy"] * 47
        assert (queue.waiting, queue.people, queue.count("greedy")) == (0, 0, 0)

    asyncio.run(work())


def test_coming_late_or_again_and_again_passes_nobody_who_has_waited() -> None:
    async def work() -> None:
        queue, served = FairQueue(1), list[str]()

        async def take(person: str, times: int) -> None:
            for _ in range(times):
                async with queue.turn(person):
                    served.append(person)
                    await asyncio.sleep(0)

        await asyncio.gather(*(take("old", 1) for _ in range(5)), *(take(f"new{i}", 3) for i in range(3)))
        # Of any four turns that follow each other, everybody who has something left gets one.
        for i in range(0, 12, 4):
            assert sorted(served[i : i + 4]) == ["new0", "new1", "new2", "old"]

    asyncio.run(work())


def test_who_goes_away_leaves_no_turn_behind() -> None:
    async def work() -> None:
        queue = FairQueue(1)
        await queue.acquire("ann")
        waiting = [asyncio.create_task(queue.acquire(person)) for person in ("bob", "cid", "dora")]
        await asyncio.sleep(0)
        assert list(queue.order()) == ["bob", "cid", "dora"]
        waiting[0].cancel()
        await asyncio.sleep(0)
        queue.release("ann")
        waiting[1].cancel()  # in the moment in which it was given
        await asyncio.wait(waiting)
        assert waiting[2].exception() is None
        queue.release("dora")
        assert (queue.waiting, queue.people, queue._free) == (0, 0, 1)
        queue.check_quota("ann", 1)
        await queue.acquire("ann")
        with pytest.raises(OwnQueueFullError):
            queue.check_quota("ann", 1)

    asyncio.run(work())


def test_a_thread_is_free_only_when_its_work_is_over() -> None:
    async def work() -> None:
        threads, stop = FairThreads(1, "test"), threading.Event()
        first = asyncio.create_task(threads.run("ann", stop.wait))
        await asyncio.sleep(0)
        second = asyncio.create_task(threads.run("bob", lambda: 7))
        await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.sleep(0.01)
        assert threads.queue.waiting == 1
        assert threads.longest >= 0.01
        stop.set()
        assert await second == 7
        await asyncio.sleep(0.01)
        assert threads.longest == 0
        threads.close()

    asyncio.run(work())


def test_a_thread_gives_way_however_low_the_priority_of_its_server_is() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    def serve() -> tuple[int, int]:
        give_way(3)
        with ThreadPoolExecutor(1, initializer=give_way, initargs=(5,)) as threads:
            return niceness(), threads.submit(niceness).result()

    usual = niceness()
    with ThreadPoolExecutor(1) as server:
        own, lower = server.submit(serve).result()
    expected = (min(usual + 3, LEAST_PRIORITY), min(usual + 8, LEAST_PRIORITY))
    assert (own, lower) == (expected if sys.platform == "linux" else (usual, usual))
    assert niceness() == usual


def test_quick_bots_never_wait_behind_searching_ones(storage: Storage, run: Run) -> None:
    async def work(house: House) -> None:
        stop = threading.Event()
        searches = [asyncio.create_task(house.thinking.searching.run("greedy", stop.wait)) for _ in range(50)]
        await asyncio.sleep(0)
        room = await house.opening.open_table("person0", "misty", 2)
        await house.ask(room.table.name, SeatBot("casual"), "person0")
        await house.ask(room.table.name, Start(), "person0")
        await until(lambda: room.table.phase == "over", room)
        assert house.thinking.waiting == 49
        stop.set()
        await asyncio.gather(*searches)

    run(with_house(storage, work))


def test_the_more_people_wait_the_shorter_each_bot_thinks() -> None:
    async def work() -> None:
        thinking = Thinking("node", Budget(seconds=1.0), threads=2)
        queue, a_second = thinking.searching.queue, thinking.budget
        now = time.monotonic()
        assert thinking.shared_budget(a_second, now + 9).seconds == 1.0
        assert 0.3 < (thinking.shared_budget(a_second, now - 0.5).seconds or 0) <= 0.5
        assert thinking.shared_budget(a_second, now - 9).seconds == LEAST_SHARE
        turns = [asyncio.create_task(queue.acquire(person)) for person in ("a", "a", "a", "b", "c", "d")]
        await asyncio.sleep(0)
        # Four people at two threads; how many bots each of them has makes no difference.
        assert thinking.shared_budget(a_second, now + 9).seconds == 0.5
        for turn in turns:
            turn.cancel()
        await thinking.close()

    asyncio.run(work())


@pytest.mark.parametrize("pace", [Pace(), Pace("live", seconds=600)])
def test_bots_play_where_somebody_looks_or_a_clock_runs(storage: Storage, run: Run, pace: Pace) -> None:
    clock = Clock()

    async def work() -> None:
        house = House(storage, QUICK, clock=clock)
        try:
            room = await seated(house, "misty", people=1, bots=1, pace=pace)
            await until(lambda: room.table.waiting_for == [0], room)
            before, name = len(room.table.played), room.table.name
            game = room.table.game
            assert game
            prompt = game.prompt(0)
            assert prompt
            house.thinking.pause = house.thinking.runners[name].pause = 0.05
            await house.ask(name, Play(prompt.moves[0], room.table.seq), "person0")
            clock.now += VISITED_FOR
            await asyncio.sleep(0.3)
            if not pace.is_timed:
                assert len(room.table.played) == before + 1
                assert not house.thinking.is_needed(name)
                await house.room(name)
            await until(lambda: 0 in room.table.waiting_for, room)
        finally:
            await house.close()

    run(work())


def test_after_a_restart_only_games_by_the_clock_go_on_by_themselves(storage: Storage, run: Run) -> None:
    names: list[str] = []

    async def first(house: House) -> None:
        house.thinking.pause = 3600
        for pace in (Pace(), Pace("live", seconds=600)):
            room = await house.opening.open_table("person0", "misty", 2, pace=pace)
            names.append(room.table.name)
            await house.ask(names[-1], Sit(), "person0")
            await house.ask(names[-1], SeatBot("casual"), "person0")
            await house.ask(names[-1], Start(), "person0")

    async def second(house: House) -> None:
        while names[1] not in house.rooms:
            await asyncio.sleep(0.01)
        assert names[0] not in house.rooms

    run(with_house(storage, first))
    run(with_house(storage, second))
